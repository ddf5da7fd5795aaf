import { createHash } from 'crypto';

import { sleepWithAbort } from './sleep';

/**
 * Paces one credential's requests in this process, and holds them while the service asks for a pause.
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
	 * Waits until one more request may start.
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

const rateLimiters = new Map<string, RateLimiter>();

/** The rate limiter of a credential: the same one for the same service, base URL and key. */
export function rateLimiterFor(service: string, baseUrl: string, apiKey: string): RateLimiter {
	const key = createHash('sha256').update(`${service}\n${baseUrl}\n${apiKey}`).digest('hex');
	const limiter = rateLimiters.get(key) ?? new RateLimiter();
	rateLimiters.set(key, limiter);
	return limiter;
}
