import { sleep } from 'n8n-workflow';
import { Failure } from '../base/failure';

/** The longest time that a sleep outlives a cancelled run. */
const MAX_SLICE_MS = 1000;

/** Sleeps until the time is over or the signal aborts. @throws Failure when the signal has aborted */
export async function sleepWithAbort(milliseconds: number, signal?: AbortSignal): Promise<void> {
	const end = performance.now() + milliseconds;
	for (let left = milliseconds; left > 0 && !signal?.aborted; left = end - performance.now()) {
		// Timers count whole milliseconds: a fraction of one would be slept again and again.
		const nap = sleep(Math.ceil(Math.min(left, MAX_SLICE_MS)));
		await (signal ? Promise.race([nap, aborted(signal)]) : nap);
	}
	if (signal?.aborted) throw cancelled('unsent');
}

/** Returns the failure of what a cancelled run leaves undone. */
export function cancelled(kind: 'unsent' | 'failed'): Failure {
	return new Failure(kind, 'The run was cancelled');
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
