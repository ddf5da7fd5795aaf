import type { IDataObject } from 'n8n-workflow';

import { reading } from '../../shared/base/json';
import { compareTexts } from '../../shared/base/text';
import type { ApiClient } from '../../shared/http/client';
import { get } from '../../shared/http/request';
import type { Page } from '../../shared/http/service';
import type { Hook } from '../../shared/webhooks/webhookTrigger';
import { surveyB } from '../service';
import { isFeedbackEvent } from '../events';
import { isWanted } from './eventData';
import type { Settings } from './fields';

/** The sample of a test: the newest feedback that the filters let through, or else the newest of all. */
export const sample = {
	records: 'feedback',
	isOf: isFeedbackEvent,
	async read(client: ApiClient, hook: Hook, { filters }: Settings) {
		const newest = await newestFeedback(client, filters);
		return newest && { hook: { ...hook }, data: asDelivered(hook.event, newest) };
	},
};

/**
 * Returns the newest feedback that the filters let through, or else the newest of all. The contract names no order, so
 * the first page and the last one are read; then a page of those that the service filters.
 */
async function newestFeedback(client: ApiClient, filters: Settings['filters']) {
	const first = await readPage(client);
	const last = Math.ceil((first.total ?? 0) / (first.records.length || 1));
	const others = last > 1 ? (await readPage(client, { page: last })).records : [];
	const read = [...first.records, ...others].sort(byChange);
	const isRead = last <= 2 || read.some((one) => isWanted(filters, one));
	const filtered = isRead ? [] : (await readPage(client, queryOf(filters))).records;
	const found = [...read, ...filtered.sort(byChange)];
	return found.find((one) => isWanted(filters, one)) ?? found[0];
}

async function readPage(client: ApiClient, query: IDataObject = {}): Promise<Page> {
	const page = reading((body) => surveyB.readPage(body, ''));
	return await client.send(get('/api/v2/feedback/', query), page);
}

/** Returns the filters that the service can apply, which takes one value of each. */
function queryOf({ campaignIds, scoreTypes, statuses }: Settings['filters']): IDataObject {
	const [campaign, scoreType, status] = [campaignIds, scoreTypes, statuses].map((values) =>
		values?.length === 1 ? values[0] : undefined,
	);
	const isId = /^\d+$/.test(campaign ?? '');
	return { survey__campaign: isId ? campaign : undefined, score_type: scoreType, status };
}

/** Sorts the last answered first. ISO 8601 dates sort as text. */
function byChange(one: IDataObject, other: IDataObject): number {
	const changedAt = ({ score_changed, created }: IDataObject) => String(score_changed ?? created);
	return compareTexts(changedAt(other), changedAt(one));
}

/** `feedback.added_or_changed` comes without `href` (contract, section Events). */
function asDelivered(event: string, { href, ...feedback }: IDataObject): IDataObject {
	return event === 'feedback.added_or_changed' ? feedback : { href, ...feedback };
}
