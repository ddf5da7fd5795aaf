/** The longest text of a service or a row that a message repeats, in characters. */
const LONGEST_TEXT = 1000;

/** Truncates a text: each failed row repeats the message, and it is searched for known ones. */
export function brief<Text extends string | undefined>(text: Text): Text | string {
	if (text === undefined || text.length <= LONGEST_TEXT) return text;
	return `${text.slice(0, LONGEST_TEXT)}…`;
}

const LONGEST_QUOTE = 100;

/** Returns a value as a message shows it: JSON, truncated. */
export function quote(value: unknown): string {
	const text = textOf(value);
	return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}

/** Returns JSON, or the value's own text if JSON cannot hold it, as with a BigInt. */
function textOf(value: unknown): string {
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		return String(value);
	}
}
