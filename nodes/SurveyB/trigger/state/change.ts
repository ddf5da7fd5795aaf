import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../shared/http/json';
import { eventCampaignId } from '../events';

/** Characters of a remembered key: 48 bits. */
export const KEY_LENGTH = 8;

/** Characters of a remembered content, which is compared within one key only: 24 bits. */
export const CONTENT_LENGTH = 4;

/** The change that a delivery reports. */
export interface Change {
	/** The hash of the record and of its date if the data has one: the last content is compared within it. */
	key: string;
	/** The hash of the data, whatever the order of its fields. */
	content: string;
	/** Equal for every delivery of one change. */
	deliveryId: string;
	/** True if the data has the date of its change, so that an equal one is a repeat however late it comes. */
	isDated: boolean;
}

export function changeOf(event: string, data: IDataObject): Change {
	const content = sha256(JSON.stringify(sorted(data)));
	const record = `${event} ${recordOf(event, data)}`;
	const whole = sha256(`${record} ${content.toString('hex')}`);
	const date = event === 'feedback.removed' ? content.toString('hex') : dateOf(event, data);
	return {
		key: shortened(sha256(date === undefined ? record : `${record} ${date}`), KEY_LENGTH),
		content: shortened(content, CONTENT_LENGTH),
		deliveryId: whole.toString('hex').slice(0, 32),
		isDated: date !== undefined,
	};
}

/** Returns the date of a change. A removal has none and needs none: it happens once, so its content stands for it. */
function dateOf(event: string, { score_changed, status_changed }: IDataObject): string | undefined {
	const changedAt: Record<string, unknown> = {
		'feedback.added_or_changed': score_changed,
		'feedback.status_changed': status_changed,
	};
	const date = changedAt[event];
	return typeof date === 'string' ? date : undefined;
}

/** Returns the ID in the data, or its campaign and its tags in sorted order. */
function recordOf(event: string, data: IDataObject): string {
	const id = data.id ?? eventCampaignId(data) ?? data.href ?? data.campaign_name ?? '';
	const tags = event.startsWith('tag.') ? [data.name, data.before, data.after] : [];
	return JSON.stringify([id, ...tags.map((tag) => JSON.stringify(tag) ?? '').sort()]);
}

function shortened(hash: Buffer, length: number): string {
	return hash.toString('base64').slice(0, length);
}

function sha256(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (!isObject(value)) return value;
	const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return { object: entries.map(([key, inside]) => [key, sorted(inside)]) };
}
