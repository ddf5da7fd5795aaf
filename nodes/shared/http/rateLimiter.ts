import { Cache } from '../base/cache';
import { sha256 } from '../base/hash';

/** The longest pause that a service can impose, in ms. After it, a response tells whether it goes on. */
const MAX_PAUSE_MS = 15 * 60 * 1000;

/** How long a request lets those start that are before it, in ms. */
const YIELD_MS = 20;

export interface Delay {
	milliseconds: number;
	/** `pause`: the service asked for it. `pace`: Requests per Minute of the credential. */
	reason: 'pause' | 'pace';
}

interface Turn {
	/** Starts the request, and returns undefined; or returns how long to wait before trying again. */
	start(requestsPerMinute: number): Delay | undefined;
	/** Gives the place up; needed unless the request started. */
	leave(): void;
}

/**
 * Paces the requests with one API key in this process, and holds them back while the service asks for a
 * pause. All nodes, executions, and credential tests with the key share it. Requests that a user waits for start
 * before those of runs, which share what is left in the order in which they came.
 */
export class RateLimiter {
	/** No time of the process, which begins at 0, is before it. */
	private nextStart = -Infinity;
	private pausedUntil = 0;
	private readonly urgent = new Set<object>();
	private readonly others = new Set<object>();

	/** Takes a place in a queue. @param isUrgent true if a user waits: in the editor, or for a publish */
	queue(isUrgent = false): Turn {
		const turn = {};
		const queue = isUrgent ? this.urgent : this.others;
		queue.add(turn);
		return {
			start: (requestsPerMinute) => {
				const interval = requestsPerMinute > 0 ? 60_000 / requestsPerMinute : 0;
				const delay = this.delayOf(turn, interval);
				if (delay) return delay;
				queue.delete(turn);
				this.advance(interval);
				return undefined;
			},
			leave: () => void queue.delete(turn),
		};
	}

	pause(milliseconds: number): void {
		// promise: longest-pause
		const until = performance.now() + Math.min(milliseconds, MAX_PAUSE_MS);
		this.pausedUntil = Math.max(this.pausedUntil, until);
	}

	/** True when forgetting it changes nothing. */
	get isIdle(): boolean {
		const isQuiet = Math.max(this.pausedUntil, this.nextStart) <= performance.now();
		return isQuiet && this.urgent.size + this.others.size === 0;
	}

	private delayOf(turn: object, interval: number): Delay | undefined {
		const time = performance.now();
		const pause = this.pausedUntil - time;
		if (pause > 0) return { milliseconds: pause, reason: 'pause' };
		// promise: pace
		const pace = interval > 0 ? this.nextStart - time : 0;
		if (pace > 0) return { milliseconds: pace, reason: 'pace' };
		const { urgent, others } = this;
		const isFirst = interval > 0 ? [...urgent, ...others][0] === turn : urgent.has(turn);
		// Without a pace all start at once, and only after a pause the urgent ones first.
		const isBehind = !isFirst && (interval > 0 || urgent.size > 0);
		return isBehind ? { milliseconds: YIELD_MS, reason: 'pace' } : undefined;
	}

	private advance(interval: number): void {
		const time = performance.now();
		// A timer that fires late must not slow the pace.
		this.nextStart = (this.nextStart > time - interval ? this.nextStart : time) + interval;
	}
}

/** By the fingerprint of the API key. One that is paused is kept, since a new limiter would not know of the pause. */
const rateLimiters = new Cache<RateLimiter>(1000, ({ isIdle }) => isIdle);

/** The same for the same service, host, and API key. @internal */
export function fingerprintOf(service: string, baseUrl: string, apiKey: string): string {
	const { host } = new URL(baseUrl);
	return sha256(`${service}\n${host}\n${apiKey}`);
}

/** @internal */
export function rateLimiterFor(fingerprint: string): RateLimiter {
	return rateLimiters.of(fingerprint, () => new RateLimiter());
}
