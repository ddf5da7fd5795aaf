/** The longest that a timer can be set to, in ms: 24 days. */
const LONGEST = 2 ** 31 - 1;

/** Ends one request: when it takes too long in all, or when its run is cancelled. */
export class Deadline {
	private readonly controller = new AbortController();
	private readonly time: AbortSignal;

	/**
	 * @param seconds the longest that the request may take, from its start to the end of its answer
	 * @param run aborts when the run is cancelled
	 */
	constructor(
		seconds: number,
		private readonly run?: AbortSignal,
	) {
		this.time = AbortSignal.timeout(Math.min(Math.ceil(seconds * 1000), LONGEST));
		this.time.addEventListener('abort', this.end);
		run?.addEventListener('abort', this.end);
		if (run?.aborted) this.end();
	}

	/** Aborts when the request is to end. */
	get signal(): AbortSignal {
		return this.controller.signal;
	}

	/** Whether the time ran out. */
	get isOver(): boolean {
		return this.time.aborted;
	}

	/** Ends what is left of the request: an answer that nobody reads on, and its connection. */
	abandon(): void {
		this.end();
	}

	/** To be called when the request has ended: a run has many, and keeps no listener of each. */
	release(): void {
		this.time.removeEventListener('abort', this.end);
		this.run?.removeEventListener('abort', this.end);
	}

	private readonly end = () => this.controller.abort();
}
