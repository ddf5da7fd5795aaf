import { sleep } from 'n8n-workflow';
import { SurveyError } from './surveyError';

/** The longest time that a sleep outlives a cancelled run. */
const MAX_SLICE_MS = 1000;

/** Sleeps until the time is over or the signal aborts. @throws SurveyError when the signal has aborted */
export async function sleepWithAbort(milliseconds: number, signal?: AbortSignal): Promise<void> {
	const end = performance.now() + milliseconds;
	for (let left = milliseconds; left > 0 && !signal?.aborted; left = end - performance.now()) {
		// Timers count whole milliseconds: a fraction of one would be slept again and again.
		const nap = sleep(Math.ceil(Math.min(left, MAX_SLICE_MS)));
		await (signal ? Promise.race([nap, aborted(signal)]) : nap);
	}
	if (signal?.aborted) throw cancelled({ isUnsent: true });
}

export function cancelled(more?: { isUnsent: boolean }): SurveyError {
	return new SurveyError({ message: 'The run was cancelled', ...more });
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
