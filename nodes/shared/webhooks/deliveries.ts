import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { Cache } from '../base/cache';
import { isObject } from '../base/json';
import { compareTexts } from '../base/text';
import type { Subject } from './webhookTrigger';

/** Deliveries of a workflow that are remembered. */
// promise: memory-size
// docs/deliveries.md: 1,000 deliveries
const MOST_DELIVERIES = 1000;

/**
 * How long an equal delivery without a date counts as a repeat, in ms. A contact who unsubscribes, returns and
 * unsubscribes again sends equal data.
 */
const UNDATED_LIFETIME = 60 * 60 * 1000;

/** The change that a delivery reports. */
interface Change {
	/**
	 * The hash of the node, the event, the record, and the date of the change if the data has one: the last content is
	 * compared within it.
	 */
	subject: string;
	/** The hash of the data, whatever the order of its fields. */
	content: string;
	/** Equal for every delivery of one change. */
	deliveryId: string;
	/** True if the data has the date of its change, so that an equal one is a repeat however late it comes. */
	isDated: boolean;
}

/**
 * Returns the change that a delivery reports.
 *
 * @param key the node's key in the memory
 */
export function changeOf(key: string, event: string, data: IDataObject, about: Subject): Change {
	// promise: no-duplicates-comment
	const content = sha256(JSON.stringify(sorted(data)));
	const record = `${event} ${JSON.stringify(about.record)}`;
	return {
		subject: sha256(`${key} ${record} ${about.date}`),
		content,
		deliveryId: sha256(`${record} ${content}`).slice(0, 32),
		isDated: about.date !== undefined,
	};
}

function sha256(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}

/** Returns a value in a form whose JSON does not depend on the order of fields. */
function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (!isObject(value)) return value;
	const entries = Object.entries(value).sort(([a], [b]) => compareTexts(a, b));
	return { object: entries.map(([key, inside]) => [key, sorted(inside)]) };
}

interface Remembered {
	/** Empty after a delivery that started no run, so that the next one is a change. */
	content: string;
	/** By `performance.now()`, which nobody sets back. */
	at: number;
	/** Resolves when n8n has stored the run, or has failed to; absent once it is stored. */
	storing?: Promise<boolean>;
}

/** Ends the claim of a delivery. If its run is stored, the delivery is remembered. If not, its repeat starts the run. */
type EndClaim = (isStored: boolean) => void;

/** The recent deliveries of a workflow to this process, by which repeats are found. */
export class Deliveries {
	private readonly bySubject = new Cache<Remembered>(MOST_DELIVERIES);
	private publishedAt = 0;

	/**
	 * Claims a delivery, unless it repeats the last one of its subject: A, A is a repeat; A, B, A are three changes. Waits
	 * for the outcome of an equal delivery that n8n is storing. Synchronous until then, so that of two equal deliveries at
	 * the same moment one is the repeat.
	 *
	 * @param isOnly false if other processes take deliveries of the workflow, too: one of them may have had the B of A, B, A
	 * @returns undefined for a repeat of a delivery whose run is stored
	 */
	async claim(change: Change, isOnly: boolean): Promise<EndClaim | undefined> {
		for (;;) {
			const last = this.bySubject.get(change.subject);
			if (last?.content !== change.content) return this.begin(change);
			const isRepeat = change.isDated || last.storing || (isOnly && this.isRecent(last));
			if (!isRepeat) return this.begin(change);
			if (!last.storing || (await last.storing)) return undefined;
		}
	}

	/** Notes that a node is unpublished, or published again: what happens until then is not delivered. */
	forgetUndated(): void {
		this.publishedAt = performance.now();
	}

	private isRecent({ at }: Remembered): boolean {
		return at >= this.publishedAt && performance.now() - at < UNDATED_LIFETIME;
	}

	/** Notes that a filter holds a delivery back: after it, the content of the last run is a change again. */
	holdBack({ subject, content }: Change): void {
		const last = this.bySubject.get(subject);
		if (last && last.content !== content) this.remember(subject, { content: '' });
	}

	private begin({ subject, content }: Change): EndClaim {
		let resolve: EndClaim = () => {};
		const storing = new Promise<boolean>((end) => (resolve = end));
		const claimed = this.remember(subject, { content, storing });
		return (isStored) => {
			const isLast = this.bySubject.get(subject) === claimed;
			// n8n may store a run hours later, and the service repeats the delivery after that.
			if (isLast) this.remember(subject, { content: isStored ? content : '' });
			resolve(isStored);
		};
	}

	private remember(subject: string, delivery: Omit<Remembered, 'at'>): Remembered {
		const remembered = { ...delivery, at: performance.now() };
		this.bySubject.set(subject, remembered);
		return remembered;
	}
}
