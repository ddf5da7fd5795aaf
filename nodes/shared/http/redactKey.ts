import { isObject } from './json';
import { Failure } from '../base/failure';
import { quote } from '../base/text';

// Removes the API key from everything that n8n shows or stores, because a service may repeat it. In a message, it is
// removed anywhere; in data, only as a value or a token, because a comment may contain it by chance.

/** A shorter key would be found everywhere. */
const MIN_SECRET_LENGTH = 4;

/** The text before a credential: `Token `, `api_key=`, `"key": "`. */
const CREDENTIAL = '(?<=(?:\\b(?:[Tt]oken|[Bb]earer|[Aa]pi[ _-]?[Kk]ey)\\s+|=|:\\s*["\'])["\']?)';
const START_OF_WORD = '(?<![\\p{L}\\p{N}])';

interface KeyPatterns {
	/** The key, also as JSON or a URL escapes it. */
	anywhere: RegExp;
	asToken: RegExp;
}

const patterns = new Map<string, KeyPatterns>();
const MAX_PATTERNS = 100;

function patternsOf(apiKey: string): KeyPatterns {
	const known = patterns.get(apiKey);
	if (known) return known;
	const isSecret = apiKey.length >= MIN_SECRET_LENGTH;
	const key = isSecret ? Array.from(apiKey, characterPattern).join('') : '(?!)';
	// A word may be in a comment by chance.
	const isWord = apiKey.length < 8 || (apiKey.length < 20 && !/\d/.test(apiKey));
	const token = `${isWord ? CREDENTIAL : START_OF_WORD}${key}(?![\\p{L}\\p{N}])`;
	const made = {
		anywhere: new RegExp(key, 'gu'),
		asToken: new RegExp(`^\\s*${key}\\s*$|${token}`, 'gu'),
	};
	if (patterns.size >= MAX_PATTERNS) patterns.clear();
	patterns.set(apiKey, made);
	return made;
}

/** Returns a pattern for one character, for its escapes in JSON, and for its bytes in a URL. */
function characterPattern(character: string): string {
	const hex = (number: number, length: number) =>
		number
			.toString(16)
			.padStart(length, '0')
			.replace(/[a-f]/g, (d) => `[${d}${d.toUpperCase()}]`);
	const literal = character.replace(/[.*+?^${}()|[\]\\/]/, '\\$&');
	const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
	const json = units.map((unit) => `\\\\+u${hex(unit, 4)}`).join('');
	const url = Array.from(new TextEncoder().encode(character), (byte) => `%${hex(byte, 2)}`);
	return `(?:${literal}|\\\\+${literal}|${json}|${url.join('')})`;
}

/** Replaces the key anywhere in a message. */
export function redactText(text: string, apiKey: string): string {
	return text.replace(patternsOf(apiKey).anywhere, '***');
}

/** Replaces the key in the message, the hint, and the other details. */
export function redactKey(failure: Failure, apiKey: string): Failure {
	const { value, refusedRows } = failure;
	const clean = <Text>(text: Text) => (typeof text === 'string' ? redactText(text, apiKey) : text);
	const cleanValue = replaceDeep(value, clean);
	// A long value is truncated in the message, perhaps within the key.
	const message =
		value === undefined
			? failure.message
			: failure.message.split(quote(value)).join(quote(cleanValue));
	return failure.with({
		message: redactText(message, apiKey),
		hint: clean(failure.hint),
		field: clean(failure.field),
		value: cleanValue,
		refusedRows: refusedRows?.map((row) => ({ ...row, reason: redactText(row.reason, apiKey) })),
	});
}

/** Replaces the key in data, at any depth, where it is a value or a token. */
export function redactData(data: unknown, apiKey: string): unknown {
	const { asToken } = patternsOf(apiKey);
	const number = isNumeric(apiKey) ? Number(apiKey) : undefined;
	return replaceDeep(data, (leaf) => {
		if (typeof leaf === 'string') return leaf.replace(asToken, '***');
		return leaf === number ? '***' : leaf;
	});
}

/**
 * Returns whether data may hold the key. It rarely does, and this is faster than to look at each value.
 *
 * @param text the data as JSON
 */
export function mayHoldKey(text: string, apiKey: string): boolean {
	// `test` would remember where it found the key.
	return isNumeric(apiKey) || text.search(patternsOf(apiKey).anywhere) >= 0;
}

/** A service may return such a key as a number, written in any way. */
function isNumeric(apiKey: string): boolean {
	return apiKey.length >= MIN_SECRET_LENGTH && /^\d+$/.test(apiKey);
}

/** Replaces the names, texts, and numbers in JSON, at any depth. Anything else stays as it is. */
function replaceDeep(value: unknown, replace: (leaf: string | number) => string | number): unknown {
	if (typeof value === 'string' || typeof value === 'number') return replace(value);
	if (Array.isArray(value)) return value.map((entry) => replaceDeep(entry, replace));
	// JavaScript and Luxon dates are not JSON.
	if (!isObject(value) || typeof value.toJSON === 'function') return value;
	const entries = Object.entries(value).map(([name, inside]) => [
		String(replace(name)),
		replaceDeep(inside, replace),
	]);
	return Object.fromEntries(entries);
}
