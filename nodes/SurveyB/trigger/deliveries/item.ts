import type { IDataObject } from 'n8n-workflow';

import { issuesOf } from '../events';
import type { TriggerItem } from '../events';
import type { Delivery } from './verify';
import { normalize } from './normalize';

/** Makes the item of a delivery. A payload that breaks its schema comes out too, with `issues`. */
export function itemOf({ hook, data: delivered }: Delivery): TriggerItem {
	const { event, id, target } = hook;
	const { revision, data } = normalize(event, delivered);
	const receivedAt = new Date().toISOString();
	const item = { event, revision, hook: { id, event, target: withoutToken(target) }, receivedAt };
	return withIssues({ ...item, data });
}

/** The item with the data that the service answered when it was asked to confirm the event. */
export function confirmed(item: TriggerItem, feedback: IDataObject): TriggerItem {
	const { event, revision, hook, receivedAt } = item;
	const { data } = normalize(event, feedback);
	return withIssues({ event, revision, hook, receivedAt, data });
}

/** The item of a feedback that the service does not have any more: nothing but its ID is sure. */
export function removedMeanwhile(item: TriggerItem): TriggerItem {
	const { event, revision, hook, receivedAt, data } = item;
	return { event, revision, hook, receivedAt, removed: true, data: { id: data.id } };
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
