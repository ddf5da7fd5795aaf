import type { IDataObject } from 'n8n-workflow';

import { isFeedbackEvent, issuesOf } from '../events';
import type { TriggerItem } from '../events';
import { simplifyContact } from '../../records/contact';
import { simplifyFeedback } from '../../records/feedback';
import { simplifyMetrics } from '../../records/metric';
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
export function simplifiedItem(item: TriggerItem): IDataObject {
	const { event, deliveryId, issues, removed, sample } = item;
	return {
		event,
		deliveryId,
		...(removed ? item.data : simplified(event, normalize(event, item.data).data)),
		...(issues && { issues }),
		...(removed && { removed }),
		...(sample && { sample }),
	};
}

function simplified(event: string, data: IDataObject): IDataObject {
	if (isFeedbackEvent(event)) return simplifyFeedback(data);
	if (event === 'metric.score_changed') return simplifyMetrics(data);
	if (event === 'contact.unsubscribed') {
		const { id, email, first_name, last_name, attributes } = simplifyContact(data);
		return { id, email, first_name, last_name, attributes };
	}
	if (!event.startsWith('tag.')) return data;
	const { campaign, ...names } = data;
	const { id, name } = Object(campaign);
	return { campaign_id: id, campaign_name: name, ...names };
}
