import { z } from 'zod';

import { batched, keyForm } from '../../../shared/batched';
import { locator } from '../../../shared/input';
import type { Operation } from '../../../shared/operation';
import { post } from '../../../shared/request';
import { confirmation, failureOf } from '../../answers';
import { customerBody, customerFields, customerInput } from '../../customer';
import { email } from '../../fields';
import { sendableCampaign } from '../../locators';

type Texts = Pick<Operation, 'name' | 'action' | 'description' | 'fields'>;

/** `POST` to `path`: 1 to 100 customers a request; those already known are updated. */
export function sending(path: string, texts: Texts) {
	return batched({
		...texts,
		fields: [...texts.fields, sendableCampaign, email, customerFields],
		input: { campaign: locator, ...customerInput },
		returns: z.object({ email: z.string(), campaignId: z.string(), status: z.string() }),

		size: 100,
		group: ({ campaign }) => campaign,
		key: ({ email }) => email,
		once: ({ campaign, email }) => `${campaign} ${keyForm(email)}`,
		request: (customers, { campaign }) =>
			post('once', path, { campaign, subscribers: customers.map(customerBody) }),
		answer: confirmation,
		output: ({ named, status }, { email, campaign }) =>
			failureOf(named, email) ?? { email, campaignId: campaign, status },
	});
}

/** `POST /api/v2/survey`. */
export const send = sending('/api/v2/survey', {
	name: 'Send',
	action: 'Send survey',
	description: 'Survey customers by a transactional campaign, creating or updating them on the way',
	fields: [],
});
