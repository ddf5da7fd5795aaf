import { createHash } from 'crypto';

import { Cache } from '../base/cache';

/** The longest pause that a service can impose, in ms. After it, a response tells whether it goes on. */
const MAX_PAUSE_MS = 15 * 60 * 1000;

/** Why a request may not start yet, and for how long. */
export interface Delay {
	milliseconds: number;
	/** `pause`: the service asked for it. `pace`: Requests per Minute of the credential. */
	reason: 'pause' | 'pace';
}

/**
 * Paces the requests of one account in this process, and holds them back while the service asks for a
 * pause. All nodes, executions, and credential tests of the account share it. A start is never reserved,
 * so a run that stops waiting has nothing to give back.
 */
export class RateLimiter {
	private nextStart = 0;
	private pausedUntil = 0;

	/** Starts a request, and returns undefined; or returns how long to wait before trying again. */
	start(requestsPerMinute: number): Delay | undefined {
		const time = performance.now();
		const pause = this.pausedUntil - time;
		if (pause > 0) return { milliseconds: pause, reason: 'pause' };
		if (requestsPerMinute > 0) {
			if (this.nextStart > time) return { milliseconds: this.nextStart - time, reason: 'pace' };
			const interval = 60_000 / requestsPerMinute;
			// A timer that fires late must not slow the pace.
			this.nextStart = (this.nextStart > time - interval ? this.nextStart : time) + interval;
		}
		return undefined;
	}

	/** Holds back all requests of the account for some ms, as the service asks. */
	pause(milliseconds: number): void {
		const end = performance.now() + Math.min(milliseconds, MAX_PAUSE_MS);
		this.pausedUntil = Math.max(this.pausedUntil, end);
	}

	/** True when forgetting it changes nothing. */
	get isIdle(): boolean {
		return Math.max(this.pausedUntil, this.nextStart) <= performance.now();
	}
}

/** The accounts of this process. One that is paused is kept, since a new limiter would not know of the pause. */
const rateLimiters = new Cache<RateLimiter>(1000, ({ isIdle }) => isIdle);

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?=:|$)/;

/** Returns the rate limiter of an account: the same one for the same service, host, and API key. */
export function rateLimiterFor(service: string, baseUrl: string, apiKey: string): RateLimiter {
	const host = new URL(baseUrl).host.replace(LOOPBACK, 'localhost');
	const key = createHash('sha256').update(`${service}\n${host}\n${apiKey}`).digest('hex');
	return rateLimiters.of(key, () => new RateLimiter());
}
