import type { IDataObject } from 'n8n-workflow';

import { Cache } from '../base/cache';
import { sha256 } from '../base/hash';
import { isObject } from '../base/json';
import { compareTexts } from '../base/text';
import type { Subject } from '../records';

/** Deliveries to a webhook URL that are remembered. */
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
	/** The hash of the event, the record, and the dates in the data: the last content is compared within it. */
	subject: string;
	/** The hash of the data. */
	content: string;
	/** Equal for every delivery of one change. */
	deliveryId: string;
	/** True if the data has the date of its change, so that an equal one is a repeat however late it comes. */
	isDated: boolean;
}

/** Hashes a delivery, whatever the order of its fields. @param links the names of fields that do not count */
export function changeOf(
	event: string,
	data: IDataObject,
	about: Subject,
	links: string[] = [],
): Change {
	const withoutLinks = (_: string, value: unknown) => {
		if (!isObject(value)) return value;
		const fields = Object.entries(value).filter(([name]) => !links.includes(name));
		return Object.fromEntries(fields.sort(([a], [b]) => compareTexts(a, b)));
	};
	const textOf = (value: unknown) => JSON.stringify(value, withoutLinks);
	// promise: no-duplicates-comment
	const content = sha256(textOf(data));
	const record = `${event} ${textOf(about.record)}`;
	return {
		subject: sha256(`${record} ${about.date}`),
		content,
		deliveryId: sha256(`${record} ${content}`).slice(0, 32),
		isDated: about.date !== undefined,
	};
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

/** The recent deliveries of a webhook URL to this process, by which repeats are found. */
export class Deliveries {
	private readonly bySubject = new Cache<Remembered>(MOST_DELIVERIES);
	/** When the node was last unpublished, which n8n also does before an edit: what happens until it is back is not delivered. */
	unpublishedAt = 0;

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
			const isRecent =
				last.at >= this.unpublishedAt && performance.now() - last.at < UNDATED_LIFETIME;
			const isRepeat = change.isDated || last.storing || (isOnly && isRecent);
			if (!isRepeat) return this.begin(change);
			if (!last.storing || (await last.storing)) return undefined;
		}
	}

	private begin({ subject, content }: Change): EndClaim {
		let resolve: EndClaim = () => {};
		const storing = new Promise<boolean>((done) => (resolve = done));
		const claimed: Remembered = { content, at: performance.now(), storing };
		this.bySubject.set(subject, claimed);
		return (isStored) => {
			// n8n may store a run hours later, and the service repeats the delivery after that.
			claimed.at = performance.now();
			claimed.storing = undefined;
			if (!isStored) claimed.content = '';
			resolve(isStored);
		};
	}
}
