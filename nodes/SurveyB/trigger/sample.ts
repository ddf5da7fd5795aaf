import type { IDataObject } from 'n8n-workflow';

import { reading } from '../../shared/base/json';
import { compareTexts } from '../../shared/base/text';
import type { ApiClient } from '../../shared/http/client';
import { get } from '../../shared/http/request';
import type { Page } from '../../shared/http/service';
import type { Hook } from '../../shared/webhooks/webhookTrigger';
import { surveyB } from '../service';
import { eventTypeOf, isFeedbackEvent } from '../events';
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
 * the first page and the last one are read.
 */
async function newestFeedback(client: ApiClient, filters: Settings['filters']) {
	const first = await readPage(client);
	const last = Math.ceil((first.total ?? 0) / (first.records.length || 1));
	const others = last > 1 ? (await readPage(client, { page: last })).records : [];
	const read = [...first.records, ...others].sort(byChange);
	return read.find((one) => isWanted(filters, one)) ?? read[0];
}

async function readPage(client: ApiClient, query: IDataObject = {}): Promise<Page> {
	const page = reading((body) => surveyB.readPage(body, ''));
	return await client.send(get('/api/v2/feedback/', query), page);
}

/** Sorts the last answered first. ISO 8601 dates sort as text. */
function byChange(one: IDataObject, other: IDataObject): number {
	const changedAt = ({ score_changed, created }: IDataObject) => String(score_changed ?? created);
	return compareTexts(changedAt(other), changedAt(one));
}

function asDelivered(event: string, { href, ...feedback }: IDataObject): IDataObject {
	return eventTypeOf(event)?.hasNoLink ? feedback : { href, ...feedback };
}
