import { CONTENT_LENGTH, KEY_LENGTH } from './change';
import type { Change } from './change';

/** The process remembers this many deliveries; the oldest are forgotten first. */
const MOST_REMEMBERED = 20_000;

/** Bytes that the deliveries take in the workflow's static data, which n8n writes as a whole. */
const MOST_SAVED = 40_000;

/** Milliseconds since 1970 in base 36, up to the year 2059. */
const TIME_LENGTH = 8;

/** A saved delivery: the hash of its key, that of its content, and its time. */
const ENTRY_LENGTH = KEY_LENGTH + CONTENT_LENGTH + TIME_LENGTH;

/** What a delivery came to: a response for its repeats, and whether it counts as delivered. */
export interface Outcome {
	isDelivered: boolean;
	status: number;
	message: string;
}

/** The last delivery of a key. */
interface Seen {
	content: string;
	at: number;
	/** The webhook that delivered it, as far as this process knows. */
	webhookId?: string;
	/** `pending` until n8n has the run, `storing` until it has stored it, `failed` if it did not. */
	state: 'pending' | 'storing' | 'delivered' | 'failed';
	/** Absent once it counts as delivered. */
	outcome?: Promise<Outcome>;
}

/** A delivery that is the first of its kind, or repeats another. */
type Claim =
	| {
			kind: 'first';
			handOver: () => void;
			/** Gives repeats a response before the delivery is settled. */
			respondToRepeats: (outcome: Outcome) => void;
			settle: (outcome: Outcome) => void;
	  }
	/** `outcome` is absent if the delivery that it repeats counts as delivered. */
	| { kind: 'repeat'; outcome?: Promise<Outcome> };

/** How a delivery is compared with those before it. */
interface Comparison {
	webhookId: string;
	/** Earlier deliveries do not count, in ms since 1970. */
	since: number;
	/** True to take equal deliveries of one webhook for changes: only other webhooks repeat it. */
	onlyOtherWebhooks?: boolean;
}

/**
 * Tells repeated deliveries from real changes by the last content of each key: A, A is a repeat, A, B, A are three
 * changes. A content that n8n could not store counts in between, so that the change back is not taken for a repeat.
 */
export class Duplicates {
	private readonly seen = new Map<string, Seen>();
	private loaded: unknown;
	private storingCount = 0;

	/** How many runs n8n is storing. */
	get storing(): number {
		return this.storingCount;
	}

	/** Claims a delivery, at once and without waiting for anything. */
	claim({ key, content }: Pick<Change, 'key' | 'content'>, comparison: Comparison): Claim {
		const before = this.seen.get(key);
		if (before?.content === content && isRepeat(before, comparison)) {
			return { kind: 'repeat', outcome: before.outcome };
		}
		let resolve: ((outcome: Outcome) => void) | undefined;
		const outcome = new Promise<Outcome>((end) => (resolve = end));
		// The clock of the process that took the one before may be ahead.
		const at = Math.max(Date.now(), (before?.at ?? 0) + 1);
		const { webhookId } = comparison;
		const seen: Seen = { content, at, webhookId, state: 'pending', outcome };
		this.put(key, seen);
		const handOver = () => {
			this.storingCount++;
			seen.state = 'storing';
		};
		const settle = (settled: Outcome) => {
			if (seen.state === 'storing') this.storingCount--;
			seen.state = settled.isDelivered ? 'delivered' : 'failed';
			resolve?.(settled);
			seen.outcome = undefined;
		};
		const respondToRepeats = (provisional: Outcome) => {
			resolve?.(provisional);
			seen.outcome = Promise.resolve(provisional);
		};
		return { kind: 'first', handOver, respondToRepeats, settle };
	}

	/** Takes in what was saved, by this process or another one. Under load that is often older than the process's own. */
	load(saved: unknown): void {
		if (saved === this.loaded) return;
		this.loaded = saved;
		const [oldest] = this.seen.values();
		const forgotten = oldest && this.seen.size >= MOST_REMEMBERED ? oldest.at : -Infinity;
		const news = read(saved).filter(([key, , at]) => at > (this.seen.get(key)?.at ?? forgotten));
		if (news.length === 0) return;
		for (const [key, content, at] of news) this.seen.set(key, { content, at, state: 'delivered' });
		const byTime = [...this.seen].sort(([, one], [, other]) => one.at - other.at);
		this.seen.clear();
		for (const [key, seen] of byTime) this.put(key, seen);
	}

	/** Returns what to save: the newest deliveries whose runs are stored, 20 characters each. */
	dump(): string {
		const delivered = [...this.seen].filter(([, { state }]) => state === 'delivered');
		const newest = delivered.slice(-Math.floor(MOST_SAVED / ENTRY_LENGTH));
		this.loaded = newest.map(([key, { content, at }]) => key + content + timeText(at)).join('');
		return String(this.loaded);
	}

	/** Forgets everything. */
	clear(): void {
		this.seen.clear();
		this.loaded = undefined;
	}

	private put(key: string, seen: Seen): void {
		this.seen.delete(key);
		this.seen.set(key, seen);
		const [oldest] = this.seen.keys();
		if (this.seen.size > MOST_REMEMBERED && oldest !== undefined) this.seen.delete(oldest);
	}
}

function isRepeat(before: Seen, { webhookId, since, onlyOtherWebhooks }: Comparison): boolean {
	// A delivery that n8n has not stored yet is repeated however long that takes.
	if (before.state === 'failed' || (before.state === 'delivered' && before.at < since))
		return false;
	const isKnown = before.webhookId !== undefined;
	return !onlyOtherWebhooks || (isKnown && before.webhookId !== webhookId);
}

function timeText(at: number): string {
	return at.toString(36).padStart(TIME_LENGTH, '0');
}

function read(saved: unknown): Array<[key: string, content: string, at: number]> {
	if (typeof saved !== 'string') return [];
	const entries = saved.match(new RegExp(`.{${ENTRY_LENGTH}}`, 'g')) ?? [];
	const contentEnd = KEY_LENGTH + CONTENT_LENGTH;
	return entries.map((entry) => [
		entry.slice(0, KEY_LENGTH),
		entry.slice(KEY_LENGTH, contentEnd),
		parseInt(entry.slice(contentEnd), 36) || 0,
	]);
}
