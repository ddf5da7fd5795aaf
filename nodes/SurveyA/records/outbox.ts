import { z } from 'zod';

import { flag, text } from './scalars';

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
