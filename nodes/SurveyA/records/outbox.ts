import { z } from 'zod/v4';

import { boolean, listOf, optional, record, string } from '../../shared/records';
import { unchanged } from '../../shared/recordForms';
import type { RecordForms } from '../../shared/recordForms';

/** Contract: Outbox survey record (`surveys` array items). `personTags` is an array on some servers. */
const outboxSurveyRecord = record({
	email: string,
	firstName: string,
	lastName: string,
	companyName: string,
	companyId: string,
	customerId: string,
	personTags: () => z.union([z.string(), z.array(z.string())]).nullish(),
	sentDate: string,
	channel: string,
	campaign: string,
	campaignId: string,
	surveyTemplateId: string,
	subject: string,
	sentBy: string,
	status: string,
	detailedStatus: optional({
		isOpened: boolean,
		openedDate: string,
		isResponded: boolean,
		respondedDate: string,
		hasFeedback: boolean,
		isOptedOut: boolean,
		isBounced: boolean,
	}),
	additionalRecipients: listOf(
		record({ email: string, type: string, emailProviderMessageId: string }),
	),
	emailProviderMessageId: string,
});

export const sentSurvey: RecordForms = {
	raw: outboxSurveyRecord,
	simplified: {
		...unchanged('email', 'sentDate', 'campaign', 'campaignId', 'status', 'channel', 'subject'),
		...unchanged('companyName', 'customerId', 'surveyTemplateId'),
	},
};
