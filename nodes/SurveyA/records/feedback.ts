import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { npsType } from '../../shared/nps';
import { simplifyTo } from '../../shared/operations/simplify';
import { flag, number, text, value, words } from './scalars';

/** Contract: Feedback response, `customProps`. */
export const customPropRecord = () => z.looseObject({ name: text(), type: text(), value: value() });

/** Contract: Feedback response, `additionalQuestions`. */
export const additionalQuestionRecord = () =>
	z.looseObject({
		type: text(),
		questionText: text(),
		metricsType: text(),
		answer: value(),
	});

/** Contract: Feedback response, `feedbackTopics`. */
export const topicRecord = () => z.looseObject({ name: z.string(), sentiment: text() });

/** Contract: Feedback response, `notes`. */
export const noteRecord = () =>
	z.looseObject({
		author: text(),
		content: text(),
		metricsType: text(),
		date: text(),
	});

/** Contract: Feedback response (`responses` array items). */
export const feedbackRecord = () =>
	z.looseObject({
		id: z.string(),
		customerId: text(),
		email: text(),
		firstName: text(),
		lastName: text(),
		companyName: text(),
		companyId: text(),
		jobTitle: text(),
		country: text(),
		state: text(),
		city: text(),
		tags: words(),
		customProps: z.array(customPropRecord()).nullish(),
		campaignName: text(),
		campaignId: text(),
		createdDate: text(),
		score: number(),
		comment: text(),
		checkbox: flag(),
		additionalQuestions: z.array(additionalQuestionRecord()).nullish(),
		feedbackTags: words(),
		feedbackTopics: z.array(topicRecord()).nullish(),
		feedbackTagsNew: words(),
		notes: z.array(noteRecord()).nullish(),
		status: text(),
		assigned: text(),
		ratingCategory: text(),
		resolved: flag(),
		channel: text(),
		metricsType: text(),
		isBogus: flag(),
	});

/** Contract: Deprecated response item (GET nps/customers/response). */
export const legacyFeedbackRecord = () =>
	z.looseObject({
		email: text(),
		firstName: text(),
		lastName: text(),
		companyName: text(),
		tags: words(),
		createdDate: text(),
		score: number(),
		comment: text(),
		feedbackTags: words(),
	});

/** A feedback made short: what a branch, a report or an email about it needs. */
export const simplifiedFeedbackRecord = () =>
	feedbackRecord()
		.pick({
			id: true,
			score: true,
			comment: true,
			metricsType: true,
			ratingCategory: true,
			email: true,
			firstName: true,
			lastName: true,
			companyName: true,
			campaignName: true,
			feedbackTags: true,
			status: true,
			createdDate: true,
			customerId: true,
			companyId: true,
			campaignId: true,
		})
		.strip();

export const simplifyFeedback = simplifyTo(simplifiedFeedbackRecord);

/** Returns the score as a number: some servers write it as text. */
export function scoreOf(score: unknown): number | undefined {
	const value = typeof score === 'string' && score.trim() !== '' ? Number(score) : score;
	return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
}

/** Returns promoter, passive or detractor; only an NPS score has a type. */
export function scoreTypeOf({ metricsType, score }: IDataObject): string | undefined {
	const value = scoreOf(score);
	return String(metricsType).toLowerCase() === 'nps' && value !== undefined
		? npsType(value)
		: undefined;
}
