import { sleep } from 'n8n-workflow';

import { now } from './clock';
import { Failure } from './failure';

/** How long a sleep may outlive a cancelled run, in ms. */
const SLICE = 1000;

/**
 * Sleeps, and stops at once when the signal aborts.
 *
 * @param milliseconds returns at once for 0 or less
 * @throws Failure when the signal has aborted
 */
export async function sleepWithAbort(milliseconds: number, signal?: AbortSignal): Promise<void> {
	const end = now() + milliseconds;
	for (let left = milliseconds; left > 0 && !signal?.aborted; left = end - now()) {
		// Timers count whole milliseconds: a fraction of one would be slept again and again.
		const nap = sleep(Math.ceil(Math.min(left, SLICE)));
		await (signal ? Promise.race([nap, aborted(signal)]) : nap);
	}
	if (signal?.aborted) throw cancelled({ isUnsent: true });
}

export function cancelled(more?: { isUnsent: boolean }): Failure {
	return new Failure({ words: 'The run was cancelled', ...more });
}

const abortions = new WeakMap<AbortSignal, Promise<void>>();

/** Returns one promise per signal, so that a long run does not pile up listeners on it. */
function aborted(signal: AbortSignal): Promise<void> {
	const known = abortions.get(signal);
	if (known) return known;
	const promise = new Promise<void>((resolve) => {
		signal.addEventListener('abort', () => resolve());
	});
	abortions.set(signal, promise);
	return promise;
}
