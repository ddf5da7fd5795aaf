import { ignoredColumnsField, rowFields } from '../../../shared/parameters/columns';
import { legacyCustomerColumns } from '../../parameters/columns';
import { ineligible } from './send';
import { skipSurveyedWithinField, surveyedBefore } from '../../outbox';
import { batched } from '../../../shared/operations/batched';
import { normalizeEmail } from '../../../shared/parameters/emails';
import { Failure } from '../../../shared/http/failure';
import { locator } from '../../../shared/parameters/schemas';
import { post } from '../../../shared/http/request';
import { namedCustomers, customerResult } from '../../records/answers';
import { customerInput, legacyCustomerFields } from '../../parameters/customer';
import { legacyCustomerBody } from '../../records/customer';
import { deprecated, email } from '../../parameters/fields';
import { sendableCampaign } from '../../parameters/locators';
import { legacySurveySentRecord } from '../../records/survey';
import { emptyValuesField } from '../../../shared/parameters/fields';

/** `POST /api/v2/nps/customers/survey`: answers for each customer, keyed by address. */
export const sendLegacy = batched({
	name: 'Send (Deprecated)',
	action: 'Send survey by deprecated endpoint',
	description:
		'Send a survey to customers, using the deprecated endpoint. Each customer gets an email or message, which cannot be undone. Returns a result for each.',
	fields: [
		deprecated("Survey A replaced this operation. Use 'Send' instead."),
		sendableCampaign,
		...rowFields([email, legacyCustomerFields]),
	],
	options: [emptyValuesField, ignoredColumnsField, skipSurveyedWithinField],
	columns: legacyCustomerColumns,
	input: () => ({ campaign: locator, ...customerInput() }),
	rowName: 'email',
	outputSchema: legacySurveySentRecord,

	size: 100,
	group: ({ campaign }) => campaign,
	key: ({ email }) => email,
	ineligible,
	skips: surveyedBefore,
	dedupeBy: ({ campaign, email }) => `${campaign} ${normalizeEmail(email)}`,
	request: (customers, { campaign }) =>
		post('notIdempotent', '/api/v2/nps/customers/survey', {
			campaign,
			subscribers: customers.map(legacyCustomerBody),
		}),
	responseSchema: namedCustomers,
	output: (named, { email, campaign }) => {
		const outcome = customerResult(named, email);
		return outcome instanceof Failure ? outcome : { ...outcome, campaignId: campaign };
	},
});
