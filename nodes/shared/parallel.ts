import { sleep } from 'n8n-workflow';

/** The number of tasks that may be in flight. */
interface Concurrency {
	readonly current: number;
	/** Must be called when a task ended, with its time in ms. */
	finished(milliseconds: number): void;
}

/** More tasks in flight are worth it from this factor in responses per second on. */
const GAIN = 1.1;
/** A service slowed down when tasks take this many times as long as the fastest ones. */
const SLOWED = 3;
/** Rounds until a higher number is tried again after it brought no gain. */
const ROUNDS_BETWEEN_TRIALS = 8;

interface ConcurrencyLimits {
	/** The number to start with. Slowness alone never leads to fewer. */
	first: number;
	/** The number to grow to. */
	max: number;
	/** The number that proved useful before. */
	known?: number;
	/** Returns how often the service has refused a request as one too many. */
	refusals?(): number;
	/** Receives each number that proved useful. */
	learned?(concurrency: number): void;
}

/**
 * Finds out how many requests in flight a service takes: doubles the number as long as that brings more responses per
 * second, goes back when it does not, and halves it when the service refuses requests or slows down.
 */
export class AdaptiveConcurrency implements Concurrency {
	current: number;
	private sum = 0;
	private count = 0;
	private fastest = Infinity;
	private roundStart: number | undefined;
	/** The number before it was doubled, and its responses per ms. */
	private trial?: { before: number; rate: number };
	private roundsToWait = 0;
	private refused: number;
	/** Tasks in flight that started before the number was reduced. */
	private settling = 0;

	constructor(private readonly limits: ConcurrencyLimits) {
		this.current = Math.min(limits.known ?? limits.first, limits.max);
		this.refused = this.refusals;
	}

	finished(milliseconds: number): void {
		const isRefused = this.refusals > this.refused;
		this.refused = this.refusals;
		if (this.settling > 0) {
			this.settling--;
			this.startRound();
		} else if (isRefused) {
			this.reduce(Math.max(1, this.current >> 1));
		} else {
			this.judge(milliseconds);
		}
	}

	private get refusals(): number {
		return this.limits.refusals?.() ?? 0;
	}

	/** Decides after each round, which is as many tasks as may be in flight. */
	private judge(milliseconds: number): void {
		const start = (this.roundStart ??= performance.now() - milliseconds);
		this.sum += milliseconds;
		if (++this.count < this.current) return;
		const mean = this.sum / this.count;
		const rate = this.count / (performance.now() - start);
		const { trial } = this;
		this.startRound();
		if (mean > this.fastest * SLOWED) {
			this.reduce(Math.max(this.current >> 1, Math.min(this.current, this.limits.first)));
		} else if (trial && rate < trial.rate * GAIN) {
			this.roundsToWait = ROUNDS_BETWEEN_TRIALS;
			this.reduce(trial.before);
		} else {
			this.keep();
			if (this.roundsToWait > 0) this.roundsToWait--;
			else if (this.current < this.limits.max) this.double(rate);
		}
		this.fastest = Math.min(this.fastest, mean);
	}

	private startRound(): void {
		this.sum = this.count = 0;
		this.roundStart = performance.now();
	}

	private double(rate: number): void {
		this.trial = { before: this.current, rate };
		this.current = Math.min(this.limits.max, this.current * 2);
	}

	private reduce(concurrency: number): void {
		this.settling = this.current - 1;
		this.current = concurrency;
		this.startRound();
		this.keep();
	}

	private keep(): void {
		this.trial = undefined;
		this.limits.learned?.(this.current);
	}
}

/** Runs tasks that share a key one after the other, in the order in which they came. */
export class KeyedQueue {
	private readonly last = new Map<string, Promise<unknown>>();

	/** Runs a task after all earlier ones that have one of its keys. */
	async run(keys: string[], task: () => Promise<void>): Promise<void> {
		const before = new Set(keys.map((key) => this.last.get(key)));
		const running = Promise.all(before).then(task);
		const ended = running.catch(() => undefined);
		for (const key of keys) this.last.set(key, ended);
		try {
			await running;
		} finally {
			for (const key of keys) if (this.last.get(key) === ended) this.last.delete(key);
		}
	}
}

/** ms of synchronous work after which n8n's one thread is free for requests in flight. */
const MAX_WORK_MS = 50;

/**
 * Returns a function to await between parts of long work. It yields to the event loop after 50 ms of synchronous work.
 *
 * @param isNeeded returns whether anything else could go on
 */
export function yieldToEventLoop(isNeeded: () => boolean): () => Promise<void> {
	let start = performance.now();
	return async () => {
		if (!isNeeded() || performance.now() - start < MAX_WORK_MS) return;
		await sleep(0);
		start = performance.now();
	};
}

/** ms of starting tasks after which responses get their turn. `sleep(0)` takes 1 ms, too long for every task. */
const MAX_STARTING_MS = 5;

/**
 * Runs a task for each item, several at a time, started in order. An item is requested when there is room for it.
 *
 * @param concurrency how many at a time: a number, or one that adapts
 * @param task when it returns false or fails, no further task starts
 */
export async function forEachConcurrent<Item>(
	items: Iterable<Item> | AsyncIterable<Item>,
	concurrency: number | Concurrency,
	task: (item: Item) => Promise<boolean>,
): Promise<void> {
	const limit: Concurrency =
		typeof concurrency === 'number' ? { current: concurrency, finished: () => {} } : concurrency;
	const inFlight = new Set<Promise<unknown>>();
	let goesOn = true;
	let wake = () => {};

	const start = async (item: Item) => {
		const startedAt = performance.now();
		let isOk = false;
		try {
			isOk = await task(item);
		} finally {
			goesOn &&= isOk;
			limit.finished(performance.now() - startedAt);
		}
	};

	let idleAt = performance.now();
	for await (const item of items) {
		if (!goesOn) break;
		const running: Promise<unknown> = start(item)
			.then(() => inFlight.delete(running))
			.finally(() => wake());
		inFlight.add(running);
		// `Promise.all` below reports the error.
		running.catch(() => undefined);
		if (performance.now() - idleAt >= MAX_STARTING_MS) {
			await sleep(0);
			idleAt = performance.now();
		}
		while (goesOn && inFlight.size >= limit.current) {
			await new Promise<void>((resolve) => (wake = resolve));
			idleAt = performance.now();
		}
	}
	await Promise.all(inFlight);
}
