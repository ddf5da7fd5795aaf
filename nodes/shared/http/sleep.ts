import { sleep } from 'n8n-workflow';

import { now } from './clock';
import { Failure } from './failure';

/** How long a sleep may outlive a cancelled run, in ms. */
const SLICE = 1000;

/**
 * Sleeps, and stops at once when the run is cancelled.
 *
 * @param milliseconds how long; nothing happens for 0 or less
 * @throws Failure when the run is cancelled
 */
export async function sleepWithAbort(milliseconds: number, signal?: AbortSignal): Promise<void> {
	const end = now() + milliseconds;
	for (let left = milliseconds; left > 0; left = end - now()) {
		if (signal?.aborted) break;
		// Timers count whole milliseconds: a part of one would be slept again and again.
		const nap = sleep(Math.ceil(Math.min(left, SLICE)));
		await (signal ? Promise.race([nap, aborted(signal)]) : nap);
	}
	if (signal?.aborted) throw cancelled();
}

/** What a cancelled run says. */
export function cancelled(): Failure {
	return new Failure({ words: 'The run was cancelled', isUnsent: true });
}

const abortions = new WeakMap<AbortSignal, Promise<void>>();

/** One promise a signal, so that a long run does not pile up listeners on it. */
function aborted(signal: AbortSignal): Promise<void> {
	const known = abortions.get(signal);
	if (known) return known;
	const promise = new Promise<void>((resolve) => {
		signal.addEventListener('abort', () => resolve());
	});
	abortions.set(signal, promise);
	return promise;
}
