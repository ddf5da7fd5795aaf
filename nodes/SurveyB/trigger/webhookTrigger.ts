import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/base/json';
import { compareTexts } from '../../shared/base/text';
import type { ApiClient } from '../../shared/http/client';
import { get, path, post, remove } from '../../shared/http/request';
import type { Page } from '../../shared/http/service';
import type { WebhookTrigger } from '../../shared/webhooks/webhookTrigger';
import { eventTypeOf, isFeedbackEvent } from '../events';
import { surveyB } from '../service';
import { readSettings } from './fields';
import type { Settings } from './fields';
import { deliveryItem, isWanted } from './items';

/** The webhooks of Survey B (contract, sections Webhooks and Events). */
export const trigger: WebhookTrigger<Settings> = {
	service: surveyB,
	read: readSettings,
	create: (event, target) => post('notIdempotent', '/api/v2/hooks', { event, target }),
	// The contract does not show it: the path is assumed.
	remove: (id) => remove(path`/api/v2/hooks/${id}`),
	lookAt: 'the webhook settings of Survey B',
	body: '{hook: {id, event, target}, data: {…}}',
	readDelivery({ hook, data }) {
		const { id, event, target } = isObject(hook) ? hook : {};
		const isHook = typeof event === 'string' && typeof target === 'string';
		const hasId = typeof id === 'number' || typeof id === 'string';
		return isHook && hasId && isObject(data) ? { hook: { id, event, target }, data } : undefined;
	},
	subjectOf: (event, data) => eventTypeOf(event)?.subjectOf(data) ?? { record: data.id },
	links: ['href', 'followup_href'],
	itemOf: deliveryItem,
	/** The newest feedback that the filters let through, or else the newest of all. */
	sample: {
		isOf: isFeedbackEvent,
		async read(client, hook, { filters }) {
			const newest = await newestFeedback(client, filters);
			if (!newest) return undefined;
			const data = eventTypeOf(hook.event)?.hasNoLink ? { ...newest, href: undefined } : newest;
			return { hook: { ...hook }, data };
		},
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
