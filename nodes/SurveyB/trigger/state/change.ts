import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../shared/http/json';
import { campaignOf } from '../events';

/** Characters of a remembered key: 48 bits. */
export const KEY_LENGTH = 8;

/** Characters of a remembered content, which is compared within one key only: 24 bits. */
export const CONTENT_LENGTH = 4;

/** The change that a delivery reports, as short texts of a fixed length. */
export interface Change {
	/** Names what changed. With a date in the data it names this very change, so that any equal delivery repeats it. */
	key: string;
	/** The data: the same for the same data only, in whatever order its fields come. */
	content: string;
	/** The same for the same change, whoever delivers it and however often. */
	deliveryId: string;
	/** True if no two changes of the record have equal data. */
	isDated: boolean;
}

/** Returns the change that an event's data, as delivered, reports. */
export function changeOf(event: string, data: IDataObject): Change {
	const content = sha256(JSON.stringify(sorted(data)));
	const record = `${event} ${recordOf(event, data)}`;
	const whole = sha256(`${record} ${content.toString('hex')}`);
	const isDated = bearsDate(event, data);
	return {
		key: shortened(isDated ? whole : sha256(record), KEY_LENGTH),
		content: shortened(content, CONTENT_LENGTH),
		deliveryId: whole.toString('hex').slice(0, 32),
		isDated,
	};
}

/** True if the data has the date of its change; a feedback response is removed only once. */
function bearsDate(event: string, { score_changed, status_changed }: IDataObject): boolean {
	switch (event) {
		case 'feedback.added_or_changed':
			return typeof score_changed === 'string';
		case 'feedback.status_changed':
			return typeof status_changed === 'string';
		default:
			return event === 'feedback.removed';
	}
}

/** What the data is about: its ID, or its campaign and the tags that it names, in either order. */
function recordOf(event: string, data: IDataObject): string {
	const about = data.id ?? campaignOf(data) ?? data.href ?? data.campaign_name ?? '';
	const tags = event.startsWith('tag.') ? [data.name, data.before, data.after] : [];
	return JSON.stringify([about, ...tags.map((tag) => JSON.stringify(tag) ?? '').sort()]);
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
