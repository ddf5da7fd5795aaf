import type { Change } from './surveyBTriggerChanges';

const HOUR = 60 * 60 * 1000;

/** A delivery that reached a process of n8n, as the trigger can remember it. */
interface Seen {
	content: string;
	at: number;
	hasRun: boolean;
	process: string;
}

/** What a delivery may have led to. */
interface Outcome {
	status: number;
	runs: number;
}

/** The deliveries that reached n8n: which changes ran, and which deliveries may look like repeats (docs/deliveries.md). */
export class Ledger {
	/** The process that takes deliveries: the main one, or a webhook processor. */
	process = 'main';
	private readonly seen = new Map<string, Seen[]>();
	private readonly runs = new Map<number, number>();

	hasRun({ number }: Change): boolean {
		return (this.runs.get(number) ?? 0) > 0;
	}

	/** Forgets what the main process has seen, which ended. */
	forgetMain(): void {
		for (const [subject, list] of this.seen) {
			this.seen.set(
				subject,
				list.filter(({ process }) => process !== 'main'),
			);
		}
	}

	/** Notes a change that reached n8n, and that a filter held back or whose run could not be stored. */
	noteHeldBack(change: Change): void {
		// Equal to the last one, it forgets nothing.
		if (this.last(change)?.content !== contentOf(change)) this.note(change, false);
	}

	/** @returns why the outcome of a valid delivery that passes the filters is wrong */
	check(change: Change, { status, runs }: Outcome, publishedAt: number): string | undefined {
		if (status !== 200) return `answered ${status}`;
		// A webhook processor takes no undated delivery for a repeat.
		const isOne = runs <= 1 || (this.process !== 'main' && !change.isDated);
		if (!isOne) return `${runs} runs at once`;
		const hadRun = this.hasRun(change);
		const isRepeat = this.isRepeat(change, publishedAt);
		if (runs > 0) {
			this.note(change, true);
			this.runs.set(change.number, (this.runs.get(change.number) ?? 0) + runs);
		}
		if (runs === 0) return hadRun || isRepeat ? undefined : 'lost with a 200';
		return hadRun && isRepeat ? 'run twice' : undefined;
	}

	/** A delivery equals the last one of its subject that reached its process: dated, or recent in the only process. */
	private isRepeat(change: Change, publishedAt: number): boolean {
		const last = this.last(change);
		if (!last?.hasRun || last.content !== contentOf(change)) return false;
		const isRecent = Date.now() - last.at < HOUR && last.at >= publishedAt;
		return change.isDated || (this.process === 'main' && isRecent);
	}

	private last({ subject }: Change): Seen | undefined {
		const list = this.seen.get(subject) ?? [];
		return list.filter(({ process }) => process === this.process).at(-1);
	}

	private note(change: Change, hasRun: boolean): void {
		const one = { content: contentOf(change), at: Date.now(), hasRun, process: this.process };
		this.seen.set(change.subject, [...(this.seen.get(change.subject) ?? []), one]);
	}
}

function contentOf({ data }: Change): string {
	return JSON.stringify(data);
}
