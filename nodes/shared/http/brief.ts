// No message is longer than it can be read.

/** The most that a message repeats of what a service or a row says, in characters. */
const LONGEST_WORDS = 1000;

/**
 * Cuts words of absurd length: every row that failed repeats them, and they are searched for what is
 * known.
 */
export function brief<Words extends string | undefined>(words: Words): Words | string {
	if (words === undefined || words.length <= LONGEST_WORDS) return words;
	return `${words.slice(0, LONGEST_WORDS)}…`;
}

const LONGEST_QUOTE = 100;

/** A value as a message shows it: JSON, cut where it is long. */
export function quote(value: unknown): string {
	const text = textOf(value);
	return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}

/** As JSON; what JSON does not know, a BigInt say, as its own text. */
function textOf(value: unknown): string {
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		return String(value);
	}
}
