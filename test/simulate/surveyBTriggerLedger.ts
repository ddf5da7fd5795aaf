import type { Change } from './surveyBTriggerChanges';

const HOUR = 60 * 60 * 1000;

/** A delivery that reached n8n, as the trigger can remember it. */
interface Seen {
	content: string;
	at: number;
	hasRun: boolean;
	/** False if the data that remembers it may be lost. */
	isCertain: boolean;
}

/** What a delivery may have led to. */
interface Outcome {
	status: number;
	runs: number;
}

/** The deliveries that reached n8n: which changes ran, and which deliveries may look like repeats (docs/deliveries.md). */
export class Ledger {
	private readonly seen = new Map<string, Seen[]>();
	private readonly runs = new Map<number, number>();

	hasRun({ number }: Change): boolean {
		return (this.runs.get(number) ?? 0) > 0;
	}

	/** Notes that what was seen may be forgotten: static data was lost or is an older version. */
	doubt(): void {
		for (const one of [...this.seen.values()].flat()) one.isCertain = false;
	}

	/** Notes a change that reached n8n, and that a filter held back or whose run could not be stored. */
	noteHeldBack(change: Change): void {
		// Equal to the last one, it forgets nothing.
		if (this.last(change)?.content !== contentOf(change)) this.note(change, false);
	}

	/** @returns why the outcome of a valid delivery that passes the filters is wrong */
	check(change: Change, { status, runs }: Outcome, publishedAt: number): string | undefined {
		if (status !== 200) return `answered ${status}`;
		if (runs > 1) return `${runs} runs at once`;
		const hadRun = this.hasRun(change);
		const mayRepeat = this.mayLookLikeRepeat(change, publishedAt);
		const mayRun = this.mayRunAgain(change, publishedAt);
		if (runs > 0) {
			this.note(change, true);
			this.runs.set(change.number, (this.runs.get(change.number) ?? 0) + runs);
		}
		if (runs === 0) return hadRun || mayRepeat ? undefined : 'lost with a 200';
		return hadRun && !mayRun ? 'run twice' : undefined;
	}

	/** A change looks like a repeat if it equals the last one of its subject: dated, or recent. */
	private mayLookLikeRepeat(change: Change, publishedAt: number): boolean {
		const list = this.seen.get(change.subject) ?? [];
		const candidates = list.some(({ isCertain }) => !isCertain) ? list : list.slice(-1);
		return candidates.some((one) => {
			const isRecent = change.isDated || this.isRecent(one, publishedAt) || !one.isCertain;
			return isRecent && one.hasRun && one.content === contentOf(change);
		});
	}

	/** A repeat may run after another content, if undated after an hour or a publish, and after lost data. */
	private mayRunAgain(change: Change, publishedAt: number): boolean {
		const last = this.last(change);
		if (!last?.isCertain || last.content !== contentOf(change) || !last.hasRun) return true;
		return !change.isDated && !this.isRecent(last, publishedAt);
	}

	private isRecent({ at }: Seen, publishedAt: number): boolean {
		return Math.abs(Date.now() - at) < HOUR && at >= publishedAt;
	}

	private last({ subject }: Change): Seen | undefined {
		return this.seen.get(subject)?.at(-1);
	}

	private note(change: Change, hasRun: boolean): void {
		const one = { content: contentOf(change), at: Date.now(), hasRun, isCertain: true };
		this.seen.set(change.subject, [...(this.seen.get(change.subject) ?? []), one]);
	}
}

function contentOf({ data }: Change): string {
	return JSON.stringify(data);
}
