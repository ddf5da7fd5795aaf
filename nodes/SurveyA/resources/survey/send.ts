import { z } from 'zod/v4';

import { ignoredColumnsField, rowFields } from '../../../shared/parameters/columns';
import { customerColumns } from '../../parameters/columns';
import { skipSurveyedWithinField, surveyedBefore } from '../../outbox';
import { batched } from '../../../shared/operations/batched';
import { normalizeEmail } from '../../../shared/parameters/emails';
import { locator } from '../../../shared/parameters/schemas';
import type { Operation } from '../../../shared/operations/operation';
import { post } from '../../../shared/http/request';
import { confirmation, customerFailure } from '../../records/answers';
import { customerFields, customerInput } from '../../parameters/customer';
import { customerBody } from '../../records/customer';
import { email } from '../../parameters/fields';
import { sendableCampaign } from '../../parameters/locators';
import { dateOrderField, emptyValuesField } from '../../../shared/parameters/fields';

/** The contract shows no words for them: these are what such services say. */
export const ineligible = {
	words: /unsubscribed|opted.?out|throttl|not eligible|(already|recently) (been )?surveyed/i,
	row: ({ email, campaign }: { email: string; campaign: string }) => ({
		email,
		campaignId: campaign,
	}),
};

type Texts = Pick<Operation, 'name' | 'action' | 'description' | 'fields'>;

/** `POST` to `path`: 1 to 100 customers a request; those already known are updated. */
export function sending(path: string, texts: Texts) {
	return batched({
		...texts,
		fields: [...texts.fields, sendableCampaign, ...rowFields([email, customerFields])],
		options: [dateOrderField, emptyValuesField, ignoredColumnsField, skipSurveyedWithinField],
		input: () => ({ campaign: locator, ...customerInput() }),
		columns: customerColumns,
		rowName: 'email',
		outputSchema: () => z.object({ email: z.string(), campaignId: z.string(), status: z.string() }),

		size: 100,
		group: ({ campaign }) => campaign,
		key: ({ email }) => email,
		ineligible,
		skips: surveyedBefore,
		dedupeBy: ({ campaign, email }) => `${campaign} ${normalizeEmail(email)}`,
		request: (customers, { campaign }) =>
			post('notIdempotent', path, { campaign, subscribers: customers.map(customerBody) }),
		responseSchema: confirmation,
		output: ({ named, status }, { email, campaign }) =>
			customerFailure(named, email) ?? { email, campaignId: campaign, status },
	});
}

/** `POST /api/v2/survey`. */
export const send = sending('/api/v2/survey', {
	name: 'Send',
	action: 'Send survey',
	description:
		'Send a survey to customers, and create or update them in the same request. Each customer gets an email or message, which cannot be undone. Returns the status of each.',
	fields: [],
});
