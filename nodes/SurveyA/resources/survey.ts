import { Failure } from '../../shared/base/failure';
import { post } from '../../shared/http/request';
import type { Resource, Texts } from '../../shared/operations/operation';
import { write } from '../../shared/operations/write';
import { fields, record, string, strings } from '../../shared/records';
import { MAP_IT } from '../../surveys/people';
import { sendRules, skippedFields } from '../../surveys/send';
import { columnsWithoutProperties, surveyedColumns } from '../parameters/customerColumns';
import { basic, deprecatedFor } from '../parameters/common';
import { quietPeriodOptions, recentlySurveyed } from '../sentSurveys';
import type { Sending } from '../sentSurveys';
import { confirmation, namedCustomers, surveyedCustomer, surveyResult } from '../responses';

const sendTo = (path: string) => ({
	// The contract shows no messages about people who are not eligible: these are common ones.
	...sendRules({
		unsubscribed: {
			texts: ['unsubscribed', 'opted out', 'optedout'],
			hint: 'Remove the row: the person wants no surveys',
		},
		notEligible: {
			texts: ['not eligible', 'throttled', 'surveyed'],
			hint: 'Send the row again later',
		},
	}),
	options: quietPeriodOptions,
	size: 100,
	// IDs are hexadecimal: one that differs only in case is the same.
	group: ({ campaign }: Sending) => campaign.toLowerCase(),
	skippedItem: ({ campaign, columns }: Sending) => ({
		email: columns.email,
		campaignId: campaign,
	}),
	guard: recentlySurveyed,
	request: ({ campaign }: Sending, items: Sending[]) =>
		post(
			'notIdempotent',
			path,
			{ campaign, subscribers: items.map(({ columns }) => columns.customer) },
			"this customer's surveys in the outbox of Survey A",
		),
});

const sent = { ...fields(string, 'email', 'campaignId', 'status'), ...skippedFields };

function sendOperation(path: string, texts: Texts) {
	return write({
		...texts,
		...sendTo(path),
		fields: { campaign: basic.sendableCampaign, columns: surveyedColumns },
		outputSchema: record(sent),

		readBody: confirmation,
		output: (response, { columns: { email }, campaign }) => surveyResult(response, email, campaign),
	});
}

const COST = 'Each customer gets an email or message, which cannot be undone';

export const surveyResource: Resource = {
	send: sendOperation('/api/v2/survey', {
		action: 'Send survey',
		description: 'Send a survey; status is queued, or skipped with a reason',
		details: `Creates or updates the customer, and sends an email or message, which cannot be undone. queued means accepted, not sent: Customer → Check Survey says what was sent. A second row of a person and campaign in this run is skipped, as is anyone of whom a row says: opted out, did not agree. ${MAP_IT}`,
	}),

	/** `POST /api/v2/nps/audience/survey`: the earlier path of the same endpoint. */
	sendAudienceLegacy: sendOperation('/api/v2/nps/audience/survey', {
		name: 'Send to Audience (Deprecated)',
		action: 'Send survey to audience by deprecated endpoint',
		description: 'Deprecated: use Send',
		details: COST,
		deprecated:
			"The API documentation announces that this endpoint will be deprecated. Use 'Send' instead.",
	}),

	/** `POST /api/v2/nps/customers/survey`: without properties; the response has a result for each customer, keyed by email. */
	sendLegacy: write({
		action: 'Send survey by deprecated endpoint',
		...deprecatedFor('Send'),
		details: `${COST}. status is sending`,
		...sendTo('/api/v2/nps/customers/survey'),
		fields: { campaign: basic.sendableCampaign, columns: columnsWithoutProperties },
		outputSchema: record({
			...fields(string, 'id', 'first_name', 'last_name', 'company'),
			tags: strings,
			...sent,
		}),

		readBody: namedCustomers,
		output: (named, { columns, campaign }) => {
			const result = surveyedCustomer(named, columns.email);
			return result instanceof Failure ? result : { ...result, campaignId: campaign };
		},
	}),
};
