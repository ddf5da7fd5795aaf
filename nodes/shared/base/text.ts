import { isObject } from './json';

/** Neither 0 nor false is blank. */
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

export function withFullStop(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Joins sentences, each of which may end with its full stop. Those that are empty are left out. */
export function sentences(parts: Array<string | false | undefined>): string {
	const texts = parts.flatMap((part) => part || []);
	return texts.map((text, i) => (i < texts.length - 1 ? withFullStop(text) : text)).join(' ');
}

const MAX_QUOTE_LENGTH = 100;

export function quote(value: unknown): string {
	return truncate(jsonText(value), MAX_QUOTE_LENGTH);
}

/** JSON holds no BigInt, no NaN, and nothing that is nested too deeply. */
export function jsonText(value: unknown): string {
	if (typeof value === 'number') return String(value);
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		return typeof value === 'object' ? '{…}' : String(value);
	}
}

/** Protects from endless nesting. */
// promise: deep-json
export const MAX_NESTING = 20;

/** Finds the messages anywhere inside a part of an error. */
export function textIn(part: unknown, depth = 0): string {
	if (typeof part === 'string') return part.trim();
	if (depth > MAX_NESTING) return '';
	const inside = (entry: unknown) => textIn(entry, depth + 1);
	if (Array.isArray(part)) return part.map(inside).filter(Boolean).join('; ');
	return isObject(part) ? inside(part.message ?? Object.values(part)) : '';
}

/** A web page is no plain text. */
export function plainText(body: unknown): string | undefined {
	const text = typeof body === 'string' ? body.trim() : '';
	return text === '' || text.startsWith('<') ? undefined : text.slice(0, 300);
}

/** `from_user` is From User, `campaignId` is Campaign. @param labels those that do not follow from the name */
export function labelOf(name: string, labels: Record<string, string> = {}): string {
	return labels[name] ?? titleOf(name.replace(/(_id|Id)$/, ''));
}

/** `feedback_count` and `feedbackCount` are `Feedback Count`. */
export function titleOf(name: string): string {
	return name
		.split(/[_ ]+|(?<=[a-z])(?=[A-Z])/)
		.map((word) =>
			/^(id|nps)$/i.test(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1),
		)
		.join(' ');
}

/** `Day First` and `dayFirst` are equal. */
export function wordKey(value: unknown): string {
	return String(value)
		.toLowerCase()
		.replace(/[\s/_-]/g, '');
}

/** `localeCompare` first loads a language's rules. */
export function compareTexts(one: string, other: string): number {
	if (one === other) return 0;
	return one < other ? -1 : 1;
}
