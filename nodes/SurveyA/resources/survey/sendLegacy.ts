import { quietPeriodOptions, recentlySurveyed } from '../../quietPeriod';
import { batched } from '../../../shared/operations/batched';
import { SurveyError } from '../../../shared/http/surveyError';
import { post } from '../../../shared/http/request';
import { record, string, strings } from '../../../shared/records';
import { customerResult, namedCustomers } from '../../records/responses';
import { legacyCustomerBody } from '../../records/customer';
import { sendableCampaign } from '../../parameters/fields';
import { legacyCustomerColumns } from '../../parameters/customerColumns';
import { ineligible, surveyKey } from './send';

/** `POST /api/v2/nps/customers/survey`: the response has a result for each customer, keyed by email. */
export const sendLegacy = batched({
	name: 'Send (Deprecated)',
	action: 'Send survey by deprecated endpoint',
	description:
		'Send a survey to customers, using the deprecated endpoint. Each customer gets an email or message, which cannot be undone. Returns a result for each.',
	notice: "Survey A replaced this operation. Use 'Send' instead.",
	irreversible: true,
	fields: { campaign: sendableCampaign, columns: legacyCustomerColumns },
	options: quietPeriodOptions,
	rowName: 'columns',
	outputSchema: record({
		id: string,
		email: string,
		first_name: string,
		last_name: string,
		company: string,
		tags: strings,
		status: string,
		reason: string,
	}),

	size: 100,
	group: ({ campaign }) => campaign,
	key: ({ columns }) => columns.email,
	ineligible,
	skips: recentlySurveyed,
	dedupeBy: { name: 'email', key: surveyKey },
	request: (rows, { campaign }) =>
		post('notIdempotent', '/api/v2/nps/customers/survey', {
			campaign,
			subscribers: rows.map(({ columns }) => legacyCustomerBody(columns)),
		}),
	responseSchema: namedCustomers,
	output: (named, { columns, campaign }) => {
		const outcome = customerResult(named, columns.email);
		return outcome instanceof SurveyError ? outcome : { ...outcome, campaignId: campaign };
	},
});
