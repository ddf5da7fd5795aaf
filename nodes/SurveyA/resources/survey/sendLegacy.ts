import { batched, keyForm } from '../../../shared/batched';
import { Failure } from '../../../shared/failure';
import { locator } from '../../../shared/input';
import { post } from '../../../shared/request';
import { namedCustomers, outcomeOf } from '../../answers';
import { customerInput, legacyCustomerBody, legacyCustomerFields } from '../../customer';
import { deprecated, email } from '../../fields';
import { sendableCampaign } from '../../locators';
import { legacySurveySentRecord } from '../../records';

/** `POST /api/v2/nps/customers/survey`: answers for each customer, keyed by address. */
export const sendLegacy = batched({
	name: 'Send (Deprecated)',
	action: 'Send survey by deprecated endpoint',
	description: 'Survey customers by a campaign, with a result for each',
	fields: [
		deprecated("Survey A replaced this operation. Use 'Send' instead."),
		sendableCampaign,
		email,
		legacyCustomerFields,
	],
	input: { campaign: locator, ...customerInput },
	returns: legacySurveySentRecord,

	size: 100,
	group: ({ campaign }) => campaign,
	key: ({ email }) => email,
	once: ({ campaign, email }) => `${campaign} ${keyForm(email)}`,
	request: (customers, { campaign }) =>
		post('once', '/api/v2/nps/customers/survey', {
			campaign,
			subscribers: customers.map(legacyCustomerBody),
		}),
	answer: namedCustomers,
	output: (named, { email, campaign }) => {
		const outcome = outcomeOf(named, email);
		return outcome instanceof Failure ? outcome : { ...outcome, campaignId: campaign };
	},
});
