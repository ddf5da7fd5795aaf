import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { isObject } from '../shared/base/json';
import type { RecordForms, Subject } from '../shared/records';
import { campaignIdOf, eventContact, feedback, metrics, tagChange, tagRemoval } from './records';

interface EventType {
	name: string;
	description: string;
	record: RecordForms;
	/** Returns what a delivery is about, whatever revision its data is of. */
	subjectOf(data: IDataObject): Subject;
	/** True if its data comes without `href` (contract, section Events). */
	hasNoLink?: boolean;
}

/** The types of events (contract, section Events). */
const EVENT_TYPES: Record<string, EventType> = {
	'contact.unsubscribed': {
		name: 'Contact Unsubscribed',
		description: 'A contact unsubscribed from surveys',
		record: eventContact,
		subjectOf: ({ id, email }) => ({ record: id ?? email }),
	},
	'feedback.added_or_changed': {
		name: 'Feedback Added or Changed',
		description:
			'A survey was answered; again when the answer changes, such as by a later comment. Sent 15 minutes after that.',
		record: feedback,
		subjectOf: datedFeedback,
		hasNoLink: true,
	},
	'feedback.removed': {
		name: 'Feedback Removed',
		description: 'A feedback response was deleted',
		record: feedback,
		// It happens to a record once, so it needs no date.
		subjectOf: ({ id }) => ({ record: id, date: 'once' }),
	},
	'feedback.status_changed': {
		name: 'Feedback Status Changed',
		description: 'A feedback response was closed or reopened',
		record: feedback,
		subjectOf: datedFeedback,
	},
	'feedback.tags_added_or_changed': {
		name: 'Feedback Tags Added or Changed',
		description: 'A tag on a feedback response was added, updated or removed',
		record: feedback,
		subjectOf: ({ id }) => ({ record: id }),
	},
	'metric.score_changed': {
		name: 'Score Changed',
		description: 'The NPS of a campaign changed',
		record: metrics,
		subjectOf: (data) => ({ record: campaignKey(data) }),
	},
	'tag.merged': {
		name: 'Tag Merged',
		description: 'A tag was merged into another tag of a campaign in tag management',
		record: tagChange,
		subjectOf: changedTags,
	},
	'tag.removed': {
		name: 'Tag Removed',
		description: 'A tag was deleted from a campaign in tag management',
		record: tagRemoval,
		subjectOf: (data) => ({ record: [campaignKey(data), data.name] }),
	},
	'tag.renamed': {
		name: 'Tag Renamed',
		description: 'A tag was renamed in a campaign in tag management',
		record: tagChange,
		subjectOf: changedTags,
	},
};

/** Returns all dates of changes in the data: an older set of them is an older delivery, whatever came after it. */
function datedFeedback(data: IDataObject): Subject {
	const { score_changed, comment_created, comment_modified, status_changed } = data;
	// The earlier revision has this one only.
	const { comment_updated_date } = data;
	const dates = [score_changed, comment_created, comment_modified, status_changed];
	const texts = [...dates, comment_updated_date].map((date) =>
		typeof date === 'string' ? date : '',
	);
	return { record: data.id, date: texts.some(Boolean) ? texts.join() : undefined };
}

/** A change of tags and the opposite change are about the same tags. */
function changedTags(data: IDataObject): Subject {
	const tags = [data.before, data.after].map((tag) => JSON.stringify(tag)).sort();
	return { record: [campaignKey(data), ...tags] };
}

function campaignKey(data: IDataObject): unknown {
	const { id, name } = campaignOf(data);
	return id ?? name ?? data.href;
}

/** Tag events write the name as `Name`, older metrics as `campaign`; of metrics, the end of the link may be the only ID. */
export function campaignOf(data: IDataObject) {
	const { campaign, campaign_id, campaign_name = campaign } = data;
	if (isObject(campaign)) return { id: campaign.id, name: campaign.name ?? campaign.Name };
	return { id: campaign_id ?? (campaign_name && campaignIdOf(data)), name: campaign_name };
}

export const hookEvents: Array<INodePropertyOptions & { value: string }> = Object.entries(
	EVENT_TYPES,
).map(([value, { name, description }]) => ({ name, value, description }));

export function eventTypeOf(event: string): EventType | undefined {
	return Object.hasOwn(EVENT_TYPES, event) ? EVENT_TYPES[event] : undefined;
}

export function isFeedbackEvent(event: string): boolean {
	return eventTypeOf(event)?.record === feedback;
}
