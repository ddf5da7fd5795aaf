import type { IDataObject } from 'n8n-workflow';

import type { Code } from '../base/codes';
import { Failure } from '../base/failure';
import { isObject, parsedJson } from '../base/json';
import { isBlank } from '../base/text';

// Readers of single values: each takes an evaluated value that is not blank and returns it in one type.

/** Spreadsheets return numbers in place of text. A list of one entry is that entry. */
export function readText(value: unknown, code?: Code): string {
	if (Array.isArray(value) && value.length === 1) return readText(value[0], code);
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return String(readNumber(value));
	throw Failure.value('must be text', undefined, code);
}

/** The service judges the form of a name. */
export function readId(value: unknown): string {
	return readText(value).trim();
}

/** Characters that nobody sees, and that come with copied addresses. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/;

/** One address: no spaces, brackets or double quotes, and a host of at least two labels. The service judges the rest. */
const ADDRESS =
	/^(?!')[^\s@"“”<>()[\],;:\\]+@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}]$/u;

const LONGEST_ADDRESS = 320;

/** A sender as mail nodes write it: `Ada Lovelace <ada@example.com>`. */
const SENDER = /^([^<>]*)<([^<>]*)>$/;

export function isAddress(text: string): boolean {
	return text.length <= LONGEST_ADDRESS && ADDRESS.test(text);
}

export function addressIn(text: string): string | undefined {
	const [, name = '', address = text] = text.trim().match(SENDER) ?? [];
	const email = address.trim();
	// An address in the name may be that of another person.
	return isAddress(email) && (!name.includes('@') || name.includes(email)) ? email : undefined;
}

/** Returns the parts of a text that are meant as addresses, also those with a mistake. */
export function addressesIn(text: string): string[] {
	return text.split(/[\s,;<>]+/).filter((part) => part.includes('@'));
}

/** Reads the email address of one person: the only reader of addresses that are written. */
export function readEmail(value: unknown): string {
	const text = readText(value, 'invalidEmail').trim();
	if (INVISIBLE.test(text)) {
		throw invalidEmail('contains a character that nobody sees', 'Type the address again');
	}
	const email = addressIn(text);
	if (email !== undefined) return email;
	if (addressesIn(text).length > 1)
		throw invalidEmail('must be one address', 'Make a row of each address');
	throw invalidEmail('is not an email address', 'Write it as nathan@example.com, and nothing else');
}

function invalidEmail(message: string, hint: string): Failure {
	return Failure.value(message, hint, 'invalidEmail');
}

/** Reads a name that becomes a key or a label in the request. JavaScript objects swallow `__proto__`. */
export function readName(value: unknown): string {
	const name = readId(value);
	// promise: proto
	if (name !== '' && name !== '__proto__') return name;
	throw Failure.value(
		name === '' ? 'has no name' : 'is a name that cannot be sent',
		'Use another name',
	);
}

/** The number of significant digits that a double keeps. */
const EXACT_DIGITS = 15;

/** Reads a number, or the text of one: digits with an optional sign and decimal point, and no leading zeros. */
export function readNumber(value: unknown): number {
	if (typeof value === 'number' && Number.isFinite(value)) return exact(value, true);
	const text = typeof value === 'string' ? value.trim() : '';
	if (!/^[+-]?(0|[1-9]\d*)(\.\d+)?$/.test(text)) throw Failure.value('must be a number');
	return exact(Number(text), keepsDigits(text));
}

export function readInteger(value: unknown): number {
	const isText = typeof value === 'string' && /^\s*[+-]?(0|[1-9]\d*)\s*$/.test(value);
	if (isText || Number.isInteger(value)) return readNumber(value);
	throw Failure.value('must be a whole number');
}

function exact(value: number, hasAllDigits: boolean): number {
	if (hasAllDigits && (!Number.isInteger(value) || Number.isSafeInteger(value))) return value;
	throw Failure.value('has more digits than can be sent exactly', 'Send it as text, or round it');
}

function keepsDigits(text: string): boolean {
	const plain = text.replace(/\.?0+$/, '');
	const digits = plain.replace(/\D/g, '').replace(/^0+/, '');
	return digits.length <= EXACT_DIGITS || plain === String(Number(text));
}

/** Both ends included. */
export function inRange(read: (value: unknown) => number, min = -Infinity, max = Infinity) {
	const range = max < Infinity ? `from ${min} to ${max}` : `${min} or more`;
	return (value: unknown): number => {
		const number = read(value);
		if (number >= min && number <= max) return number;
		throw Failure.value(`must be ${range}`);
	};
}

/** Reads true or false, also in the words of spreadsheets and forms. */
export function readBoolean(value: unknown): boolean {
	const word = typeof value === 'object' ? '' : String(value).trim().toLowerCase();
	if (['true', 'yes', 'y', '1'].includes(word)) return true;
	if (['false', 'no', 'n', '0'].includes(word)) return false;
	throw Failure.value('must be true or false');
}

/**
 * Reads a list of texts: an array, the JSON text of one, or text with commas between the entries. Blank entries are dropped.
 * A list of only blank entries reads as undefined.
 */
export function readList(value: unknown): string[] | undefined {
	const read = entriesIn(value)
		.filter((entry) => !isBlank(entry))
		.map(readEntry);
	return read.length > 0 ? read : undefined;
}

/** Reads an array, its JSON text, or text with commas, in which quotes count as in CSV. */
export function entriesIn(value: unknown): unknown[] {
	if (typeof value !== 'string') return [value].flat();
	return listIn(value) ?? entriesOfText(value);
}

/** Other text is not parsed, since failing takes long for many items. */
function listIn(text: string): unknown[] | undefined {
	const read = text.trimStart().startsWith('[') ? parsedJson(text) : undefined;
	return Array.isArray(read) ? read : undefined;
}

const ENTRY = /,\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^",][^,]*|))/gy;

/** Lists in other notations, such as `['a', 'b']`, `{a,b}` and `a; b`, and JSON that was cut off. */
const OTHER_NOTATION = /^\s*(?:\[.*\]|\{.*\}|\(.*,.*\))\s*$|^\s*[[{]\s*["'][^\]}]*$|[;|\n]/s;

function entriesOfText(text: string): string[] {
	const matches = [...`,${text}`.matchAll(ENTRY)];
	const length = matches.reduce((sum, [part]) => sum + part.length, 0);
	const unquoted = matches.map(([, , plain = '']) => plain).join();
	if (length <= text.length || OTHER_NOTATION.test(unquoted)) {
		throw Failure.value('looks like a list in another notation', LIST_HINT);
	}
	const entries = matches.map(
		([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim(),
	);
	return entries.filter((entry) => !isBlank(entry));
}

const LIST_HINT =
	'Write commas between the entries, and quotes around one with a comma, as in a, "b, c"; or JSON, as in ["a", "b, c"]';

function readEntry(entry: unknown): string {
	if (typeof entry === 'string' || typeof entry === 'number') return readId(entry);
	throw Failure.value(
		'must be text with commas, or an array of texts',
		'Make a list of texts of it, for example in an Edit Fields node',
	);
}

const JSON_HINT = 'Write it as { "name": "value" }';

export function readJsonObject(value: unknown): IDataObject {
	const read = typeof value === 'string' ? parsedJson(value) : value;
	if (read === undefined) throw Failure.value('is not valid JSON', JSON_HINT);
	if (isObject(read)) return read;
	throw Failure.value('must be a JSON object', JSON_HINT);
}

/** A server may ignore the filter by email. */
export function hasEmail(address: string): (record: IDataObject) => boolean {
	const wanted = normalizeEmail(address);
	return ({ email }) => typeof email === 'string' && normalizeEmail(email) === wanted;
}

/** Case and Unicode form may differ. */
export function normalizeEmail(address: string): string {
	return address.trim().normalize('NFC').toLowerCase();
}
