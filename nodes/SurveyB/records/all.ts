/**
 * The records of survey service B, as the contract's "Resources and their fields" lists them.
 * Real servers null or leave out most scalars and add keys of their own, so only what identifies
 * a record is required and unknown keys are kept.
 */
import { z } from 'zod';

const text = z.string().nullish();
const number = z.number().nullish();
const rate = z.union([z.string(), z.number()]).nullish();
const attributes = z.record(z.unknown()).nullish();

/** Contract: Contact. */
export const contactRecord = z
	.object({
		id: z.number(),
		email: text,
		first_name: text,
		last_name: text,
		created_date: text,
		unsubscribed: z.boolean().nullish(),
		attributes,
	})
	.passthrough();
export type Contact = z.infer<typeof contactRecord>;

/** Contract: Contact list. */
export const contactListRecord = z.object({ id: z.number(), name: text }).passthrough();
export type ContactList = z.infer<typeof contactListRecord>;

/** Contract: Survey (embedded in feedback). `id` is absent in some payloads. */
export const surveyRecord = z.object({ id: number, attributes, sent_date: text }).passthrough();
export type Survey = z.infer<typeof surveyRecord>;

/** Contract: Campaign (embedded). */
export const campaignRecord = z
	.object({ id: z.number(), name: text, launch_date: text, status: text })
	.passthrough();
export type Campaign = z.infer<typeof campaignRecord>;

/** Contract: Tag. */
export const tagRecord = z.object({ name: z.string(), category: text }).passthrough();
export type Tag = z.infer<typeof tagRecord>;

/** Contract: Feedback, `contact`; Events, contact.unsubscribed. */
export const feedbackContactRecord = z
	.object({ attributes, first_name: text, last_name: text, id: number, email: text })
	.passthrough();
export type FeedbackContact = z.infer<typeof feedbackContactRecord>;

/** Contract: Feedback. */
export const feedbackRecord = z
	.object({
		id: z.number(),
		href: text,
		followup_href: text,
		contact: feedbackContactRecord.nullish(),
		campaign: campaignRecord.nullish(),
		score: number,
		created: text,
		score_changed: text,
		score_type: text,
		comment: text,
		comment_created: text,
		comment_modified: text,
		tags: z.array(tagRecord).nullish(),
		survey: surveyRecord.nullish(),
		status: text,
		status_changed: text,
	})
	.passthrough();
export type Feedback = z.infer<typeof feedbackRecord>;

/** Contract: Campaign metrics. */
export const campaignMetricsRecord = z
	.object({
		href: text,
		nps: number,
		campaign_name: text,
		promoter_percentage: number,
		passive_percentage: number,
		detractor_percentage: number,
		score_analysis: text,
		feedback_count: number,
		surveys_delivered_count: number,
		surveys_scheduled_count: number,
		followup_count: number,
		followups_outstanding: number,
		followup_rate_percentage: rate,
		feedback_rate_percentage: rate,
		average_revenue_per_customer: number,
		short_term_revenue_at_risk: number,
		long_term_revenue_at_risk: number,
		potential_new_revenue: number,
	})
	.passthrough();
export type CampaignMetrics = z.infer<typeof campaignMetricsRecord>;

/** Contract: Common reply. */
export const commonReplyRecord = z
	.object({
		id: z.number(),
		title: text,
		reply: text,
		category: z.object({ id: number, name: text }).passthrough().nullish(),
	})
	.passthrough();
export type CommonReply = z.infer<typeof commonReplyRecord>;

/** Contract: Webhook subscription. */
export const webhookRecord = z.object({ id: z.number(), event: text, target: text }).passthrough();
export type Webhook = z.infer<typeof webhookRecord>;

/** Contract: Endpoints, POST survey, its answer. */
export const surveySentRecord = z
	.object({
		contact: z
			.object({ email: text, first_name: text, last_name: text, attributes })
			.passthrough()
			.nullish(),
		campaign_id: z.union([z.number(), z.string()]).nullish(),
		status: text,
		attributes,
	})
	.passthrough();
export type SurveySent = z.infer<typeof surveySentRecord>;

/** Contract: Events, tag.merged and tag.renamed. */
export const tagChangeRecord = z
	.object({
		campaign: z.object({ id: number, Name: text }).passthrough().nullish(),
		before: text,
		after: text,
	})
	.passthrough();
export type TagChange = z.infer<typeof tagChangeRecord>;

/** Contract: Events, tag.removed. */
export const tagRemovalRecord = z
	.object({ campaign: z.object({ id: number, Name: text }).passthrough().nullish(), name: text })
	.passthrough();
export type TagRemoval = z.infer<typeof tagRemovalRecord>;

/** Contract: Events, the feedback `data` of the earlier revision of the webhooks. */
export const earlierFeedbackRecord = z
	.object({
		id: z.number(),
		comment: text,
		posted_date: text,
		score: number,
		campaign: number,
		score_type: text,
		contact: feedbackContactRecord.nullish(),
		comment_updated_date: text,
	})
	.passthrough();
export type EarlierFeedback = z.infer<typeof earlierFeedbackRecord>;
