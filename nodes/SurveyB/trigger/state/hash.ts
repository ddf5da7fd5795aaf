import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../shared/http/json';
import { campaignOf } from '../events';

/** What data is about: its ID, else its campaign. */
export function recordOf(data: IDataObject): string {
	return String(data.id ?? campaignOf(data) ?? data.href ?? data.campaign_name ?? '');
}

/** A short text that is the same for the same data only, in whatever order its fields come. */
export function hashOf(data: IDataObject): string {
	return createHash('sha256')
		.update(JSON.stringify(sorted(data)))
		.digest('base64')
		.slice(0, 16);
}

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (!isObject(value)) return value;
	const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return { object: entries.map(([key, inside]) => [key, sorted(inside)]) };
}
