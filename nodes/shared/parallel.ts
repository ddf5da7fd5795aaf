import { sleep } from 'n8n-workflow';

/** How many pieces of work may be under way at a time. */
interface Width {
	readonly current: number;
	/** A piece has ended, so many milliseconds after it was begun. */
	ended(milliseconds: number): void;
}

/** A wider stretch is worth it where so many times as many answers come in the same time. */
const WORTH_IT = 1.2;
/** Pieces that take longer than so many times as long as the fastest ones have slowed down. */
const SLOWED = 3;

/**
 * A width that finds out what a service can take: it doubles as long as that brings more answers a second,
 * and halves when the service says that it gets too many, or when it slows down.
 */
export class AdaptiveWidth implements Width {
	private sum = 0;
	private count = 0;
	private fastest = Infinity;
	private roundBegan: number | undefined;
	/** Answers in a millisecond, before the width was doubled. */
	private rateBefore = 0;
	private refused: number;
	/** Slowness alone narrows no further: what was fair to begin with is fair to a slow service. */
	private readonly narrowest: number;
	/** How many of those that were begun before the width was halved have not ended. */
	private settling = 0;

	/**
	 * @param current the width to begin with
	 * @param most the width to grow to
	 * @param refusals how often the service has said so far that it gets too many
	 */
	constructor(
		public current: number,
		private readonly most: number,
		private readonly refusals: () => number = () => 0,
	) {
		this.refused = refusals();
		this.narrowest = current;
	}

	ended(milliseconds: number): void {
		if (this.settling > 0) {
			this.settling--;
			this.refused = this.refusals();
			this.beginRound();
		} else if (this.refusals() > this.refused) {
			this.refused = this.refusals();
			this.halve(1);
		} else {
			this.take(milliseconds);
		}
	}

	/** Judges a round: as many pieces as may be under way. */
	private take(milliseconds: number): void {
		const began = (this.roundBegan ??= performance.now() - milliseconds);
		this.sum += milliseconds;
		if (++this.count < this.current) return;
		const mean = this.sum / this.count;
		const rate = this.count / (performance.now() - began);
		this.beginRound();
		if (mean > this.fastest * SLOWED) this.halve(this.narrowest);
		else if (this.current < this.most && rate >= this.rateBefore * WORTH_IT) this.double(rate);
		this.fastest = Math.min(this.fastest, mean);
	}

	private beginRound(): void {
		this.sum = this.count = 0;
		this.roundBegan = performance.now();
	}

	private double(rate: number): void {
		this.current = Math.min(this.most, this.current * 2);
		this.rateBefore = rate;
	}

	private halve(narrowest: number): void {
		this.settling = this.current - 1;
		this.rateBefore = 0;
		this.beginRound();
		this.current = Math.min(this.current, Math.max(narrowest, Math.floor(this.current / 2)));
	}
}

/** Lets work that shares a key with other work go one after the other, in the order in which it came. */
export class Turns {
	private readonly last = new Map<string, Promise<unknown>>();

	/** Does work when all that came before it under one of its keys has ended. */
	async take(keys: string[], work: () => Promise<void>): Promise<void> {
		const before = new Set(keys.map((key) => this.last.get(key)));
		const running = Promise.all(before).then(work);
		const ended = running.catch(() => undefined);
		for (const key of keys) this.last.set(key, ended);
		try {
			await running;
		} finally {
			for (const key of keys) if (this.last.get(key) === ended) this.last.delete(key);
		}
	}
}

/** So many milliseconds may long work keep n8n's one thread from requests that are under way: a turn costs one. */
const SLICE = 50;

/**
 * Lets requests go out and answers come in between pieces of long work. Gives a function to call between
 * the pieces.
 *
 * @param isAwaited whether there is something that would go on
 */
export function givingWay(isAwaited: () => boolean): () => Promise<void> {
	let begun = performance.now();
	return async () => {
		if (!isAwaited() || performance.now() - begun < SLICE) return;
		await sleep(0);
		begun = performance.now();
	};
}

/**
 * Does pieces of work, several at a time, begun in order. A piece is asked for when there is room for it.
 *
 * @param width how many at a time: a number, or one that adapts
 * @param work false from it, or an error, begins no further piece
 */
export async function inParallel<Piece>(
	pieces: Iterable<Piece> | AsyncIterable<Piece>,
	width: number | Width,
	work: (piece: Piece) => Promise<boolean>,
): Promise<void> {
	const lanes: Width = typeof width === 'number' ? { current: width, ended: () => {} } : width;
	const underWay = new Set<Promise<unknown>>();
	let goesOn = true;

	const begin = async (piece: Piece) => {
		// A clock that only goes forward.
		const begun = performance.now();
		let isWell = false;
		try {
			isWell = await work(piece);
		} finally {
			goesOn &&= isWell;
			lanes.ended(performance.now() - begun);
		}
	};

	for await (const piece of pieces) {
		if (!goesOn) break;
		const working: Promise<unknown> = begin(piece).then(() => underWay.delete(working));
		underWay.add(working);
		// The error is told below, perhaps some turns later.
		working.catch(() => undefined);
		// What begins together is answered together, and n8n would have nothing to do in between.
		await sleep(0);
		while (underWay.size >= lanes.current) await Promise.race(underWay);
	}
	await Promise.all(underWay);
}
