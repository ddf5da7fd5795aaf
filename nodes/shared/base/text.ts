const MAX_TEXT_LENGTH = 1000;

/** Truncates a text: each failed row repeats the message, and it is searched for known ones. */
export function truncate<Text extends string | undefined>(text: Text): Text | string {
	if (text === undefined || text.length <= MAX_TEXT_LENGTH) return text;
	return `${text.slice(0, MAX_TEXT_LENGTH)}…`;
}

const MAX_QUOTE_LENGTH = 100;

/** Returns a value as a message shows it: JSON, truncated. */
export function quote(value: unknown): string {
	const text = textOf(value);
	return text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH)}…` : text;
}

/** Returns JSON, or the value's own text if JSON cannot hold it, as with a BigInt. */
function textOf(value: unknown): string {
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		return String(value);
	}
}
