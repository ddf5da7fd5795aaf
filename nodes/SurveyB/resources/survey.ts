import { normalizeEmail } from '../../shared/fields/emails';
import { objectWith } from '../../shared/http/json';
import { post } from '../../shared/http/request';
import { each } from '../../shared/operations/each';
import type { Resource } from '../../shared/operations/operationSpec';
import { anyFields, numeric, optional, record, string } from '../../shared/records';
import { campaignById } from '../campaigns';
import { surveyColumns } from '../parameters/contactColumns';
import { campaignId, numericId } from '../parameters/fields';

export const surveyResource: Resource = {
	name: 'Survey',
	operations: {
		/** `POST /api/v2/survey/`: one contact a request, whose attributes are updated. */
		send: each({
			name: 'Send',
			action: 'Send survey',
			description:
				'Send a survey to a contact, and create or update the contact in the same request. The contact gets an email, which cannot be undone. A contact can be surveyed once in 24 hours. The campaign must have been added as an API integration in Survey B. Returns the status.',
			irreversible: true,
			fields: { campaignId, columns: surveyColumns },
			rowName: 'columns',
			writes: true,
			outputSchema: record({
				email: string,
				campaign_id: numeric,
				status: string,
				contact: optional({
					email: string,
					first_name: string,
					last_name: string,
					attributes: anyFields,
				}),
				attributes: anyFields,
			}),

			serializeBy: ({ columns }) => normalizeEmail(columns.email),
			ineligible: {
				message: /contact has unsubscribed|not eligible for survey/i,
				row: ({ columns, campaignId }) => ({
					email: columns.email,
					campaign_id: numericId(campaignId.value),
				}),
			},
			dedupeBy: {
				name: 'email',
				key: ({ campaignId, columns }) => `${campaignId.value} ${normalizeEmail(columns.email)}`,
			},
			resolve: async (input, run) => ({
				...input,
				campaignId: await campaignById(run, input.campaignId),
			}),
			request: ({ campaignId, columns }) =>
				post('notIdempotent', '/api/v2/survey/', {
					campaign_id: numericId(campaignId.value),
					contact: {
						email: columns.email,
						first_name: columns.firstName,
						last_name: columns.lastName,
						attributes: columns.attributes,
					},
					attributes: columns.surveyAttributes,
				}),
			responseSchema: objectWith('contact'),
			// Older responses have neither `campaign_id` nor `status`.
			output: ({ campaign_id, ...response }, { campaignId, columns }) => ({
				email: columns.email,
				campaign_id: numericId(String(campaign_id ?? campaignId.value)),
				...response,
			}),
		}),
	},
};
