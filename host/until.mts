import { setTimeout as sleep } from 'node:timers/promises';

/** Asks until the answer is right; nothing when time is up. */
export async function until<T>(
	read: () => Promise<T>,
	done: (value: T) => boolean,
	timeoutMs: number,
) {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const value = await read();
		if (done(value)) return value;
		if (Date.now() > deadline) return undefined;
		await sleep(100);
	}
}
