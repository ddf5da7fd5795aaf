import { sleep } from 'n8n-workflow';

import { Failure } from '../base/failure';

export const MAX_ATTEMPTS = 4;

/**
 * Returns the time before the next attempt, in ms: it doubles from half a second, with jitter so that many runs
 * do not return at the same moment.
 */
export function backoff(attempt: number): number {
	const step = 500 * 2 ** Math.min(attempt - 1, 6);
	return step / 2 + (Math.random() * step) / 2;
}

/**
 * Returns the pause that a service asks for, in ms: `Retry-After` in seconds or as a date, else the time in its
 * message ("Expected available in 42.0 seconds."). Undefined if it asks for none.
 */
export function requestedPause(
	headers: Record<string, unknown>,
	message: string | undefined,
): number | undefined {
	const text = String(headers['retry-after']);
	if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
	const retryAt = httpDate(text);
	if (Number.isNaN(retryAt)) return pauseInMessage(message ?? '');
	// By the service's own clock: this one may be wrong.
	return Math.max(0, retryAt - (httpDate(headers.date) || Date.now()));
}

/** Reads a date as HTTP writes it, in ms; NaN for anything else, since JavaScript reads `-5` as a day in May. */
export function httpDate(header: unknown): number {
	const text = String(header);
	return text.endsWith(' GMT') ? Date.parse(text) : NaN;
}

function pauseInMessage(message: string): number | undefined {
	const [, seconds] = message.match(/\b(?:in|after|wait)\s+(\d+(?:\.\d+)?)\s*s(?:ec|\b)/i) ?? [];
	return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** The longest time that a sleep outlives a cancelled run, in ms. */
const MAX_SLICE_MS = 1000;

/** Sleeps until the time is over or the signal has aborted. @throws Failure when the signal has aborted */
export async function sleepWithAbort(milliseconds: number, signal: AbortSignal): Promise<void> {
	const until = performance.now() + milliseconds;
	for (let left = milliseconds; left > 0 && !signal.aborted; left = until - performance.now()) {
		// Timers count whole milliseconds: a fraction of one would be slept again and again.
		await sleep(Math.ceil(Math.min(left, MAX_SLICE_MS)));
	}
	if (signal.aborted) throw failureOf(signal, 'unsent');
}

/** Returns why a signal has aborted: the failure that is its reason, or that the run was cancelled. */
export function failureOf({ reason }: AbortSignal, kind: 'unsent' | 'lost'): Failure {
	return reason instanceof Failure ? reason : new Failure(kind, 'The run was cancelled');
}
