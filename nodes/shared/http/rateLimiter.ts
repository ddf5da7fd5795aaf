import { createHash } from 'crypto';

import { now } from './clock';
import { sleepWithAbort } from './sleep';

/** The longest pause that a service can impose, in ms. After it, one request finds out whether it is over. */
const LONGEST_PAUSE = 15 * 60 * 1000;

/** How often those who wait for that request look for its answer, in ms. */
const PROBE_LOOK = 250;

/** Leave to send one request. */
export interface Turn {
	/** How long it was waited for because of a pause, in ms. */
	waited: number;
	/** True for the request that finds out whether a long pause is over: `probed` must be told. */
	probes: boolean;
}

/**
 * Paces one credential's requests in this process, and holds them while the service asks for a pause.
 * Every node and execution that uses the credential shares it.
 */
export class RateLimiter {
	private nextStart = 0;
	private pausedUntil = 0;
	/** Whether a long pause was asked for, and no answer since shows that it is over. */
	private mustProbe = false;
	private isProbing = false;

	/** Milliseconds until the service wants to be asked again; 0 when it does not mind. */
	pauseLeft(): number {
		const left = Math.max(0, this.pausedUntil - now());
		return this.isProbing ? Math.max(left, PROBE_LOOK) : left;
	}

	/** The service said «too many requests»: nobody asks it for `milliseconds`, or 15 minutes at most. */
	pause(milliseconds: number): void {
		if (milliseconds > LONGEST_PAUSE) this.mustProbe = true;
		const length = Math.min(milliseconds, LONGEST_PAUSE);
		this.pausedUntil = Math.max(this.pausedUntil, now() + length);
	}

	/** The probing request has ended. */
	probed(isAccepted: boolean): void {
		this.isProbing = false;
		this.mustProbe &&= !isAccepted;
	}

	/** Whether it makes no difference to forget it. */
	get isIdle(): boolean {
		return !this.mustProbe && Math.max(this.pausedUntil, this.nextStart) <= now();
	}

	/**
	 * Waits until one more request may start.
	 *
	 * @param requestsPerMinute 0 for no pacing
	 * @param budget the longest pause to sit out, in ms; pacing does not count against it
	 * @returns undefined where the pause is longer than that
	 */
	async acquire(
		requestsPerMinute: number,
		budget: number,
		signal?: AbortSignal,
	): Promise<Turn | undefined> {
		for (let waited = 0; ; ) {
			const pause = this.pauseLeft();
			if (waited + pause > budget) return undefined;
			if (pause > 0) {
				await sleepWithAbort(pause, signal);
				waited += pause;
			} else {
				await sleepWithAbort(this.takeSlot(requestsPerMinute), signal);
				// A neighbour may have been told to wait meanwhile.
				if (this.pauseLeft() === 0) return { waited, probes: this.takeProbe() };
			}
		}
	}

	/** Reserves the next start and gives the milliseconds until then. */
	private takeSlot(requestsPerMinute: number): number {
		if (requestsPerMinute <= 0) return 0;
		const start = Math.max(now(), this.nextStart);
		this.nextStart = start + 60_000 / requestsPerMinute;
		return start - now();
	}

	private takeProbe(): boolean {
		this.isProbing = this.mustProbe;
		return this.isProbing;
	}
}

/** How many are remembered. Idle ones beyond are forgotten, the longest unused first. */
const MOST_LIMITERS = 1000;

const rateLimiters = new Map<string, RateLimiter>();

/** The rate limiter of a credential: the same one for the same service, base URL and key. */
export function rateLimiterFor(service: string, baseUrl: string, apiKey: string): RateLimiter {
	const key = createHash('sha256').update(`${service}\n${baseUrl}\n${apiKey}`).digest('hex');
	const limiter = rateLimiters.get(key) ?? new RateLimiter();
	// Anew at the end: the first ones are those longest unused.
	rateLimiters.delete(key);
	if (rateLimiters.size >= MOST_LIMITERS) forgetIdle();
	rateLimiters.set(key, limiter);
	return limiter;
}

function forgetIdle(): void {
	for (const [key, limiter] of rateLimiters) {
		if (rateLimiters.size < MOST_LIMITERS) return;
		if (limiter.isIdle) rateLimiters.delete(key);
	}
}
