import type { IDataObject } from 'n8n-workflow';

import { issuesOf } from '../events';
import type { TriggerItem } from '../events';
import { normalize } from './normalize';
import type { Delivery } from './verify';

/**
 * Makes the item of a delivery. A payload that breaks its schema comes out too, with `issues`.
 *
 * @param deliveryId the same for the same change
 * @param isSample whether the node delivered it to itself, for the editor
 */
export function itemOf(
	{ hook, data: delivered }: Delivery,
	deliveryId: string,
	isSample = false,
): TriggerItem {
	const { event, id, target } = hook;
	const { revision, data } = normalize(event, delivered);
	return withIssues({
		event,
		data,
		deliveryId,
		receivedAt: new Date().toISOString(),
		revision,
		hook: { id, event, target: withoutToken(target) },
		...(isSample && { sample: true }),
	});
}

/** The item with the data that the service answered when it was asked to confirm the event. */
export function confirmed(item: TriggerItem, feedback: IDataObject): TriggerItem {
	const { event, deliveryId, receivedAt, revision, hook } = item;
	const { data } = normalize(event, feedback);
	return withIssues({ event, data, deliveryId, receivedAt, revision, hook });
}

/** The item of a feedback that the service does not have any more: nothing but its ID is sure. */
export function removedMeanwhile(item: TriggerItem): TriggerItem {
	const { event, data, deliveryId, receivedAt, revision, hook } = item;
	return {
		event,
		data: { id: data.id },
		deliveryId,
		receivedAt,
		revision,
		hook,
		removed: true,
	};
}

function withIssues(item: TriggerItem): TriggerItem {
	const issues = issuesOf(item);
	return issues.length === 0 ? item : { ...item, issues };
}

/** The token would let whoever reads the item call the workflow. */
function withoutToken(target: string): string {
	if (!URL.canParse(target)) return target.split('?')[0] ?? '';
	const url = new URL(target);
	url.searchParams.delete('token');
	return url.href;
}
