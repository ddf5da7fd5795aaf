// A service may repeat the API key, and nothing that n8n shows or stores may contain it. So it is removed from the text of
// each response before anything reads that.

/** A shorter key is no secret, and its letters may be in any comment. */
const MIN_LENGTH = 8;

/** Escapes of letters and digits, in JSON and in URLs. Few responses have one. */
const ESCAPED_LETTER = /\\u00[3-7]|%[3-7]/i;

/**
 * Returns a function that replaces an API key by `***`: as it is, and in every form in which JSON or a URL can write it. It
 * takes time in proportion to the length of the text.
 *
 * @internal
 */
export function redactor(apiKey: string): (text: string) => string {
	if (apiKey.length < MIN_LENGTH) return (text) => text;
	const bytes = Array.from(new TextEncoder().encode(apiKey), (byte) => String.fromCharCode(byte));
	const forms = [...new Set([apiKey, bytes.join('')])].map((form) => unescape(form).text);
	const parts = apiKey.match(/[A-Za-z0-9]+/g) ?? [];
	const isNumber = /^\d+$/.test(apiKey);
	return (text) => {
		const isHidden = ESCAPED_LETTER.test(text);
		// To look for a part is faster, and a response rarely has it.
		if (!isHidden && !parts.every((part) => text.includes(part))) return text;
		const plain = isNumber ? text : text.replaceAll(apiKey, '***');
		return forms.reduce((rest, form) => withoutForm(rest, form, isNumber), plain);
	};
}

/** A text without its escapes. */
interface Unescaped {
	text: string;
	/** Where each character begins in the original text; and the end of that text. */
	starts: Uint32Array;
	/** 1 for each character inside a string of JSON, which may hold anything. */
	isQuoted: Uint8Array;
}

/** Returns a text with each form of the key replaced. */
function withoutForm(original: string, form: string, isNumber: boolean): string {
	const { text, starts, isQuoted } = unescape(original);
	const pieces: string[] = [];
	let copied = 0;
	for (let from = text.indexOf(form); from >= 0; from = text.indexOf(form, from)) {
		const end = from + form.length;
		const inString = isQuoted[from] === 1;
		if (isNumber && isPartOfNumber(text, from, end, inString)) {
			from = endOfDigits(text, end);
			continue;
		}
		pieces.push(original.slice(copied, starts[from]), isNumber && !inString ? '"***"' : '***');
		copied = starts[end] ?? original.length;
		from = end;
	}
	return pieces.length === 0 ? original : pieces.join('') + original.slice(copied);
}

/** Returns whether digits are a part of a longer number: not each number with these digits in it is the key. */
function isPartOfNumber(text: string, from: number, end: number, inString: boolean): boolean {
	const before = text.charAt(from - 1);
	const after = text.charAt(end);
	return inString
		? /\d/.test(before) || /\d/.test(after)
		: /[\d.+-]/.test(before) || /[\d.eE]/.test(after);
}

function endOfDigits(text: string, from: number): number {
	let end = from;
	while (/\d/.test(text.charAt(end))) end++;
	return end;
}

const BACKSLASH = '\\'.charCodeAt(0);
const PERCENT = '%'.charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);
const HEX_DIGITS = Array.from('0123456789abcdefABCDEF', (digit) => digit.charCodeAt(0));

/** Resolves escapes of JSON, of JSON inside JSON, and of URLs, in one pass. */
function unescape(original: string): Unescaped {
	const units = new Uint16Array(original.length);
	const starts = new Uint32Array(original.length + 1);
	const isQuoted = new Uint8Array(original.length);
	// Outside of JSON, everything is text.
	const isJson = /^\s*[{[]/.test(original);
	let count = 0;
	let inString = !isJson;
	for (let start = 0; start < original.length; count++) {
		const plain = original.charCodeAt(start);
		const isPlain = plain !== BACKSLASH && plain !== PERCENT;
		const { unit, end } = isPlain ? { unit: plain, end: start + 1 } : unitAt(original, start);
		if (isJson && unit === QUOTE && end === start + 1) inString = !inString;
		units[count] = unit;
		starts[count] = start;
		isQuoted[count] = inString ? 1 : 0;
		start = end;
	}
	starts[count] = original.length;
	const text = new TextDecoder('utf-16le', { ignoreBOM: true }).decode(units.subarray(0, count));
	return { text, starts, isQuoted };
}

/** Reads one character, escaped or not. Any number of backslashes in front of it are its escape. */
function unitAt(text: string, start: number): { unit: number; end: number } {
	let at = start;
	while (text.charCodeAt(at) === BACKSLASH && at < text.length - 1) at++;
	const unit = text.charCodeAt(at);
	if (at > start && text[at] === 'u') {
		const code = hexAt(text, at + 1, 4);
		if (code >= 0) return { unit: code, end: at + 5 };
	}
	if (unit === PERCENT) {
		const code = hexAt(text, at + 1, 2);
		if (code >= 0) return { unit: code, end: at + 3 };
	}
	return { unit, end: at + 1 };
}

/** Returns the number that hexadecimal digits write; -1 for anything else. */
function hexAt(text: string, from: number, length: number): number {
	let number = 0;
	for (let at = from; at < from + length; at++) {
		const digit = HEX_DIGITS.indexOf(text.charCodeAt(at));
		if (digit < 0) return -1;
		number = number * 16 + (digit < 16 ? digit : digit - 6);
	}
	return number;
}
