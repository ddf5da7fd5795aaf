import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { isObject, wholeNumber } from '../../shared/http/json';
import { feedbackContactRecord } from './contact';
import { surveyRecord } from './survey';
import { campaignRecord } from './campaign';
import { tagRecord } from './tag';
import { number, text } from './scalars';

/** Contract: Feedback. */
export const feedbackRecord = () =>
	z.looseObject({
		id: z.number(),
		href: text(),
		followup_href: text(),
		contact: feedbackContactRecord().nullish(),
		campaign: campaignRecord().nullish(),
		score: number(),
		created: text(),
		score_changed: text(),
		score_type: text(),
		comment: text(),
		comment_created: text(),
		comment_modified: text(),
		tags: z.array(tagRecord()).nullish(),
		survey: surveyRecord().nullish(),
		status: text(),
		status_changed: text(),
	});

/**
 * Gives a feedback under the names that it has everywhere else: the answer to a status change calls
 * the score's timestamps `score_created` and `score_modified` (contract, section Feedback). Older
 * answers write the score as text.
 */
export function feedbackFromAnswer(answer: IDataObject): IDataObject {
	const { score_created, score_modified, ...feedback } = answer;
	if (score_created !== undefined) feedback.created ??= score_created;
	if (score_modified !== undefined) feedback.score_changed ??= score_modified;
	const score = wholeNumber(feedback.score);
	if (score !== undefined) feedback.score = score;
	return feedback;
}

/** A feedback made short: what a branch, a report or an email about it needs, in flat fields. */
export const simplifiedFeedbackRecord = () =>
	z.object({
		id: z.number(),
		score: z.number(),
		score_type: z.string(),
		comment: z.string().nullable(),
		status: z.string(),
		email: z.string(),
		first_name: z.string(),
		last_name: z.string(),
		contact_id: z.number(),
		contact_attributes: z.record(z.string(), z.unknown()),
		campaign_id: z.number(),
		campaign_name: z.string(),
		survey_attributes: z.record(z.string(), z.unknown()),
		tags: z.array(z.string()),
		created: z.string(),
	});

/** Makes a feedback short, as `simplifiedFeedbackRecord` shows it. */
export function simplifyFeedback(feedback: IDataObject): IDataObject {
	const contact = isObject(feedback.contact) ? feedback.contact : {};
	const campaign = isObject(feedback.campaign) ? feedback.campaign : { id: feedback.campaign };
	const survey = isObject(feedback.survey) ? feedback.survey : {};
	const { id, score, score_type, comment, status, created, tags } = feedback;
	return {
		id,
		score,
		score_type,
		comment,
		status,
		email: contact.email,
		first_name: contact.first_name,
		last_name: contact.last_name,
		contact_id: contact.id,
		contact_attributes: contact.attributes,
		campaign_id: campaign.id,
		campaign_name: campaign.name,
		survey_attributes: survey.attributes,
		tags: Array.isArray(tags) ? tags.map((tag) => (isObject(tag) ? tag.name : tag)) : tags,
		created,
	};
}
