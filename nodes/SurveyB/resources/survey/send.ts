import { z } from 'zod/v4';

import { normalizeEmail } from '../../../shared/parameters/emails';
import { each } from '../../../shared/operations/each';
import { clearableText, collection, id } from '../../../shared/parameters/schemas';
import { objectWith } from '../../../shared/http/json';
import { post } from '../../../shared/http/request';
import { ignoredColumnsField, rowFields } from '../../../shared/parameters/columns';
import {
	allAttributes,
	attributesField,
	attributesInput,
	attributesJsonField,
	attributesJsonInput,
	rejectedCharactersField,
} from '../../parameters/attributes';
import { attributesAreField, surveyColumns } from '../../parameters/columns';
import { campaignById } from '../../campaigns';
import { campaignId, campaignInput } from '../../parameters/campaign';
import { email, firstName, lastName, numberOf } from '../../parameters/fields';
import { surveySentRecord } from '../../records/survey';
import { dateOrderField, emptyValuesField } from '../../../shared/parameters/fields';

/** `POST /api/v2/survey/`: surveys one contact; its attributes are updated on the way. */
export const send = each({
	name: 'Send',
	action: 'Send survey',
	description:
		'Send a survey to a contact, and create or update the contact in the same request. The contact gets an email, which cannot be undone. Returns the status.',
	fields: [
		campaignId,
		...rowFields(
			[
				email,
				{
					displayName: 'Additional Fields',
					name: 'additionalFields',
					type: 'collection',
					placeholder: 'Add field',
					default: {},
					options: [
						attributesField(
							'Contact Attributes',
							'contactAttributes',
							'Attributes to save on the contact',
						),
						attributesJsonField(
							'Contact Attributes (JSON)',
							'contactAttributesJson',
							'Contact Attributes',
						),
						firstName,
						lastName,
						attributesField(
							'Survey Attributes',
							'surveyAttributes',
							'Attributes of this survey only, such as an order number',
						),
						attributesJsonField(
							'Survey Attributes (JSON)',
							'surveyAttributesJson',
							'Survey Attributes',
						),
					],
				},
			],
			[attributesAreField],
		),
	],
	options: [dateOrderField, emptyValuesField, ignoredColumnsField, rejectedCharactersField],
	columns: surveyColumns,
	input: () => ({
		campaignId: campaignInput,
		email: id,
		additionalFields: collection({
			firstName: clearableText,
			lastName: clearableText,
			contactAttributes: attributesInput(),
			contactAttributesJson: attributesJsonInput(),
			surveyAttributes: attributesInput(),
			surveyAttributesJson: attributesJsonInput(),
		}),
	}),
	rowName: 'email',
	writes: true,
	outputSchema: () =>
		z.object({
			email: z.string(),
			campaign_id: z.number(),
			status: z.string(),
			...surveySentRecord().pick({ contact: true, attributes: true }).shape,
		}),

	serializeBy: ({ email }) => normalizeEmail(email),
	ineligible: {
		words: /contact has unsubscribed|not eligible for survey/i,
		row: ({ email, campaignId }) => ({ email, campaign_id: numberOf(campaignId.value) }),
	},
	dedupeBy: ({ campaignId, email }) => `${campaignId.value} ${normalizeEmail(email)}`,
	resolve: async (input, run) => ({
		...input,
		campaignId: await campaignById(run, input.campaignId),
	}),
	request: ({ campaignId, email, additionalFields }) =>
		post('notIdempotent', '/api/v2/survey/', {
			campaign_id: numberOf(campaignId.value),
			contact: {
				email,
				first_name: additionalFields.firstName,
				last_name: additionalFields.lastName,
				attributes: allAttributes(
					additionalFields.contactAttributesJson,
					additionalFields.contactAttributes,
				),
			},
			attributes: allAttributes(
				additionalFields.surveyAttributesJson,
				additionalFields.surveyAttributes,
			),
		}),
	responseSchema: objectWith('contact'),
	// Older answers have neither `campaign_id` nor `status`.
	output: ({ campaign_id, status, ...answer }, { campaignId, email }) => ({
		email,
		campaign_id: numberOf(String(campaign_id ?? campaignId.value)),
		status: status ?? 'SENT',
		...answer,
	}),
});
