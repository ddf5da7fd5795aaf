import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/base/json';
import { compareTexts } from '../../shared/base/text';
import { eventCampaignId, eventCampaignName } from './eventData';

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

/** @param key the node's key in the memory */
export function changeOf(key: string, event: string, data: IDataObject): Change {
	// promise: no-duplicates-comment
	const content = sha256(JSON.stringify(sorted(data)));
	const record = `${event} ${recordOf(event, data)}`;
	// A removal has no date and needs none: it happens once, so its content stands for it.
	const date = event === 'feedback.removed' ? content : dateOf(event, data);
	return {
		subject: sha256(`${key} ${record} ${date}`).slice(0, 12),
		content: content.slice(0, 8),
		deliveryId: sha256(`${record} ${content}`).slice(0, 32),
		isDated: date !== undefined,
	};
}

/** Returns the date of a change if the data has it. */
function dateOf(event: string, { score_changed, status_changed }: IDataObject): string | undefined {
	const changedAt: Record<string, unknown> = {
		'feedback.added_or_changed': score_changed,
		'feedback.status_changed': status_changed,
	};
	const date = changedAt[event];
	return typeof date === 'string' ? date : undefined;
}

/** Returns the ID in the data, or what else names its record; and its tags in sorted order. */
function recordOf(event: string, data: IDataObject): string {
	const campaign = eventCampaignId(data) ?? data.href ?? eventCampaignName(data);
	const id = data.id ?? data.email ?? campaign;
	const tags = event.startsWith('tag.') ? [data.name, data.before, data.after] : [];
	return JSON.stringify([id, ...tags.map((tag) => JSON.stringify(tag)).sort()]);
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
