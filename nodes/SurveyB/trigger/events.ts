import { z } from 'zod/v4';

import { simplifiedSchema } from '../../shared/records';
import type { RecordForms } from '../../shared/records';
import { eventContact } from '../records/contact';
import { feedback } from '../records/feedback';
import { metrics } from '../records/metric';
import { tagChange, tagRemoval } from '../records/tag';

// The nine events (contract, section Events).

interface EventType {
	/** The name of the event's output if each event has its own. */
	label: string;
	forms: RecordForms;
}

function of(label: string, forms: RecordForms): EventType {
	return { label, forms };
}

/** The events that can be chosen. Data of a custom event is as the service sends it. */
export const EVENT_TYPES = new Map([
	['feedback.added_or_changed', of('Feedback', feedback)],
	['feedback.tags_added_or_changed', of('Tags', feedback)],
	['feedback.status_changed', of('Status', feedback)],
	['feedback.removed', of('Removed', feedback)],
	['metric.score_changed', of('Score', metrics)],
	['contact.unsubscribed', of('Unsubscribed', eventContact)],
	['tag.merged', of('Tag Merged', tagChange)],
	['tag.removed', of('Tag Removed', tagRemoval)],
	['tag.renamed', of('Tag Renamed', tagChange)],
]);

export const eventLabels = Object.fromEntries(
	[...EVENT_TYPES].map(([event, { label }]) => [event, label]),
);

/** The item that the editor previews for all events: the simplified item of feedback. */
export const triggerItemRecord = () =>
	z.object({
		event: z.string(),
		deliveryId: z.string(),
		...simplifiedSchema(feedback).shape,
	});

export function isFeedbackEvent(event: string): boolean {
	return event.startsWith('feedback.');
}
