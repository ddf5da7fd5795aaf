import { setTimeout as sleep } from 'node:timers/promises';

/** Reads a value until it is accepted. Returns undefined after the timeout. */
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
