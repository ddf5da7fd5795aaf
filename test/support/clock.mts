import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ClientRequest } from 'node:http';

/** What is left to the real clock: everything by which sockets and promises go on. */
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

/** So many turns of the event loop without a request mean that only the clock can bring the next thing. */
const QUIET_TURNS = 20;

const HOUR = 60 * 60 * 1000;

/** Between what the two real clocks show: of dates, and of time since the process began. */
const ORIGIN = Date.now() - performance.now();

/** When the next clock begins: what one piece of work left waiting is over by then. */
let begin = 0;

/**
 * Does work on a clock of its own, real sockets included. It stands still while a request is under way
 * and jumps to the next timer otherwise: an hour's pause takes no time, and how busy the machine is
 * changes nothing of what the clock shows.
 */
export async function onItsOwnClock<Result>(work: () => Promise<Result>): Promise<Result> {
	const traffic = new Traffic();
	jest.useFakeTimers({ doNotFake: [...REAL], now: Math.max(Date.now(), begin) });
	// Jest's own would begin anew each time.
	const time = jest.spyOn(performance, 'now').mockImplementation(() => Date.now() - ORIGIN);
	try {
		let isDone = false;
		const working = work().finally(() => (isDone = true));
		working.catch(() => undefined);
		while (!isDone) {
			await quiet(traffic);
			// At once: a request that begins meanwhile would see its own time-out come.
			if (!isDone && jest.getTimerCount() > 0) jest.advanceTimersToNextTimer();
		}
		return await working;
	} finally {
		// Requests beside the one that failed are not to arrive in the next test.
		await quiet(traffic);
		begin = Date.now() + HOUR;
		time.mockRestore();
		jest.useRealTimers();
		traffic.stopCounting();
	}
}

/** The requests that this process makes: how many are under way. */
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
		// Comes once, whether the answer was read to its end or the connection broke.
		message.request.once('close', () => this.open--);
	};
}

function isStart(message: unknown): message is { request: ClientRequest } {
	return Object(message).request instanceof ClientRequest;
}

async function quiet(traffic: Traffic): Promise<void> {
	for (let turns = 0; turns < QUIET_TURNS; turns++) {
		await new Promise((resolve) => setImmediate(resolve));
		// What is due at this moment needs no time.
		jest.advanceTimersByTime(0);
		if (traffic.isUnderWay) turns = 0;
	}
}
