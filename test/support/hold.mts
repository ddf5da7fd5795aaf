import { setTimeout as sleep } from 'node:timers/promises';

import type { Fault, Faults } from '../../sandbox';

/** A request that the service holds back. */
interface Held {
	/** Resolves when the request has arrived. */
	arrived: Promise<void>;
	/** Lets the service answer it. */
	release(): void;
}

/** Makes a service hold the next request back that a fault would meet, until it is released. */
export function holdNext(faults: Faults, { when, ...which }: Omit<Fault, 'kind'> = {}): Held {
	let release = () => {};
	const until = new Promise<void>((resolve) => (release = resolve));
	const arrived = new Promise<void>((resolve) => {
		faults.add({
			...which,
			when: (request) => {
				if (when?.(request) === false) return false;
				resolve();
				return true;
			},
			kind: { until },
		});
	});
	return { arrived, release };
}

/** Lets everything go on that waits for nothing but sockets, promises, and its turn of the event loop. */
export async function whatCanGoOn(): Promise<void> {
	for (let tick = 0; tick < 300; tick++) {
		await new Promise((resolve) => setImmediate(resolve));
		if (tick % 10 === 0) await sleep(1);
	}
}
