import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ClientRequest } from 'node:http';
import zlib from 'node:zlib';

import { STALLED } from '../../sandbox/core/node.mts';

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
 * jumps to the next timer. A pause of an hour takes no time, and a busy machine changes nothing. A response of the sandbox
 * that never ends does not stop the clock, so that time limits end it.
 */
export async function onItsOwnClock<Result>(work: () => Promise<Result>): Promise<Result> {
	const traffic = new Traffic();
	jest.useFakeTimers({ doNotFake: [...REAL], now: Math.max(Date.now(), begin) });
	const now = Date.now.bind(Date);
	// Jest's fake would start at 0 each time. A test that sets `Date` back leaves it alone, as a real machine does.
	const time = jest.spyOn(performance, 'now').mockImplementation(() => now() - ORIGIN);
	const limits = jest.spyOn(AbortSignal, 'timeout').mockImplementation(signalAfter);
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
		begin = now() + HOUR;
		time.mockRestore();
		limits.mockRestore();
		jest.useRealTimers();
		traffic.stopCounting();
	}
}

/** `AbortSignal.timeout` by the simulated clock. */
function signalAfter(milliseconds: number): AbortSignal {
	const controller = new AbortController();
	const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
	setTimeout(() => controller.abort(reason), milliseconds);
	return controller.signal;
}

/** Stops the clock of `Date` at this many ms from now. */
export function passTime(milliseconds: number): void {
	const later = Date.now() + milliseconds;
	jest.spyOn(Date, 'now').mockReturnValue(later);
}

/** Replaces the function that unpacks responses. Node lets it be redefined, but not assigned. */
function setUnzip(value: typeof zlib.createUnzip): void {
	Object.defineProperty(zlib, 'createUnzip', { value, configurable: true, enumerable: true });
}

/** The requests of this process that are in flight, and the responses that are unpacked after they have arrived. */
class Traffic {
	private readonly open = new Set<ClientRequest>();
	private readonly unpacking = new Set<object>();
	private readonly createUnzip = zlib.createUnzip;

	constructor() {
		subscribe('http.client.request.start', this.count);
		subscribe(STALLED, this.stall);
		setUnzip((options) => {
			const stream = this.createUnzip(options);
			this.unpacking.add(stream);
			return stream.once('close', () => this.unpacking.delete(stream));
		});
	}

	stopCounting(): void {
		unsubscribe('http.client.request.start', this.count);
		unsubscribe(STALLED, this.stall);
		setUnzip(this.createUnzip);
	}

	get isUnderWay(): boolean {
		return this.open.size + this.unpacking.size > 0;
	}

	private readonly count = (message: unknown) => {
		const { request } = Object(message);
		if (!(request instanceof ClientRequest)) return;
		this.open.add(request);
		// Emitted once, after a complete response or a broken connection.
		request.once('close', () => this.open.delete(request));
	};

	private readonly stall = (message: unknown) => {
		const { port } = Object(message);
		for (const request of this.open) {
			if (request.socket?.localPort === port) this.open.delete(request);
		}
	};
}

async function quiet(traffic: Traffic): Promise<void> {
	for (let turns = 0; turns < QUIET_TURNS; turns++) {
		await new Promise((resolve) => setImmediate(resolve));
		// Run timers that are due now.
		jest.advanceTimersByTime(0);
		if (traffic.isUnderWay) turns = 0;
	}
}
