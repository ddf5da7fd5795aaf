/** The longest time of a timer, in ms: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Ends one attempt when it takes too long, or when its run is cancelled. */
export class Deadline {
	private readonly controller = new AbortController();
	private readonly time: AbortSignal;

	/** @param run aborts when the run is cancelled */
	constructor(
		seconds: number,
		private readonly run?: AbortSignal,
	) {
		this.time = AbortSignal.timeout(Math.min(Math.ceil(seconds * 1000), MAX_TIMER_MS));
		this.time.addEventListener('abort', this.abandon);
		run?.addEventListener('abort', this.abandon);
		if (run?.aborted) this.abandon();
	}

	get signal(): AbortSignal {
		return this.controller.signal;
	}

	/** True when the time ran out. */
	get isOver(): boolean {
		return this.time.aborted;
	}

	/** Ends the attempt and its connection: nothing reads the rest of the response. */
	readonly abandon = () => this.controller.abort();

	/** Must be called after the attempt: a run makes many, and must not keep a listener of each. */
	release(): void {
		this.time.removeEventListener('abort', this.abandon);
		this.run?.removeEventListener('abort', this.abandon);
	}
}
