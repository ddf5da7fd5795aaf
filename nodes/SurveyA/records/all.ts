/**
 * The records of survey service A, as the contract's "Resources and their fields" lists them.
 * Real servers null or leave out most scalars and add keys of their own, so only what identifies
 * a record is required and unknown keys are kept.
 */
import { z } from 'zod';

const text = z.string().nullish();
const number = z.number().nullish();
const flag = z.boolean().nullish();
const words = z.array(z.string()).nullish();
const value = z
	.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))])
	.nullish();

/** Contract: Property. */
export const propertyRecord = z
	.object({ label: text, name: text, type: text, value })
	.passthrough();
export type Property = z.infer<typeof propertyRecord>;

/** Contract: Customer (in `subscribers` of GET responses). */
export const customerRecord = z
	.object({
		id: z.string(),
		email: text,
		firstName: text,
		lastName: text,
		companyName: text,
		companyId: text,
		tags: words,
		createdDate: text,
		properties: z.array(propertyRecord).nullish(),
	})
	.passthrough();
export type Customer = z.infer<typeof customerRecord>;

/** Contract: Endpoints, POST customers, the rows of its answer. */
export const writtenCustomerRecord = z
	.object({
		email: z.string(),
		first_name: text,
		last_name: text,
		company: text,
		tags: words,
		createdDate: text,
		properties: z.array(propertyRecord).nullish(),
	})
	.passthrough();
export type WrittenCustomer = z.infer<typeof writtenCustomerRecord>;

/** Contract: Endpoints, POST customers/unsubscribe, the rows of its answer. */
export const unsubscribedCustomerRecord = z
	.object({ email: z.string(), unsubscribed: flag })
	.passthrough();
export type UnsubscribedCustomer = z.infer<typeof unsubscribedCustomerRecord>;

/** Contract: Endpoints, DELETE customers, the rows of its answer. */
export const deletedCustomerRecord = z.object({ email: z.string(), deleted: flag }).passthrough();
export type DeletedCustomer = z.infer<typeof deletedCustomerRecord>;

/** Contract: Company. */
export const companyRecord = z
	.object({
		id: z.string(),
		createdDate: text,
		domain: text,
		companyName: text,
		industryName: text,
		tags: words,
		cxMetrics: z
			.object({ NPS: number, CSAT: number, CES: number, STAR: number })
			.passthrough()
			.nullish(),
		contactsCount: number,
	})
	.passthrough();
export type Company = z.infer<typeof companyRecord>;

/** Contract: Feedback response, `customProps`. */
export const customPropRecord = z.object({ name: text, type: text, value }).passthrough();

/** Contract: Feedback response, `additionalQuestions`. */
export const additionalQuestionRecord = z
	.object({ type: text, questionText: text, metricsType: text, answer: value })
	.passthrough();

/** Contract: Feedback response, `feedbackTopics`. */
export const topicRecord = z.object({ name: z.string(), sentiment: text }).passthrough();
export type Topic = z.infer<typeof topicRecord>;

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
export type Feedback = z.infer<typeof feedbackRecord>;

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
export type LegacyFeedback = z.infer<typeof legacyFeedbackRecord>;

/** Contract: Outbox survey record, `detailedStatus`. */
export const detailedStatusRecord = z
	.object({
		isOpened: flag,
		openedDate: text,
		isResponded: flag,
		respondedDate: text,
		hasFeedback: flag,
		isOptedOut: flag,
		isBounced: flag,
	})
	.passthrough();

/** Contract: Outbox survey record, `additionalRecipients`. */
export const additionalRecipientRecord = z
	.object({ email: text, type: text, emailProviderMessageId: text })
	.passthrough();

/** Contract: Outbox survey record (`surveys` array items). `personTags` is an array on some servers. */
export const outboxSurveyRecord = z
	.object({
		email: text,
		firstName: text,
		lastName: text,
		companyName: text,
		companyId: text,
		customerId: text,
		personTags: z.union([z.string(), z.array(z.string())]).nullish(),
		sentDate: text,
		channel: text,
		campaign: text,
		campaignId: text,
		surveyTemplateId: text,
		subject: text,
		sentBy: text,
		status: text,
		detailedStatus: detailedStatusRecord.nullish(),
		additionalRecipients: z.array(additionalRecipientRecord).nullish(),
		emailProviderMessageId: text,
	})
	.passthrough();
export type OutboxSurvey = z.infer<typeof outboxSurveyRecord>;

/** Contract: Template, new form. */
export const templateRecord = z
	.object({ id: z.string(), name: text, channel: text, metric: text })
	.passthrough();
export type Template = z.infer<typeof templateRecord>;

/** Contract: Template, deprecated form. */
export const legacyTemplateRecord = z.object({ id: z.string(), value: text }).passthrough();
export type LegacyTemplate = z.infer<typeof legacyTemplateRecord>;

/** Contract: Campaign, new form. */
export const campaignRecord = z
	.object({
		id: z.string(),
		name: text,
		isActive: flag,
		templateId: text,
		metric: text,
		type: text,
		channel: text,
	})
	.passthrough();
export type Campaign = z.infer<typeof campaignRecord>;

/** Contract: Campaign, deprecated form. */
export const legacyCampaignRecord = z.object({ id: z.string(), value: text }).passthrough();
export type LegacyCampaign = z.infer<typeof legacyCampaignRecord>;

/** Contract: Report, `trend`. */
export const trendDayRecord = z
	.object({
		day: text,
		promoters: number,
		passives: number,
		detractors: number,
		total: number,
		ratingDistribution: z.record(z.number()).nullish(),
		score: number,
	})
	.passthrough();
export type TrendDay = z.infer<typeof trendDayRecord>;

/** Contract: Report, `questionsStats`, each of `last` and `first`. */
export const questionDayRecord = z
	.object({
		day: text,
		promoters: number,
		passives: number,
		detractors: number,
		responded: number,
		opened: number,
		skipped: number,
		total: number,
		scoreSum: number,
		score: number,
	})
	.passthrough();

/** Contract: Report, `questionsStats`. */
export const questionStatsRecord = z
	.object({
		uuid: text,
		title: text,
		isStarred: flag,
		position: number,
		isOnMain: flag,
		metricsType: text,
		stats: z
			.object({ last: questionDayRecord.nullish(), first: questionDayRecord.nullish() })
			.passthrough()
			.nullish(),
	})
	.passthrough();

/** Contract: Report (items of `data` in GET reports). `score` holds the delivery channel in its example. */
export const reportRecord = z
	.object({
		campaignId: z.string(),
		trend: z.array(trendDayRecord).nullish(),
		last: z
			.object({
				promoters: number,
				passives: number,
				detractors: number,
				total: number,
				score: number,
			})
			.passthrough()
			.nullish(),
		deliveryStats: z
			.object({
				totalCount: number,
				opened: number,
				responded: number,
				optedOut: number,
				isBounced: number,
			})
			.passthrough()
			.nullish(),
		questionsStats: z.array(questionStatsRecord).nullish(),
		name: text,
		isActive: flag,
		metric: text,
		type: text,
		score: z.union([z.string(), z.number()]).nullish(),
	})
	.passthrough();
export type Report = z.infer<typeof reportRecord>;

/** Contract: Score summary. Its headline is named `nps`, or for other metrics as the metric or `score`. */
export const scoreRecord = z
	.object({
		nps: number,
		csat: number,
		ces: number,
		star: number,
		score: number,
		promoters: number,
		passives: number,
		detractors: number,
		promotersCount: number,
		passivesCount: number,
		detractorsCount: number,
		ratingDistribution: z.record(z.number()).nullish(),
		totalResponses: number,
	})
	.passthrough();
export type Score = z.infer<typeof scoreRecord>;

/** Contract: Endpoints, POST survey, its answer. */
export const surveySentRecord = z
	.object({ success: flag, code: number, message: text, status: text })
	.passthrough();
export type SurveySent = z.infer<typeof surveySentRecord>;

/** Contract: Endpoints, POST nps/customers/survey (deprecated), each customer of its answer. */
export const legacySurveySentRecord = z
	.object({
		id: text,
		email: z.string(),
		first_name: text,
		last_name: text,
		company: text,
		tags: words,
		status: text,
		reason: text,
	})
	.passthrough();
export type LegacySurveySent = z.infer<typeof legacySurveySentRecord>;

/** Contract: Errors, POST survey with invalid addresses, the rows of `data`. */
export const refusedCustomerRecord = z
	.object({
		status: text,
		email: text,
		first_name: text,
		last_name: text,
		company: text,
		tags: words,
		reason: text,
	})
	.passthrough();
export type RefusedCustomer = z.infer<typeof refusedCustomerRecord>;
