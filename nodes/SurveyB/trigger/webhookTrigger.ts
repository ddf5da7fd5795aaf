import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { lazy } from '../../shared/base/cache';
import { isObject } from '../../shared/base/json';
import { path, post, remove } from '../../shared/http/request';
import type { WebhookTrigger } from '../../shared/webhooks/webhookTrigger';
import { eventTypeOf } from '../events';
import { surveyB } from '../service';
import { readSettings } from './fields';
import type { Settings } from './fields';
import { deliveryItem } from './items';
import { sample } from './sample';

const deliveryRecord = lazy(() =>
	z.object({
		hook: z.object({
			id: z.union([z.number(), z.string()]),
			event: z.string(),
			target: z.string(),
		}),
		data: z.custom<IDataObject>(isObject),
	}),
);

/** The webhooks of Survey B (contract, sections Webhooks and Events). */
export const trigger: WebhookTrigger<Settings> = {
	service: surveyB,
	read: readSettings,
	create: (event, target) => post('notIdempotent', '/api/v2/hooks', { event, target }),
	// The contract does not show it: the path is assumed.
	remove: (id) => remove(path`/api/v2/hooks/${id}`),
	lookAt: 'the webhook settings of Survey B',
	body: '{hook: {id, event, target}, data: {…}}',
	readBody: (body: IDataObject) => deliveryRecord().safeParse(body).data,
	subjectOf: (event, data) => eventTypeOf(event)?.subjectOf(data) ?? { record: data.id },
	links: ['href', 'followup_href'],
	itemOf: deliveryItem,
	sample,
};
