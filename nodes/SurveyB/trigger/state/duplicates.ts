import { CONTENT_LENGTH, KEY_LENGTH } from './change';
import type { Change } from './change';

/** How many deliveries the process remembers. */
const MOST_REMEMBERED = 20_000;

/** Bytes in the workflow's static data, which n8n writes as a whole. */
const MOST_SAVED = 40_000;

/** Milliseconds since 1970 in base 36, up to the year 2059. */
const TIME_LENGTH = 8;

/** A saved delivery: the hash of its key, that of its content, and its time. */
const ENTRY_LENGTH = KEY_LENGTH + CONTENT_LENGTH + TIME_LENGTH;

/** The response to repeats of a delivery. */
interface Outcome {
	/** True if the delivery is remembered. */
	isDelivered: boolean;
	status: number;
	message: string;
}

/** The last delivery of a key. */
interface LastDelivery {
	content: string;
	at: number;
	/** The webhook that delivered it, as far as this process knows. */
	webhookId?: string;
	/** `storing` while n8n stores the run. */
	state: 'pending' | 'storing' | 'delivered' | 'failed';
	/** Absent once it is settled. */
	outcome?: Promise<Outcome>;
}

/** The first delivery of a change, or a repeat. */
type Claim =
	| {
			kind: 'first';
			handOver: () => void;
			/** Responds to repeats before the delivery is settled. */
			respondToRepeats: (outcome: Outcome) => void;
			settle: (outcome: Outcome) => void;
	  }
	/** `outcome` is absent if the first delivery is settled. */
	| { kind: 'repeat'; outcome?: Promise<Outcome> };

interface Comparison {
	webhookId: string;
	/** The time from which deliveries are compared, in ms since 1970. */
	since: number;
	/** True if equal deliveries of one webhook are changes. */
	onlyOtherWebhooks?: boolean;
}

/**
 * Detects repeated deliveries by the last content of each key: A, A is a repeat; A, B, A are three changes, even if n8n
 * could not store B.
 */
export class Duplicates {
	private readonly deliveries = new Map<string, LastDelivery>();
	private loaded: unknown;
	private storingCount = 0;

	/** The number of runs that n8n is storing. */
	get storing(): number {
		return this.storingCount;
	}

	/** Claims a delivery. Synchronous, so that of two deliveries at the same moment one is the repeat. */
	claim({ key, content }: Pick<Change, 'key' | 'content'>, comparison: Comparison): Claim {
		const before = this.deliveries.get(key);
		if (before?.content === content && isRepeat(before, comparison)) {
			return { kind: 'repeat', outcome: before.outcome };
		}
		let resolve: ((outcome: Outcome) => void) | undefined;
		const outcome = new Promise<Outcome>((end) => (resolve = end));
		// The clock of the process that took the earlier delivery may be ahead.
		const at = Math.max(Date.now(), (before?.at ?? 0) + 1);
		const { webhookId } = comparison;
		const delivery: LastDelivery = { content, at, webhookId, state: 'pending', outcome };
		this.put(key, delivery);
		const handOver = () => {
			this.storingCount++;
			delivery.state = 'storing';
		};
		const settle = (settled: Outcome) => {
			if (delivery.state === 'storing') this.storingCount--;
			delivery.state = settled.isDelivered ? 'delivered' : 'failed';
			// Storing a run may take hours, and the service repeats the delivery after that.
			delivery.at = Math.max(delivery.at, Date.now());
			resolve?.(settled);
			delivery.outcome = undefined;
		};
		const respondToRepeats = (provisional: Outcome) => {
			resolve?.(provisional);
			delivery.outcome = Promise.resolve(provisional);
		};
		return { kind: 'first', handOver, respondToRepeats, settle };
	}

	/** Merges the deliveries that this process or another one saved. They may be older than the process's own. */
	load(saved: unknown): void {
		if (saved === this.loaded) return;
		this.loaded = saved;
		const { deliveries } = this;
		const [oldest] = deliveries.values();
		const forgotten = oldest && deliveries.size >= MOST_REMEMBERED ? oldest.at : -Infinity;
		const newer = parse(saved).filter(([key, , at]) => at > (deliveries.get(key)?.at ?? forgotten));
		if (newer.length === 0) return;
		for (const [key, content, at] of newer)
			deliveries.set(key, { content, at, state: 'delivered' });
		const byTime = [...deliveries].sort(([, one], [, other]) => one.at - other.at);
		deliveries.clear();
		for (const [key, delivery] of byTime) this.put(key, delivery);
	}

	/** Returns the newest deliveries whose runs are stored, to be saved: 20 characters each. */
	dump(): string {
		const delivered = [...this.deliveries].filter(([, { state }]) => state === 'delivered');
		const newest = delivered.slice(-Math.floor(MOST_SAVED / ENTRY_LENGTH));
		this.loaded = newest.map(([key, { content, at }]) => key + content + timeText(at)).join('');
		return String(this.loaded);
	}

	clear(): void {
		this.deliveries.clear();
		this.loaded = undefined;
	}

	private put(key: string, delivery: LastDelivery): void {
		const { deliveries } = this;
		deliveries.delete(key);
		deliveries.set(key, delivery);
		const [oldest] = deliveries.keys();
		if (deliveries.size > MOST_REMEMBERED && oldest !== undefined) deliveries.delete(oldest);
	}
}

function isRepeat(
	before: LastDelivery,
	{ webhookId, since, onlyOtherWebhooks }: Comparison,
): boolean {
	if (before.state === 'failed' || (before.state === 'delivered' && before.at < since))
		return false;
	const isKnown = before.webhookId !== undefined;
	return !onlyOtherWebhooks || (isKnown && before.webhookId !== webhookId);
}

function timeText(at: number): string {
	return at.toString(36).padStart(TIME_LENGTH, '0');
}

function parse(saved: unknown): Array<[key: string, content: string, at: number]> {
	if (typeof saved !== 'string') return [];
	const entries = saved.match(new RegExp(`.{${ENTRY_LENGTH}}`, 'g')) ?? [];
	const contentEnd = KEY_LENGTH + CONTENT_LENGTH;
	return entries.map((entry) => [
		entry.slice(0, KEY_LENGTH),
		entry.slice(KEY_LENGTH, contentEnd),
		parseInt(entry.slice(contentEnd), 36) || 0,
	]);
}
