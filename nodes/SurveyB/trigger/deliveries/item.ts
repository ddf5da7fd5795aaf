import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../shared/http/json';
import { AnswerColumns, inForm } from '../../../shared/recordForms';
import type { RecordForms } from '../../../shared/recordForms';
import { feedbackContactRecord } from '../../records/contact';
import { feedback } from '../../records/feedback';
import { metrics } from '../../records/metric';
import { isFeedbackEvent, issuesOf } from '../events';
import type { TriggerItem } from '../events';
import { withoutToken } from '../webhookTarget';
import type { Normalized } from './normalize';
import type { Delivery } from './verify';

/** What is known of a delivery beside its data. */
interface About {
	deliveryId: string;
	/** True if the node delivered it to itself, for the editor. */
	isSample: boolean;
	/** True if the feedback no longer existed when the service was asked to confirm it. */
	isRemoved: boolean;
}

/**
 * Returns the item of a delivery, its data named as in the contract. A payload that breaks its schema comes out too,
 * with `issues`.
 */
export function itemOf(
	{ hook, data }: Delivery,
	normalized: Normalized,
	about: About,
): TriggerItem {
	const { event, id, target } = hook;
	const issues = about.isRemoved ? [] : issuesOf(event, normalized.data);
	return {
		event,
		data,
		deliveryId: about.deliveryId,
		receivedAt: new Date().toISOString(),
		revision: normalized.revision,
		hook: { id, event, target: withoutToken(target) },
		...(issues.length > 0 && { issues }),
		...(about.isRemoved && { removed: true }),
		...(about.isSample && { sample: true }),
	};
}

/** Fields of every flat item, which no field of the data may replace. */
const RESERVED = ['event', 'deliveryId', 'issues', 'removed', 'sample'];

/** Returns the item in flat fields: the event and the delivery's ID, then the simplified record. */
export function simplifiedItem(
	{ event, data, deliveryId, issues, removed, sample }: TriggerItem,
	normalized: Normalized,
	answersAsColumns: boolean,
): IDataObject {
	const fields = removed ? data : flat(event, normalized.data, answersAsColumns);
	const renamed = Object.entries(fields).map(([name, value]) => [
		RESERVED.includes(name) ? `${name} (data)` : name,
		value,
	]);
	return {
		event,
		deliveryId,
		...Object.fromEntries(renamed),
		...(issues && { issues }),
		...(removed && { removed }),
		...(sample && { sample }),
	};
}

/** A contact has few fields, so it stays whole. */
const contact: RecordForms = {
	raw: feedbackContactRecord,
	simplified: {},
	answers: ({ attributes }) => Object.entries(isObject(attributes) ? attributes : {}),
	answerFields: ['attributes'],
};

function flat(event: string, data: IDataObject, answersAsColumns: boolean): IDataObject {
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
