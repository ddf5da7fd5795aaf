import { setTimeout as sleep } from 'node:timers/promises';

interface Limit {
	/** Names what is read, for the error. */
	what?: string;
	timeoutMs?: number;
}

/** The pauses between two readings, in ms. They grow, because each reading takes n8n some of the processor. */
const SHORTEST_PAUSE = 50;
const LONGEST_PAUSE = 300;

/**
 * Reads a value until it is accepted, and returns it. The default time limit of 45 s is shorter than that of a test in jest.
 *
 * @throws Error with the last value, after the time limit
 */
export async function until<T, Done extends T = T>(
	read: () => Promise<T> | T,
	isDone: ((value: T) => value is Done) | ((value: T) => boolean),
	{ what = 'The value', timeoutMs = 45_000 }: Limit = {},
): Promise<Done> {
	const done = (value: T): value is Done => isDone(value);
	const deadline = Date.now() + timeoutMs;
	for (let pause = SHORTEST_PAUSE; ; pause = Math.min(pause * 1.2, LONGEST_PAUSE)) {
		const value = await read();
		if (done(value)) return value;
		if (Date.now() > deadline) {
			const seen = String(JSON.stringify(value)).slice(0, 500);
			throw new Error(`${what} was not as expected within ${timeoutMs / 1000} s: ${seen}`);
		}
		await sleep(pause);
	}
}
