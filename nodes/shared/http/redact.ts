// A service may repeat the API key, and nothing that n8n shows or stores may contain it. So it is removed from the text of
// each response before anything reads that.

/** A shorter key is no secret, and its letters may be in any comment. */
const MIN_LENGTH = 8;

/** Escapes of letters and digits, in JSON and in URLs. Few responses have one. */
const ESCAPED_LETTER = /\\u00[3-7]|%[3-7]/i;

/**
 * Returns a function that replaces an API key by `***`: as it is, as JSON and as a URL write it, and with any of its letters
 * escaped.
 *
 * @internal
 */
export function redactor(apiKey: string): (text: string) => string {
	if (apiKey.replaceAll('\\', '').length < MIN_LENGTH) return (text) => text;
	const pattern = patternOf(apiKey);
	const words = apiKey.match(/[A-Za-z0-9]+/g) ?? [];
	return (text) => {
		// To look for a word is faster, and a response rarely has it.
		const mayHaveIt = ESCAPED_LETTER.test(text) || words.every((word) => text.includes(word));
		return mayHaveIt ? text.replace(pattern, '***') : text;
	};
}

/** Returns the pattern of a key. The number of backslashes is bounded, so that it takes linear time. */
function patternOf(key: string): RegExp {
	// Each character with the backslashes of the key in front of it.
	const parts = Array.from(key.match(/\\*[^\\]/g) ?? [], (part, i) => {
		// Any number of backslashes in front of the key are an escape.
		if (i === 0) return `(?<!\\\\)\\\\*${characterIn(part)}`;
		const backslashes = part.length === 1 ? '\\\\{0,8}' : '(?:\\\\|u005c|%5c){1,32}';
		return backslashes + characterIn(part);
	});
	return new RegExp(parts.join(''), 'gi');
}

/** Returns the pattern of the last character of a text: as it is, and as JSON and a URL escape it. */
function characterIn(part: string): string {
	const character = part.slice(-1);
	const inJson = character.charCodeAt(0).toString(16).padStart(4, '0');
	const bytes = Buffer.from(character).toString('hex');
	const plain = character.replace(/\W/, '\\$&');
	return `(?:${plain}|u${inJson}|${bytes.replace(/../g, '%$&')})`;
}
