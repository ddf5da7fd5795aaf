import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../shared/base/json';
import { AnswerColumns, inForm } from '../../../shared/recordForms';
import type { RecordForms } from '../../../shared/recordForms';
import { flatItem } from '../../../shared/triggers';
import { feedbackContactRecord } from '../../records/contact';
import { feedback } from '../../records/feedback';
import { metrics } from '../../records/metric';
import { isFeedbackEvent, issuesOf } from '../events';
import type { TriggerItem } from '../events';
import { withoutToken } from '../token';
import type { Normalized } from './normalize';
import type { Delivery } from './verify';

interface ItemContext {
	deliveryId: string;
	isSample: boolean;
}

/** Returns the item of a delivery. A payload that breaks its schema has `issues`. */
export function itemOf(
	{ hook, data }: Delivery,
	normalized: Normalized,
	{ deliveryId, isSample }: ItemContext,
): TriggerItem {
	const { event, id, target } = hook;
	const issues = issuesOf(event, normalized.data);
	return {
		event,
		data,
		deliveryId,
		receivedAt: new Date().toISOString(),
		revision: normalized.revision,
		hook: { id, event, target: withoutToken(target) },
		...(issues.length > 0 && { issues }),
		...(isSample && { sample: true }),
	};
}

/** Returns the simplified item: the event, the delivery ID, then the fields of the simplified record. */
export function simplifiedItem(
	{ event, deliveryId, issues, sample }: TriggerItem,
	normalized: Normalized,
	answersAsColumns: boolean,
): IDataObject {
	const fields = simplifiedData(event, normalized.data, answersAsColumns);
	return flatItem({ event, deliveryId, issues, sample }, fields);
}

/** A contact is not simplified, because it has few fields. */
const contact: RecordForms = {
	raw: feedbackContactRecord,
	simplified: {},
	answers: ({ attributes }) => Object.entries(isObject(attributes) ? attributes : {}),
	answerFields: ['attributes'],
};

function simplifiedData(event: string, data: IDataObject, answersAsColumns: boolean): IDataObject {
	const columns = new AnswerColumns();
	if (isFeedbackEvent(event)) return inForm(feedback, data, { answersAsColumns }, columns);
	if (event === 'metric.score_changed') return inForm(metrics, data, {}, columns);
	if (event === 'contact.unsubscribed') {
		return inForm(contact, data, { simplify: false, answersAsColumns }, columns);
	}
	const { campaign, ...names } = data;
	if (!event.startsWith('tag.') || !isObject(campaign)) return data;
	return { campaign_id: campaign.id ?? null, campaign_name: campaign.name ?? null, ...names };
}
