import { z } from 'zod/v4';

import type { RecordForms } from '../../shared/recordForms';
import { flag, text } from './scalars';

/** Contract: Outbox survey record, `detailedStatus`. */
const detailedStatusRecord = () =>
	z.looseObject({
		isOpened: flag(),
		openedDate: text(),
		isResponded: flag(),
		respondedDate: text(),
		hasFeedback: flag(),
		isOptedOut: flag(),
		isBounced: flag(),
	});

/** Contract: Outbox survey record, `additionalRecipients`. */
const additionalRecipientRecord = () =>
	z.looseObject({
		email: text(),
		type: text(),
		emailProviderMessageId: text(),
	});

/** Contract: Outbox survey record (`surveys` array items). `personTags` is an array on some servers. */
export const outboxSurveyRecord = () =>
	z.looseObject({
		email: text(),
		firstName: text(),
		lastName: text(),
		companyName: text(),
		companyId: text(),
		customerId: text(),
		personTags: z.union([z.string(), z.array(z.string())]).nullish(),
		sentDate: text(),
		channel: text(),
		campaign: text(),
		campaignId: text(),
		surveyTemplateId: text(),
		subject: text(),
		sentBy: text(),
		status: text(),
		detailedStatus: detailedStatusRecord().nullish(),
		additionalRecipients: z.array(additionalRecipientRecord()).nullish(),
		emailProviderMessageId: text(),
	});

/** A sent survey in its forms. */
export const sentSurvey: RecordForms = {
	raw: outboxSurveyRecord,
	rawFields: [
		'email',
		'firstName',
		'lastName',
		'companyName',
		'companyId',
		'customerId',
		'personTags',
		'sentDate',
		'channel',
		'campaign',
		'campaignId',
		'surveyTemplateId',
		'subject',
		'sentBy',
		'status',
		'detailedStatus',
		'additionalRecipients',
		'emailProviderMessageId',
	],
	simplified: {
		email: 'email',
		sentDate: 'sentDate',
		campaign: 'campaign',
		campaignId: 'campaignId',
		status: 'status',
		channel: 'channel',
		subject: 'subject',
		companyName: 'companyName',
		customerId: 'customerId',
		surveyTemplateId: 'surveyTemplateId',
	},
};
