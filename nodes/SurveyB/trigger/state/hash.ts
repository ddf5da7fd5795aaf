import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../shared/http/json';
import { campaignOf } from '../events';

/**
 * Characters of a hash that is remembered: 48 bits. A change is taken for a repeat by mistake only where
 * both its record's and its content's are those of a remembered one.
 */
export const HASH_LENGTH = 8;

/** A change that a delivery tells of, as short texts of a fixed length. */
export interface Change {
	/** What changed: the same for every change of one event's record. */
	record: string;
	/** Its data: the same for the same data only, in whatever order its fields come. */
	content: string;
	/** The same for the same change, whoever delivers it and however often. */
	deliveryId: string;
}

/** Tells what change an event's data is. */
export function changeOf(event: string, data: IDataObject): Change {
	const content = sha256(JSON.stringify(sorted(data)));
	const key = `${event} ${recordOf(data)}`;
	const deliveryId = sha256(`${key} ${content.toString('hex')}`)
		.toString('hex')
		.slice(0, 32);
	return { record: recordHash(key), content: shortened(content), deliveryId };
}

/** @param key the event, a space, and what the data is about */
export function recordHash(key: string): string {
	return shortened(sha256(key));
}

/** What data is about: its ID, else its campaign. */
function recordOf(data: IDataObject): string {
	const about = data.id ?? campaignOf(data) ?? data.href ?? data.campaign_name ?? '';
	return typeof about === 'object' ? JSON.stringify(about) : String(about);
}

function shortened(hash: Buffer): string {
	return hash.toString('base64').slice(0, HASH_LENGTH);
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
