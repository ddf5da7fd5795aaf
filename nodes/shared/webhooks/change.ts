import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../base/json';
import { compareTexts } from '../base/text';
import type { Subject } from './webhookTrigger';

/** The change that a delivery reports. */
export interface Change {
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

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (!isObject(value)) return value;
	const entries = Object.entries(value).sort(([a], [b]) => compareTexts(a, b));
	return { object: entries.map(([key, inside]) => [key, sorted(inside)]) };
}
