import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { isObject } from '../../shared/base/json';
import { lazy } from '../../shared/base/lazy';
import { npsType } from '../../shared/nps';
import { simplifiedSchema } from '../../shared/recordForms';
import type { RecordForms } from '../../shared/recordForms';
import { contactFromResponse, eventContact } from '../records/contact';
import { feedback, feedbackFromResponse, feedbackRecord } from '../records/feedback';
import { campaignIdOf, metricFromResponse, metrics } from '../records/metric';
import { tagChange, tagEventFromResponse, tagRemoval } from '../records/tag';

// The nine events (contract, section Events).

/** The webhook ID in a sample, which the node delivers to itself while the editor listens. */
export const SAMPLE_ID = 'sample';

interface EventData {
	forms: RecordForms;
	/** Returns the data in the contract's current shape. */
	normalize(data: IDataObject): IDataObject;
	schema: () => z.ZodType;
}

function about(
	forms: RecordForms,
	normalize: EventData['normalize'],
	schema: EventData['schema'] = forms.raw,
): EventData {
	return { forms, normalize, schema: lazy(schema) };
}

const aboutFeedback = about(feedback, feedbackFromResponse, () =>
	feedbackRecord().extend({ score: z.number().int().min(0).max(10) }),
);
const aboutTags = about(tagChange, tagEventFromResponse);

/** The data of each event. Data of a custom event is as the service sends it. */
export const EVENT_DATA = new Map([
	['feedback.added_or_changed', aboutFeedback],
	['feedback.tags_added_or_changed', aboutFeedback],
	['feedback.status_changed', aboutFeedback],
	['feedback.removed', aboutFeedback],
	['metric.score_changed', about(metrics, metricFromResponse)],
	['contact.unsubscribed', about(eventContact, contactFromResponse)],
	['tag.merged', aboutTags],
	['tag.removed', about(tagRemoval, tagEventFromResponse)],
	['tag.renamed', aboutTags],
]);

/** The item that the editor previews for all events: the simplified item of feedback. */
export const triggerItemRecord = () =>
	z.object({
		event: z.string(),
		deliveryId: z.string(),
		...simplifiedSchema(feedback).shape,
	});

/** The names of the outputs if each event has its own. */
export const eventLabels: Record<string, string> = {
	'contact.unsubscribed': 'Unsubscribed',
	'feedback.added_or_changed': 'Feedback',
	'feedback.removed': 'Removed',
	'feedback.status_changed': 'Status',
	'feedback.tags_added_or_changed': 'Tags',
	'metric.score_changed': 'Score',
	'tag.merged': 'Tag Merged',
	'tag.removed': 'Tag Removed',
	'tag.renamed': 'Tag Renamed',
};

export function isFeedbackEvent(event: string): boolean {
	return event.startsWith('feedback.');
}

/** Returns `promoter`, `passive` or `detractor`, by the score if the data has no score type. */
export function scoreTypeOf(data: IDataObject): string | undefined {
	if (typeof data.score_type === 'string') return data.score_type.toLowerCase();
	if (typeof data.score !== 'number') return undefined;
	return npsType(data.score);
}

/** Returns the ID of the data's campaign. */
export function eventCampaignId(data: IDataObject): string | undefined {
	const isMetric = typeof (data.campaign_name ?? data.campaign) === 'string';
	const ofMetric = isMetric ? campaignIdOf(data) : undefined;
	const id = isObject(data.campaign) ? data.campaign.id : ofMetric;
	return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined;
}

/** Returns the name of the data's campaign, which tag events write as `Name`, and older metrics as `campaign`. */
export function eventCampaignName(data: IDataObject): string | undefined {
	const { name, Name } = isObject(data.campaign) ? data.campaign : {};
	const campaignName = name ?? Name ?? data.campaign_name ?? data.campaign;
	return typeof campaignName === 'string' ? campaignName : undefined;
}
