import type { INodePropertyOptions } from 'n8n-workflow';

import type { RecordForms } from '../shared/records';
import { eventContact } from './records/contact';
import { feedback } from './records/feedback';
import { metrics } from './records/metric';
import { tagChange, tagRemoval } from './records/tag';

interface EventType {
	name: string;
	value: string;
	description: string;
	record: RecordForms;
	/** True if the data has the date of the change, so that an equal delivery is a repeat however late it comes. */
	isDated?: boolean;
	/** True if it happens to a record once, so that it needs no date. */
	isOnce?: boolean;
}

/** The nine events (contract, section Events). */
const EVENT_TYPES: EventType[] = [
	{
		name: 'Contact Unsubscribed',
		value: 'contact.unsubscribed',
		description: 'A contact unsubscribed from surveys',
		record: eventContact,
	},
	{
		name: 'Feedback Added or Changed',
		value: 'feedback.added_or_changed',
		description:
			'A survey was answered; again when the answer changes, such as by a later comment. Sent 15 minutes after that.',
		record: feedback,
		isDated: true,
	},
	{
		name: 'Feedback Removed',
		value: 'feedback.removed',
		description: 'A feedback response was deleted',
		record: feedback,
		isOnce: true,
	},
	{
		name: 'Feedback Status Changed',
		value: 'feedback.status_changed',
		description: 'A feedback response was closed or reopened',
		record: feedback,
		isDated: true,
	},
	{
		name: 'Feedback Tags Added or Changed',
		value: 'feedback.tags_added_or_changed',
		description: 'A tag on a feedback response was added, updated or removed',
		record: feedback,
	},
	{
		name: 'Score Changed',
		value: 'metric.score_changed',
		description: 'The NPS of a campaign changed',
		record: metrics,
	},
	{
		name: 'Tag Merged',
		value: 'tag.merged',
		description: 'A tag was merged into another tag of a campaign in tag management',
		record: tagChange,
	},
	{
		name: 'Tag Removed',
		value: 'tag.removed',
		description: 'A tag was deleted from a campaign in tag management',
		record: tagRemoval,
	},
	{
		name: 'Tag Renamed',
		value: 'tag.renamed',
		description: 'A tag was renamed in a campaign in tag management',
		record: tagChange,
	},
];

/** The events to choose from in the editor. */
export const hookEvents: Array<INodePropertyOptions & { value: string }> = EVENT_TYPES.map(
	({ name, value, description }) => ({ name, value, description }),
);

/** Returns the type of an event; undefined for one that the contract does not have. */
export function eventTypeOf(event: string): EventType | undefined {
	return EVENT_TYPES.find(({ value }) => value === event);
}

export function isFeedbackEvent(event: string): boolean {
	return eventTypeOf(event)?.record === feedback;
}
