// A service may repeat the API key, and nothing that n8n shows or stores may contain it. So it is removed from the text of
// each response before anything reads that.

/** A shorter key is no secret, and its letters may be in any comment. */
const MIN_LENGTH = 8;

/** No encoder escapes letters and digits. */
const UNESCAPED = /[A-Za-z0-9]+/g;

/** Returns a function that replaces an API key by `***`: as it is, and as JSON or a URL escapes it. */
export function redactor(apiKey: string): (text: string) => string {
	if (apiKey.length < MIN_LENGTH) return (text) => text;
	if (/^\d+$/.test(apiKey)) return numberRedactor(apiKey);
	const pattern = new RegExp(Array.from(apiKey, characterPattern).join(''), 'gu');
	const parts = apiKey.match(UNESCAPED) ?? [];
	// To look for a part is faster, and a response rarely has it.
	return (text) =>
		parts.every((part) => text.includes(part)) ? text.replace(pattern, '***') : text;
}

/** A key of digits only may come as a number, and may be a part of a longer one. */
function numberRedactor(apiKey: string): (text: string) => string {
	const inText = new RegExp(`(?<!\\d)${apiKey}(?!\\d)`, 'g');
	const inJson = new RegExp(
		`"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"|(?<![\\d.+-])${apiKey}(?![\\d.eE])`,
		'gs',
	);
	return (text) => {
		if (!text.includes(apiKey)) return text;
		if (!/^\s*[{[]/.test(text)) return text.replace(inText, '***');
		return text.replace(inJson, (part) =>
			part === apiKey ? '"***"' : part.replace(inText, '***'),
		);
	};
}

/** Returns a pattern for one character, for its escapes in JSON, and for its bytes in a URL. */
function characterPattern(character: string): string {
	if (/[A-Za-z0-9]/.test(character)) return character;
	const hex = (number: number, length: number) =>
		number
			.toString(16)
			.padStart(length, '0')
			.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
	const literal = character.replace(/[.*+?^${}()|[\]\\/]/, '\\$&');
	const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
	const json = units.map((unit) => `\\\\+u${hex(unit, 4)}`).join('');
	const url = Array.from(new TextEncoder().encode(character), (byte) => `%${hex(byte, 2)}`);
	return `(?:${literal}|\\\\+${literal}|${json}|${url.join('')})`;
}
