import { isObject } from './json';

/** Returns whether a value is null, undefined, white space, or an empty list. Neither 0 nor false is blank. */
export function isBlank(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

// promise: long-message
const MAX_TEXT_LENGTH = 1000;

/** Truncates a text: each failed item repeats the message, and it is searched for known ones. */
export function truncate<Text extends string | undefined>(
	text: Text,
	length = MAX_TEXT_LENGTH,
): Text | string {
	return text === undefined || text.length <= length ? text : `${text.slice(0, length)}…`;
}

/** Returns a sentence with its full stop. */
export function withFullStop(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Joins sentences, each of which may end with its full stop. Those that are empty are left out. */
export function sentences(parts: Array<string | false | undefined>): string {
	const texts = parts.flatMap((part) => part || []);
	return texts.map((text, i) => (i < texts.length - 1 ? withFullStop(text) : text)).join(' ');
}

const MAX_QUOTE_LENGTH = 100;

/** Returns a value as a message shows it: JSON, truncated. */
export function quote(value: unknown): string {
	return truncate(textOf(value), MAX_QUOTE_LENGTH);
}

/** Returns JSON, or the value's own text if JSON cannot hold it, as with a BigInt or NaN. */
function textOf(value: unknown): string {
	if (typeof value === 'number') return String(value);
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		return String(value);
	}
}

/** Protects from endless nesting. */
// promise: deep-json
const MAX_NESTING = 20;

/** Returns the text of a part of an error: the part itself, or the messages anywhere inside it. */
export function textIn(part: unknown, depth = 0): string {
	if (typeof part === 'string') return part.trim();
	if (depth > MAX_NESTING) return '';
	const inside = (entry: unknown) => textIn(entry, depth + 1);
	if (Array.isArray(part)) return part.map(inside).filter(Boolean).join('; ');
	return isObject(part) ? inside(part.message ?? Object.values(part)) : '';
}

/** Returns a body that is plain text; undefined for a web page. */
export function plainText(body: unknown): string | undefined {
	const text = typeof body === 'string' ? body.trim() : '';
	return text === '' || text.startsWith('<') ? undefined : text.slice(0, 300);
}

/**
 * Returns the editor's label for a field name of an API: `from_user` is From User, `campaignId` is Campaign.
 *
 * @param labels the labels that do not follow from the name
 */
export function labelOf(name: string, labels: Record<string, string> = {}): string {
	return labels[name] ?? titleOf(name.replace(/(_id|Id)$/, ''));
}

/** Returns a field's name as a label: `feedback_count` and `feedbackCount` are `Feedback Count`. */
export function titleOf(name: string): string {
	return name
		.split(/[_ ]+|(?<=[a-z])(?=[A-Z])/)
		.map((word) =>
			/^(id|nps)$/i.test(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1),
		)
		.join(' ');
}

/** Compares texts for sorting. `localeCompare` first loads a language's rules. */
export function compareTexts(one: string, other: string): number {
	if (one === other) return 0;
	return one < other ? -1 : 1;
}
