import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { momentIn } from '../../shared/fields/dates';
import {
	anyFields,
	boolean,
	fields,
	listOf,
	optional,
	record,
	string,
	unchanged,
} from '../../shared/records';
import type { RecordForms } from '../../shared/records';

/** Contract: Outbox survey record (`surveys` array items). `personTags` is an array on some servers. */
export const sentSurvey: RecordForms = {
	raw: record({
		...fields(string, 'email', 'firstName', 'lastName', 'companyName', 'companyId', 'customerId'),
		personTags: z.unknown,
		...fields(string, 'sentDate', 'channel', 'campaign', 'campaignId', 'surveyTemplateId'),
		...fields(string, 'subject', 'sentBy', 'status'),
		detailedStatus: optional(fields(boolean, 'isOptedOut', 'isBounced')),
		additionalRecipients: listOf(anyFields),
		emailProviderMessageId: string,
	}),
	simplified: {
		...unchanged('email', 'companyName', 'customerId', 'sentDate', 'campaign', 'campaignId'),
		...unchanged('channel', 'status'),
		isOptedOut: 'detailedStatus.isOptedOut',
		isBounced: 'detailedStatus.isBounced',
	},
};

/** How long a survey may wait in the outbox, which is sorted by a creation date that its records do not have. */
export const LONGEST_WAIT_MS = 72 * 60 * 60 * 1000;

/** A sent survey has no ID, and its status changes. Its customer's ID may come later. */
export function surveyKey(survey: IDataObject): unknown[] {
	const { email, campaignId, surveyTemplateId, channel, sentDate } = survey;
	return [email, campaignId, surveyTemplateId, channel, momentIn(sentDate) ?? sentDate];
}
