import { createHash } from 'crypto';
import { sleep } from 'n8n-workflow';

import { Failure } from './failure';

/** How long a sleep may outlive a cancelled run, in ms. */
const SLICE = 1000;

/**
 * One credential's turn-taking in this process: its pace, and the pause that the service asked for.
 * Every node and execution that uses the credential shares it.
 */
export class RateLimiter {
	private nextStart = 0;
	private pausedUntil = 0;

	/** Milliseconds until the service wants to be asked again; 0 when it does not mind. */
	pauseLeft(): number {
		return Math.max(0, this.pausedUntil - Date.now());
	}

	/** The service said «too many requests»: nobody asks it for `milliseconds`. */
	pause(milliseconds: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, Date.now() + milliseconds);
	}

	/**
	 * Waits until the account may start one more request.
	 *
	 * @param requestsPerMinute 0 for no pacing
	 * @param budget the longest pause to sit out, in ms; pacing does not count against it
	 * @returns the milliseconds of pause that were waited, or undefined where the pause is too long
	 */
	async acquire(
		requestsPerMinute: number,
		budget: number,
		signal?: AbortSignal,
	): Promise<number | undefined> {
		for (let waited = 0; ; ) {
			const pause = this.pauseLeft();
			if (waited + pause > budget) return undefined;
			if (pause > 0) {
				await sleepWithAbort(pause, signal);
				waited += pause;
			} else {
				await sleepWithAbort(this.takeSlot(requestsPerMinute), signal);
				// A neighbour may have been told to wait meanwhile.
				if (this.pauseLeft() === 0) return waited;
			}
		}
	}

	/** Reserves the next start and gives the milliseconds until then. */
	private takeSlot(requestsPerMinute: number): number {
		if (requestsPerMinute <= 0) return 0;
		const start = Math.max(Date.now(), this.nextStart);
		this.nextStart = start + 60_000 / requestsPerMinute;
		return start - Date.now();
	}
}

const accounts = new Map<string, RateLimiter>();

/** The account of a credential: the same one for the same service, address and key. */
export function rateLimiterFor(service: string, baseUrl: string, apiKey: string): RateLimiter {
	const key = createHash('sha256').update(`${service}\n${baseUrl}\n${apiKey}`).digest('hex');
	const account = accounts.get(key) ?? new RateLimiter();
	accounts.set(key, account);
	return account;
}

/**
 * Sleeps, and stops at once when the run is cancelled.
 *
 * @param milliseconds how long; nothing happens for 0 or less
 * @throws Failure when the run is cancelled
 */
export async function sleepWithAbort(milliseconds: number, signal?: AbortSignal): Promise<void> {
	const end = Date.now() + milliseconds;
	for (let left = milliseconds; left > 0; left = end - Date.now()) {
		if (signal?.aborted) break;
		const nap = sleep(Math.min(left, SLICE));
		await (signal ? Promise.race([nap, aborted(signal)]) : nap);
	}
	if (signal?.aborted) throw cancelled();
}

/** What a cancelled run says. */
export function cancelled(): Failure {
	return new Failure({ words: 'The run was cancelled' });
}

const abortions = new WeakMap<AbortSignal, Promise<void>>();

/** One promise a signal, so that a long run does not pile up listeners on it. */
function aborted(signal: AbortSignal): Promise<void> {
	const known = abortions.get(signal);
	if (known) return known;
	const promise = new Promise<void>((resolve) => {
		signal.addEventListener('abort', () => resolve(), { once: true });
	});
	abortions.set(signal, promise);
	return promise;
}
