import type { IDataObject } from 'n8n-workflow';

import { isFeedbackEvent, issuesOf } from '../events';
import type { TriggerItem } from '../events';
import { AnswerColumns, inForm } from '../../../shared/recordForms';
import { feedback } from '../../records/feedback';
import { metrics } from '../../records/metric';
import { withoutToken } from '../webhookTarget';
import { normalize } from './normalize';
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
export function itemOf({ hook, data }: Delivery, about: About): TriggerItem {
	const { event, id, target } = hook;
	const { revision, data: normalized } = normalize(event, data);
	const issues = about.isRemoved ? [] : issuesOf(event, normalized);
	return {
		event,
		data,
		deliveryId: about.deliveryId,
		receivedAt: new Date().toISOString(),
		revision,
		hook: { id, event, target: withoutToken(target) },
		...(issues.length > 0 && { issues }),
		...(about.isRemoved && { removed: true }),
		...(about.isSample && { sample: true }),
	};
}

/** Returns the item in flat fields: the simplified record, with the event and the delivery's ID in front. */
export function simplifiedItem(item: TriggerItem, answersAsColumns: boolean): IDataObject {
	const { event, deliveryId, issues, removed, sample } = item;
	return {
		event,
		deliveryId,
		...(removed ? item.data : flat(event, normalize(event, item.data).data, answersAsColumns)),
		...(issues && { issues }),
		...(removed && { removed }),
		...(sample && { sample }),
	};
}

function flat(event: string, data: IDataObject, answersAsColumns: boolean): IDataObject {
	if (isFeedbackEvent(event)) {
		return inForm(feedback, data, { answersAsColumns }, new AnswerColumns());
	}
	if (event === 'metric.score_changed') return inForm(metrics, data, {}, new AnswerColumns());
	if (!event.startsWith('tag.')) return data;
	const { campaign, ...names } = data;
	const { id, name } = Object(campaign);
	return { campaign_id: id, campaign_name: name, ...names };
}
