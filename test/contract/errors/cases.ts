import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Services } from '../../support/sandbox';
import { EMAIL_FROM_ROW, mapped } from '../../support/columns';

/** A run that fails in the way that docs/errors.md says. */
export interface ErrorCase {
	/** `resource.operation`. */
	operation: string;
	parameters?: INodeParameters;
	/** Default: one row with an address. */
	input?: IDataObject[];
	/** Prepares the services so that they refuse the run. */
	given?(sandbox: Services): void;
	apiKey?: string;
	/** The number of requests; 1 by default. */
	requests?: number;
}

const UNKNOWN = '5f3c9a2b8d1e4f6a7b0c1d2e';

const addresses = (...emails: string[]) => emails.map((email) => ({ email }));

function campaignOf({ a }: Services, name: string): string {
	return String(a.state.campaigns.find((one) => one.name === name)?.id);
}

const faultOf = (service: 'a' | 'b', status: number, body: unknown) => (sandbox: Services) =>
	sandbox[service].faults.add({ kind: { status, body }, times: Infinity });

/** Returns the errors of Survey A's contract, and one case for each way to name a row. */
export function casesOfA(sandbox: Services): ErrorCase[] {
	const sort = {
		code: 400,
		message: 'Validation failed',
		error: '"sort" must be one of [createdDate, domain]',
	};
	const missing = { code: 401, message: 'Missing authorization key (api_key).', data: null };
	const required = { statusCode: 401, error: 'Unauthorized', message: 'Authentication Required.' };
	const [after, inactive, regular, unknown] = [
		...['After purchase', 'After onboarding', 'Yearly check-up'].map((name) =>
			campaignOf(sandbox, name),
		),
		UNKNOWN,
	].map((campaign) => ({ campaign, ...EMAIL_FROM_ROW }));
	return [
		{ operation: 'customer.get', parameters: { customerId: 'not hexadecimal' } },
		{ operation: 'customer.get', parameters: { customerId: 'abc123' } },
		// The node asks for a smaller page before it reports the refusal.
		{ operation: 'company.getAll', given: faultOf('a', 400, sort), requests: 2 },
		{ operation: 'feedback.get', parameters: { feedbackId: 'short' } },
		{ operation: 'survey.send', parameters: regular },
		{
			operation: 'survey.send',
			parameters: after,
			input: addresses('ada@acme.example', 'nobody.@acme.example', 'grace@acme.example'),
		},
		{ operation: 'campaign.getAll', apiKey: sandbox.a.keyWithoutAccount },
		{ operation: 'survey.send', parameters: after, apiKey: 'example-of-another-key' },
		{ operation: 'campaign.getAll', given: faultOf('a', 401, missing) },
		{ operation: 'campaign.getAll', given: faultOf('a', 401, required) },
		{ operation: 'survey.send', parameters: inactive },
		{ operation: 'survey.sendLegacy', parameters: inactive },
		{ operation: 'customer.get', parameters: { customerId: UNKNOWN } },
		{ operation: 'company.get', parameters: { company: 'nowhere.example' } },
		{ operation: 'feedback.get', parameters: { feedbackId: UNKNOWN } },
		{ operation: 'survey.send', parameters: unknown },
		{ operation: 'survey.sendLegacy', parameters: unknown },
		{
			operation: 'customer.getAll',
			given: faultOf('a', 200, { code: 403, success: false, message: 'No access.' }),
		},
	];
}

const SURVEY = { campaignId: '101', ...EMAIL_FROM_ROW };
const FOLLOW_UP = { fromUser: 'agent@example.com', message: 'Hello', to: 'lead@example.com' };

const replied = ({ b: { state } }: Services) =>
	state.feedback.forEach(({ id }) => state.followups.set(id, new Set(['REPLIED'])));
const complete = ({ b }: Services) =>
	b.state.feedback.forEach(({ id }) => b.state.complete.add(id));

/** Returns the errors of Survey B's contract, and one case for each way to name a row, record or field. */
export function casesOfB({ b }: Services): ErrorCase[] {
	const feedbackId = String(b.state.feedback.at(-1)?.id);
	const details: Array<[status: number, detail: string]> = [
		[403, 'Forbidden'],
		[404, 'Not Found'],
		[405, 'Method Not Allowed'],
		[406, 'Not Acceptable'],
		[410, 'Gone'],
		[500, 'Internal Server Error'],
		[503, 'Service Unavailable'],
	];
	const fields = {
		contact: {
			first_name: ['This field may not be blank.'],
			attributes: { a$: ['Bad name.'] },
		},
		campaign_id: ['This field is required.'],
	};
	const nathan = addresses('nathan@example.com');
	return [
		...details.map(([status, detail]) => ({
			operation: 'feedback.get',
			parameters: { feedbackId: '999' },
			given: faultOf('b', status, { detail }),
			requests: status >= 500 ? 4 : 1,
		})),
		{ operation: 'contact.get', parameters: { contactId: '999999' } },
		{
			operation: 'survey.send',
			parameters: SURVEY,
			given: faultOf('b', 401, { detail: 'Invalid token.' }),
		},
		{
			operation: 'survey.send',
			parameters: SURVEY,
			input: addresses('ada@acme.example', 'unsubscribed@example.com', 'grace@acme.example'),
			requests: 2,
		},
		{ operation: 'survey.send', parameters: SURVEY, input: addresses('nobody.@acme.example') },
		{ operation: 'survey.send', parameters: { ...SURVEY, campaignId: '103' } },
		{ operation: 'survey.send', parameters: { ...SURVEY, campaignId: '104' } },
		{
			operation: 'survey.send',
			parameters: SURVEY,
			input: nathan,
			given: ({ b: { state } }) => state.lastSurveyed.set('nathan@example.com', Date.now()),
		},
		{
			operation: 'survey.send',
			parameters: SURVEY,
			input: nathan,
			given: faultOf('b', 400, fields),
		},
		{ operation: 'feedback.reply', parameters: { ...FOLLOW_UP, feedbackId }, given: replied },
		{ operation: 'feedback.forward', parameters: { ...FOLLOW_UP, feedbackId }, given: replied },
		{ operation: 'feedback.forward', parameters: { ...FOLLOW_UP, feedbackId }, given: complete },
		{
			operation: 'feedback.reply',
			parameters: { ...FOLLOW_UP, feedbackId, fromUser: 'stranger@example.com' },
		},
		{
			operation: 'contact.upsert',
			parameters: mapped({ email: 'a@example.com', contactLists: '99' }),
		},
		{
			operation: 'webhook.create',
			parameters: { event: 'feedback.removed', target: 'http://n8n:5678' },
			given: faultOf('b', 400, { target: ['Enter a valid URL.'] }),
		},
	];
}
