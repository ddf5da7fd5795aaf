import { z } from 'zod';

import { simplifyTo } from '../../shared/operations/simplify';
import { flag, number, text, value, words } from './scalars';

/** Contract: Feedback response, `customProps`. */
export const customPropRecord = z.object({ name: text, type: text, value }).passthrough();

/** Contract: Feedback response, `additionalQuestions`. */
export const additionalQuestionRecord = z
	.object({ type: text, questionText: text, metricsType: text, answer: value })
	.passthrough();

/** Contract: Feedback response, `feedbackTopics`. */
export const topicRecord = z.object({ name: z.string(), sentiment: text }).passthrough();

/** Contract: Feedback response, `notes`. */
export const noteRecord = z
	.object({ author: text, content: text, metricsType: text, date: text })
	.passthrough();

/** Contract: Feedback response (`responses` array items). */
export const feedbackRecord = z
	.object({
		id: z.string(),
		customerId: text,
		email: text,
		firstName: text,
		lastName: text,
		companyName: text,
		companyId: text,
		jobTitle: text,
		country: text,
		state: text,
		city: text,
		tags: words,
		customProps: z.array(customPropRecord).nullish(),
		campaignName: text,
		campaignId: text,
		createdDate: text,
		score: number,
		comment: text,
		checkbox: flag,
		additionalQuestions: z.array(additionalQuestionRecord).nullish(),
		feedbackTags: words,
		feedbackTopics: z.array(topicRecord).nullish(),
		feedbackTagsNew: words,
		notes: z.array(noteRecord).nullish(),
		status: text,
		assigned: text,
		ratingCategory: text,
		resolved: flag,
		channel: text,
		metricsType: text,
		isBogus: flag,
	})
	.passthrough();

/** Contract: Deprecated response item (GET nps/customers/response). */
export const legacyFeedbackRecord = z
	.object({
		email: text,
		firstName: text,
		lastName: text,
		companyName: text,
		tags: words,
		createdDate: text,
		score: number,
		comment: text,
		feedbackTags: words,
	})
	.passthrough();

/** A feedback made short: what a branch, a report or an email about it needs. */
export const simplifiedFeedbackRecord = feedbackRecord
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
