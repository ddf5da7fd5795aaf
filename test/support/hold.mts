import { setTimeout as sleep } from 'node:timers/promises';

import type { Fault, Faults } from '../../sandbox';

interface Held {
	/** Resolves when the request has arrived. */
	arrived: Promise<void>;
	release(): void;
}

/** Delays the response to the next matching request until it is released. */
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

/**
 * Waits until only timers and delayed responses can bring something new. Client and service share this process, so turns
 * of the event loop move every socket on; 300 of them outlast the longest chain of promises and sockets here.
 */
export async function whatCanGoOn(): Promise<void> {
	for (let tick = 0; tick < 300; tick++) {
		await new Promise((resolve) => setImmediate(resolve));
		if (tick % 10 === 0) await sleep(1);
	}
}
