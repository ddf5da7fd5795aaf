import { needed, optional, Unusable } from './values';
import type { ReadValue } from './values';

// Numbers and switches. Blank, null and false are no number; what a number cannot hold is told.

/** As many digits as every number keeps. */
const EXACT_DIGITS = 15;

/** Reads a number, or its text: digits, with a sign and a decimal point where it has them. */
export const readNumber: ReadValue<number> = (value) => {
	if (typeof value === 'number' && Number.isFinite(value)) return exact(value, true);
	const text = typeof value === 'string' ? value.trim() : '';
	if (!/^[+-]?\d+(\.\d+)?$/.test(text)) throw new Unusable('must be a number');
	return exact(Number(text), keepsDigits(text));
};

/** Reads a whole number, or its text; decimals are told. */
export const readInteger: ReadValue<number> = (value) => {
	const isWhole =
		typeof value === 'number' ? Number.isInteger(value) : /^\s*[+-]?\d+\s*$/.test(String(value));
	if (!isWhole || (typeof value !== 'number' && typeof value !== 'string')) {
		throw new Unusable('must be a whole number');
	}
	return readNumber(value);
};

/** @throws Unusable for a whole number beyond 2^53, and where digits would be lost */
function exact(value: number, keepsDigits: boolean): number {
	if (keepsDigits && (!Number.isInteger(value) || Number.isSafeInteger(value))) return value;
	throw new Unusable('has more digits than can be sent exactly', 'Send it as text, or round it');
}

function keepsDigits(text: string): boolean {
	const plain = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
	const digits = plain.replace(/^[+-]?0*\.?0*/, '').replace('.', '');
	return digits.length <= EXACT_DIGITS || plain === String(Number(text));
}

/** A number of at least so much. */
export function numberFrom(min: number): ReadValue<number> {
	return (value) => {
		const read = readNumber(value);
		if (read >= min) return read;
		throw new Unusable(min === 0 ? 'must be 0 or more' : 'must be more than 0');
	};
}

/** A whole number within a range, both ends included. */
export function integerFrom(min: number, max = Infinity): ReadValue<number> {
	const range = max < Infinity ? `from ${min} to ${max}` : `of ${min} or more`;
	return (value) => {
		const read = readInteger(value);
		if (read >= min && read <= max) return read;
		throw new Unusable(`must be a whole number ${range}`);
	};
}

const WORDS: Record<string, boolean | undefined> = {
	...{ true: true, yes: true, y: true, '1': true },
	...{ false: false, no: false, n: false, '0': false },
};

/** Reads true or false, also as spreadsheets and forms write it. */
export const readBoolean: ReadValue<boolean> = (value) => {
	if (typeof value === 'boolean') return value;
	const isWord = typeof value === 'string' || typeof value === 'number';
	const read = isWord ? WORDS[String(value).trim().toLowerCase()] : undefined;
	if (read === undefined) throw new Unusable('must be true or false');
	return read;
};

/** A number that may be left out. */
export const optionalNumber = optional(readNumber);

/** A whole number that must be there. */
export const integer = needed(readInteger);

/** True or false. */
export const boolean = needed(readBoolean);

/** True or false, or left out. */
export const optionalBoolean = optional(readBoolean);
