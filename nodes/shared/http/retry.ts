/** Attempts in all for a request that may be repeated. */
export const ATTEMPTS = 4;

/** True for answers that a repetition may better: the service's side failed, not the request. */
export function isTransient(status: number): boolean {
	return status >= 500 || status === 408;
}

/**
 * How long to wait before the next attempt, in ms: doubling from half a second, with jitter so that
 * many runs do not come back at one moment.
 *
 * @param attempt the attempt that failed, from 1
 */
export function backoff(attempt: number): number {
	const step = 500 * 2 ** Math.min(attempt - 1, 6);
	return step / 2 + (Math.random() * step) / 2;
}

/**
 * The pause that a service asks for, in ms: `Retry-After` in seconds or as a date, else the seconds
 * named in the body («Expected available in 42.0 seconds.», B's Errors section). Undefined when it
 * names none.
 */
export function pauseAsked(header: unknown, words: string | undefined): number | undefined {
	const asked = typeof header === 'string' ? header.trim() : '';
	if (/^\d+(\.\d+)?$/.test(asked)) return Number(asked) * 1000;
	const date = dateAsked(asked);
	if (!Number.isNaN(date)) return Math.max(0, date - Date.now());
	return pauseNamed(words ?? '');
}

/** A date in ms, NaN for anything else: JavaScript takes `-5` for a day in May. One without a zone is in UTC. */
function dateAsked(text: string): number {
	if (!/^(?:[a-z]{3}|\d{4}-)/i.test(text)) return NaN;
	const hasZone = /(?:[a-z]|[+-]\d{2}:?\d{2})$/i.test(text);
	return Date.parse(hasZone ? text : `${text.replace('T', ' ')} GMT`);
}

const SPAN = /(\d+(?:\.\d+)?)\s*(m(?:in)?|s(?:ec)?)(?:\b|onds?|utes?)/i;
const SPAN_TO_WAIT = new RegExp(`(?:in|after|wait)\\s+(?:for\\s+)?${SPAN.source}`, 'i');

/** A span of time in words, before all one that they say to wait. */
function pauseNamed(words: string): number | undefined {
	const [, count, unit = ''] = words.match(SPAN_TO_WAIT) ?? words.match(SPAN) ?? [];
	if (count === undefined) return undefined;
	return Number(count) * (unit.toLowerCase().startsWith('m') ? 60_000 : 1000);
}
