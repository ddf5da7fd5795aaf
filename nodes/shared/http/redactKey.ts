import { quote } from './brief';
import { Failure } from './failure';
import { isObject } from './json';

// The API key is in nothing that n8n shows or stores, although a service may repeat it. A message loses it wherever
// it stands. Data loses it where it is a value or a token: the key may also be part of a comment.

/** A shorter key is no secret, and would be found everywhere. */
const SHORTEST_SECRET = 4;

/** What stands before a credential: `Token `, `api_key=`, `"key": "`. */
const CREDENTIAL = '(?<=(?:\\b(?:[Tt]oken|[Bb]earer|[Aa]pi[ _-]?[Kk]ey)\\s+|=|:\\s*["\'])["\']?)';
const START_OF_WORD = '(?<![\\p{L}\\p{N}])';

interface KeyPatterns {
	/** The key, also as JSON or a URL escapes it. */
	anywhere: RegExp;
	asToken: RegExp;
}

const patterns = new Map<string, KeyPatterns>();
const MOST_PATTERNS = 100;

function patternsOf(apiKey: string): KeyPatterns {
	const known = patterns.get(apiKey);
	if (known) return known;
	const isSecret = apiKey.length >= SHORTEST_SECRET;
	const key = isSecret ? Array.from(apiKey, characterPattern).join('') : '(?!)';
	// Such a key may stand in a comment by chance.
	const isWord = apiKey.length < 8 || (apiKey.length < 20 && !/\d/.test(apiKey));
	const token = `${isWord ? CREDENTIAL : START_OF_WORD}${key}(?![\\p{L}\\p{N}])`;
	const made = {
		anywhere: new RegExp(key, 'gu'),
		asToken: new RegExp(`^\\s*${key}\\s*$|${token}`, 'gu'),
	};
	if (patterns.size >= MOST_PATTERNS) patterns.clear();
	patterns.set(apiKey, made);
	return made;
}

/** Returns a pattern for one character, for its escapes in JSON, and for its bytes in a URL. */
function characterPattern(character: string): string {
	const hex = (number: number, length: number) =>
		Array.from(number.toString(16).padStart(length, '0'), (d) => `[${d}${d.toUpperCase()}]`).join(
			'',
		);
	const literal = character.replace(/[.*+?^${}()|[\]\\/]/, '\\$&');
	const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
	const json = units.map((unit) => `\\\\+u${hex(unit, 4)}`).join('');
	const url = Array.from(new TextEncoder().encode(character), (byte) => `%${hex(byte, 2)}`);
	return `(?:${literal}|\\\\+${literal}|${json}|${url.join('')})`;
}

/** Replaces the key in a message, wherever it stands. */
export function redactText(text: string, apiKey: string): string {
	return text.replace(patternsOf(apiKey).anywhere, '***');
}

/** Replaces the key in all that a failure says: its message, its hint, and the value that it is about. */
export function redactKey({ details }: Failure, apiKey: string): Failure {
	const { words, value, refused } = details;
	const clean = <Text>(text: Text) => (typeof text === 'string' ? redactText(text, apiKey) : text);
	const cleanValue = replaceDeep(value, clean);
	// A long value is cut in the message, and the key may be cut with it.
	const message = value === undefined ? words : words.split(quote(value)).join(quote(cleanValue));
	return new Failure({
		...details,
		words: redactText(message, apiKey),
		advice: clean(details.advice),
		field: clean(details.field),
		value: cleanValue,
		refused: refused?.map((row) => ({ ...row, reason: redactText(row.reason, apiKey) })),
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
	return apiKey.length >= SHORTEST_SECRET && /^\d+$/.test(apiKey);
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
