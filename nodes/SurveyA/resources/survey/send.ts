import { z } from 'zod';

import { batched, keyForm } from '../../../shared/batched';
import { locator } from '../../../shared/input';
import { anyObject } from '../../../shared/json';
import { post } from '../../../shared/request';
import { customerBody, customerFields, customerInput, email, sendableCampaign } from '../../fields';

/** `POST /api/v2/survey`: 1 to 100 customers a request; those already known are updated. */
export const send = batched({
	name: 'Send',
	action: 'Send survey',
	description: 'Survey customers by a transactional campaign, creating or updating them on the way',
	fields: [sendableCampaign, email, customerFields],
	input: { campaign: locator, ...customerInput },
	returns: z.object({ email: z.string(), campaignId: z.string(), status: z.string() }),

	size: 100,
	group: ({ campaign }) => campaign,
	key: ({ email }) => email,
	once: ({ campaign, email }) => `${campaign} ${keyForm(email)}`,
	request: (customers, { campaign }) =>
		post('once', '/api/v2/survey', { campaign, subscribers: customers.map(customerBody) }),
	answer: anyObject,
	output: ({ status }, { email, campaign }) => ({ email, campaignId: campaign, status }),
});
