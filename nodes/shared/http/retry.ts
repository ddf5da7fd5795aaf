/** The number of attempts of a request that may be retried. */
export const MAX_ATTEMPTS = 4;

/** Returns whether a status means that the service failed, and not the request. */
export function isTransient(status: number): boolean {
	return status >= 500 || status === 408;
}

/**
 * Returns the time before the next attempt, in ms: it doubles from half a second, with jitter so that many runs
 * do not return at the same moment.
 *
 * @param attempt the attempt that failed, from 1
 */
export function backoff(attempt: number): number {
	const step = 500 * 2 ** Math.min(attempt - 1, 6);
	return step / 2 + (Math.random() * step) / 2;
}

/**
 * Returns the pause that a service asks for, in ms: `Retry-After` in seconds or as a date, else the time in its
 * message ("Expected available in 42.0 seconds."). Undefined if it asks for none.
 */
export function requestedPause(header: unknown, message: string | undefined): number | undefined {
	const text = typeof header === 'string' ? header.trim() : '';
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	const date = parseDate(text);
	if (!Number.isNaN(date)) return Math.max(0, date - Date.now());
	return pauseInMessage(message ?? '');
}

/** Parses a date; NaN for anything else, since JavaScript reads `-5` as a day in May. UTC without a zone. */
function parseDate(text: string): number {
	if (!/^(?:[a-z]{3}|\d{4}-)/i.test(text)) return NaN;
	const hasZone = /(?:[a-z]|[+-]\d{2}:?\d{2})$/i.test(text);
	return Date.parse(hasZone ? text : `${text.replace('T', ' ')} GMT`);
}

const SPAN = /(\d+(?:\.\d+)?)\s*(m(?:in)?|s(?:ec)?)(?:\b|onds?|utes?)/i;
const SPAN_TO_WAIT = new RegExp(`(?:in|after|wait)\\s+(?:for\\s+)?${SPAN.source}`, 'i');

/** Reads a length of time in a message, preferably one to wait. */
function pauseInMessage(message: string): number | undefined {
	const found = message.match(SPAN_TO_WAIT) ?? message.match(SPAN);
	if (!found) return undefined;
	const [, count, unit = ''] = found;
	return Number(count) * (unit.toLowerCase().startsWith('m') ? 60_000 : 1000);
}
