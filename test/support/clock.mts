import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ClientRequest } from 'node:http';

/** Functions that stay real, because sockets and promises need them. */
const REAL = [
	'hrtime',
	'nextTick',
	'performance',
	'queueMicrotask',
	'requestIdleCallback',
	'cancelIdleCallback',
	'setImmediate',
	'clearImmediate',
] as const;

/** Turns of the event loop without a request until the next timer is due: more than any chain of promises here takes. */
const QUIET_TURNS = 20;

const HOUR = 60 * 60 * 1000;

/** The difference between `Date.now()` and `performance.now()`. */
const ORIGIN = Date.now() - performance.now();

/** The start of the next simulated clock, when timers that earlier work left behind are over. */
let begin = 0;

/**
 * Runs work with real sockets on a simulated clock, which stands still while a request is in flight and otherwise
 * jumps to the next timer. A pause of an hour takes no time, and a busy machine changes nothing.
 */
export async function onItsOwnClock<Result>(work: () => Promise<Result>): Promise<Result> {
	const traffic = new Traffic();
	jest.useFakeTimers({ doNotFake: [...REAL], now: Math.max(Date.now(), begin) });
	// Jest's fake would start at 0 each time.
	const time = jest.spyOn(performance, 'now').mockImplementation(() => Date.now() - ORIGIN);
	try {
		let isDone = false;
		const working = work().finally(() => (isDone = true));
		working.catch(() => undefined);
		while (!isDone) {
			await quiet(traffic);
			// Without waiting: otherwise a request that starts in between would see its own timeout.
			if (!isDone && jest.getTimerCount() > 0) jest.advanceTimersToNextTimer();
		}
		return await working;
	} finally {
		// Wait for requests beside a failed one, so that they do not arrive in the next test.
		await quiet(traffic);
		begin = Date.now() + HOUR;
		time.mockRestore();
		jest.useRealTimers();
		traffic.stopCounting();
	}
}

/** Stops the clock of `Date` at this many ms from now. */
export function passTime(milliseconds: number): void {
	const later = Date.now() + milliseconds;
	jest.spyOn(Date, 'now').mockReturnValue(later);
}

/** Counts the requests of this process that are in flight. */
class Traffic {
	private open = 0;

	constructor() {
		subscribe('http.client.request.start', this.count);
	}

	stopCounting(): void {
		unsubscribe('http.client.request.start', this.count);
	}

	get isUnderWay(): boolean {
		return this.open > 0;
	}

	private readonly count = (message: unknown) => {
		if (!isStart(message)) return;
		this.open++;
		// Emitted once, after a complete response or a broken connection.
		message.request.once('close', () => this.open--);
	};
}

function isStart(message: unknown): message is { request: ClientRequest } {
	return Object(message).request instanceof ClientRequest;
}

async function quiet(traffic: Traffic): Promise<void> {
	for (let turns = 0; turns < QUIET_TURNS; turns++) {
		await new Promise((resolve) => setImmediate(resolve));
		// Run timers that are due now.
		jest.advanceTimersByTime(0);
		if (traffic.isUnderWay) turns = 0;
	}
}
