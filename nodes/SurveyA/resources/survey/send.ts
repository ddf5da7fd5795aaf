import { quietPeriodOptions, recentlySurveyed } from '../../quietPeriod';
import { batched } from '../../../shared/operations/batched';
import { normalizeEmail } from '../../../shared/fields/emails';
import type { Operation } from '../../../shared/operations/operationSpec';
import { post } from '../../../shared/http/request';
import { record, string } from '../../../shared/records';
import { confirmation, customerFailure } from '../../records/responses';
import { customerBody } from '../../records/customer';
import { sendableCampaign } from '../../parameters/fields';
import { customerColumns } from '../../parameters/customerColumns';

type Sent = { campaign: string; columns: { email: string } };

/** The contract shows no messages about people who are not eligible: these are common ones. */
export const ineligible = {
	message: /unsubscribed|opted.?out|throttl|not eligible|(already|recently) (been )?surveyed/i,
	row: ({ campaign, columns }: Sent) => ({ email: columns.email, campaignId: campaign }),
};

/** Returns the key by which a run surveys a customer once per campaign. */
export function surveyKey({ campaign, columns }: Sent): string {
	return `${campaign} ${normalizeEmail(columns.email)}`;
}

type Texts = Pick<Operation, 'name' | 'action' | 'description'> & { notice?: string };

/** Returns the operation for one of the endpoints that take 1 to 100 customers a request. */
export function sending(path: string, texts: Texts) {
	return batched({
		...texts,
		irreversible: true,
		fields: { campaign: sendableCampaign, columns: customerColumns },
		options: quietPeriodOptions,
		rowName: 'columns',
		outputSchema: record({ email: string, campaignId: string, status: string }),

		size: 100,
		group: ({ campaign }) => campaign,
		key: ({ columns }) => columns.email,
		ineligible,
		skips: recentlySurveyed,
		dedupeBy: { name: 'email', key: surveyKey },
		request: (rows, { campaign }) =>
			post('notIdempotent', path, {
				campaign,
				subscribers: rows.map(({ columns }) => customerBody(columns)),
			}),
		responseSchema: confirmation,
		output: ({ named, status }, { columns: { email }, campaign }) =>
			customerFailure(named, email) ?? { email, campaignId: campaign, status },
	});
}

/** `POST /api/v2/survey`. */
export const send = sending('/api/v2/survey', {
	name: 'Send',
	action: 'Send survey',
	description:
		'Send a survey to customers, and create or update them in the same request. Each customer gets an email or message, which cannot be undone. Returns the status of each.',
});
