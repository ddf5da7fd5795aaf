export const DAY_MS = 24 * 60 * 60 * 1000;

/** Gives every record a timestamp of its own: seeds lie in the past, one second apart. */
export class Clock {
	private seed: number;

	private latest = 0;

	constructor(seedFrom = new Date(Date.now() - 20 * DAY_MS)) {
		this.seed = seedFrom.getTime();
	}

	/** Returns the timestamp of the next seeded record. */
	seeded(): string {
		this.seed += 1000;
		return new Date(this.seed).toISOString();
	}

	/** Returns the current time, later than any timestamp returned before. */
	now(): string {
		this.latest = Math.max(Date.now(), this.latest + 1);
		return new Date(this.latest).toISOString();
	}
}
