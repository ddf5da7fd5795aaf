import { createHash } from 'crypto';

import { Cache } from '../base/cache';

/** The longest pause that a service can impose, in ms. After it, one request checks whether it is over. */
const MAX_PAUSE_MS = 15 * 60 * 1000;

/** How often the other requests look for the result of that check, in ms. */
const PROBE_INTERVAL_MS = 250;

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
	/** True after a very long pause, until a response shows that it is over. */
	private mustProbe = false;
	private isProbing = false;

	/** Starts a request, and returns undefined; or returns how long to wait before trying again. */
	start(requestsPerMinute: number): Delay | undefined {
		const time = performance.now();
		const pause = Math.max(this.pausedUntil - time, this.isProbing ? PROBE_INTERVAL_MS : 0);
		if (pause > 0) return { milliseconds: pause, reason: 'pause' };
		if (requestsPerMinute > 0) {
			if (this.nextStart > time) return { milliseconds: this.nextStart - time, reason: 'pace' };
			const interval = 60_000 / requestsPerMinute;
			// A timer that fires late must not slow the pace.
			this.nextStart = (this.nextStart > time - interval ? this.nextStart : time) + interval;
		}
		this.isProbing = this.mustProbe;
		return undefined;
	}

	/**
	 * Ends a request that was started.
	 *
	 * @param pause the ms for which the service wants no request of this account; absent when it wants none
	 */
	finish(pause?: number): void {
		if (this.isProbing && pause === undefined) this.mustProbe = false;
		this.isProbing = false;
		if (pause === undefined) return;
		if (pause > MAX_PAUSE_MS) this.mustProbe = true;
		this.pausedUntil = Math.max(
			this.pausedUntil,
			performance.now() + Math.min(pause, MAX_PAUSE_MS),
		);
	}

	/** True when forgetting it changes nothing. */
	get isIdle(): boolean {
		return !this.mustProbe && Math.max(this.pausedUntil, this.nextStart) <= performance.now();
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
