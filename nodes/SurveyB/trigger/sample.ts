import type { IDataObject } from 'n8n-workflow';

import { compareTexts } from '../../shared/base/text';
import type { ApiClient } from '../../shared/http/client';
import { get } from '../../shared/http/request';
import type { Page } from '../../shared/http/service';
import type { Hook } from '../../shared/webhooks/webhookTrigger';
import { surveyB } from '../service';
import { eventTypeOf, isFeedbackEvent } from '../events';
import { isWanted } from './items';
import type { Settings } from './fields';

/** The sample of a test: the newest feedback that the filters let through, or else the newest of all. */
export const sample = {
	isOf: isFeedbackEvent,
	async read(client: ApiClient, hook: Hook, { filters }: Settings) {
		const newest = await newestFeedback(client, filters);
		if (!newest) return undefined;
		const data = eventTypeOf(hook.event)?.hasNoLink ? { ...newest, href: undefined } : newest;
		return { hook: { ...hook }, data };
	},
};

/** The contract names no order, so the first page and the last one are read. */
async function newestFeedback(client: ApiClient, filters: Settings['filters']) {
	const first = await readPage(client);
	const last = Math.ceil((first.total ?? 0) / (first.records.length || 1));
	const others = last > 1 ? (await readPage(client, { page: last })).records : [];
	const newestFirst = [...first.records, ...others].sort((a, b) =>
		compareTexts(changedAt(b), changedAt(a)),
	);
	return newestFirst.find((record) => isWanted(filters, record)) ?? newestFirst[0];
}

async function readPage(client: ApiClient, query: IDataObject = {}): Promise<Page> {
	return await client.send(get('/api/v2/feedback/', query), (body) => surveyB.readPage(body, ''));
}

/** ISO 8601 dates sort as text. */
function changedAt({ score_changed, created }: IDataObject): string {
	return String(score_changed ?? created);
}
