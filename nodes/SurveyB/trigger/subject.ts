import type { IDataObject } from 'n8n-workflow';

import type { Subject } from '../../shared/webhooks/webhookTrigger';
import { eventCampaignId, eventCampaignName } from './eventData';

/** Returns what a delivery is about: the ID in the data, or what else names its record; and its tags in sorted order. */
export function subjectOf(event: string, data: IDataObject): Subject {
	const campaign = eventCampaignId(data) ?? data.href ?? eventCampaignName(data);
	const id = data.id ?? data.email ?? campaign;
	const tags = event.startsWith('tag.') ? [data.name, data.before, data.after] : [];
	return {
		record: [id, ...tags.map((tag) => JSON.stringify(tag)).sort()],
		date: dateOf(event, data),
		isOnce: event === 'feedback.removed',
	};
}

/** Returns the date of a change if the data has it. */
function dateOf(event: string, { score_changed, status_changed }: IDataObject): string | undefined {
	const changedAt: Record<string, unknown> = {
		'feedback.added_or_changed': score_changed,
		'feedback.status_changed': status_changed,
	};
	const date = changedAt[event];
	return typeof date === 'string' ? date : undefined;
}
