import type { INodeParameters } from 'n8n-workflow';

import { mapped } from '../../support/columns';
import { useBench } from './bench';

// The contract's section Errors, row by row: the service's words, its code, and a line of advice.

const bench = useBench();

const PERSON = mapped({ email: 'a@example.com' });
const NOBODY = '5f3c9a2b8d1e4f6a7b0c1d2e';

test('an expression in an option of the whole run fails every item, and nothing is sent', async () => {
	const { items } = await bench().run(
		'customer.unsubscribe',
		{ email: '={{ $json.email }}', options: { maxWait: "={{ $('Nowhere').first() }}" } },
		{
			input: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
			onError: 'continueRegularOutput',
		},
	);
	expect(items).toHaveLength(2);
	for (const { error } of items) expect(error).toContain("'Max Wait (Seconds)' must be a number");
	expect(bench().service.requests).toEqual([]);
});

test('a field to sort by that the list does not have fails before anything is sent', async () => {
	const sort = { property: { field: 'color', direction: 'asc' } };
	expect(await bench().failure('company.getAll', { sort })).toContain("'Sort By' must be one of");
	expect(bench().service.requests).toEqual([]);
});

test("one row's option that cannot be read fails that row alone", async () => {
	const { items } = await bench().run(
		'customer.unsubscribe',
		{
			email: '={{ $json.email }}',
			options: { message: "={{ $json.why ?? $('Nowhere').first() }}" },
		},
		{
			input: [{ email: 'a@example.com' }, { email: 'ada@acme.example', why: 'Left' }],
			onError: 'continueRegularOutput',
		},
	);
	expect(items).toMatchObject([{ error: expect.any(String) }, { email: 'ada@acme.example' }]);
	expect(bench().service.requests).toHaveLength(1);
});

test("an AI agent's model gets the message alone, so it says what to do as well", async () => {
	const asTool = async (operation: string, parameters: INodeParameters) =>
		(await bench().run(operation, parameters, { asTool: true })).error?.message;
	expect(await asTool('score.get', { metric: 'happiness' })).toBe(
		'\'Metric\' must be one of: CES, CSAT, NPS, Stars: "happiness". Correct the value, or the expression that returns it',
	);
	expect(await asTool('customer.get', { customerId: NOBODY })).toMatch(
		new RegExp(`^${NOBODY}: Customer not found\\. \\(HTTP 404\\)\\. \\w`),
	);
});

interface Row {
	operation: string;
	parameters: INodeParameters | (() => INodeParameters);
	status: string;
	says: string;
	advice: string;
	before?(): void;
}

const ROWS: Row[] = [
	{
		operation: 'customer.get',
		parameters: { customerId: 'not hexadecimal' },
		status: '400',
		says: 'Validation failed: "customerId" must only contain hexadecimal characters',
		advice: 'Correct the value',
	},
	{
		operation: 'customer.get',
		parameters: { customerId: 'abc123' },
		status: '400',
		says: 'Validation failed: "customerId" length must be 24 characters long',
		advice: 'IDs in Survey A usually have 24 hexadecimal characters',
	},
	{
		operation: 'feedback.get',
		parameters: { feedbackId: 'short' },
		status: '400',
		says: 'An error occurred: Argument passed in must be a string of 12 bytes or a string of 24 hex characters',
		advice: 'Correct the value',
	},
	{
		operation: 'survey.send',
		parameters: () => ({ campaign: bench().campaign('Yearly check-up'), ...PERSON }),
		status: '400',
		says: 'is not transactional',
		advice: 'Choose a transactional campaign',
	},
	{
		operation: 'survey.send',
		parameters: () => ({
			campaign: bench().campaign('After purchase'),
			...mapped({ email: 'nobody' }),
		}),
		status: '400',
		says: 'nobody: Invalid email address',
		advice: 'Correct the email',
	},
	{
		operation: 'campaign.getAll',
		parameters: {},
		before: () => (bench().apiKey = bench().service.keyWithoutAccount),
		status: '401',
		says: 'Account not found',
		advice: 'Check the API key of the Survey A credential',
	},
	{
		operation: 'campaign.getAll',
		parameters: {},
		before: () => (bench().apiKey = 'example of another'),
		status: '401',
		says: 'Invalid API key.',
		advice: 'Check the API key of the Survey A credential',
	},
	{
		operation: 'campaign.getAll',
		parameters: {},
		before: () =>
			bench().service.faults.add({
				kind: {
					status: 401,
					body: { code: 401, message: 'Missing authorization key (api_key).', data: null },
				},
			}),
		status: '401',
		says: 'Missing authorization key (api_key).',
		advice: 'Check the API key of the Survey A credential',
	},
	{
		operation: 'campaign.getAll',
		parameters: {},
		before: () =>
			bench().service.faults.add({
				kind: {
					status: 401,
					body: { statusCode: 401, error: 'Unauthorized', message: 'Authentication Required.' },
				},
			}),
		status: '401',
		says: 'Authentication Required. Unauthorized',
		advice: 'Check the API key of the Survey A credential',
	},
	{
		operation: 'survey.send',
		parameters: () => ({ campaign: bench().campaign('After onboarding'), ...PERSON }),
		status: '403',
		says: 'is not active.',
		advice: 'Activate the campaign in Survey A',
	},
	{
		operation: 'survey.sendLegacy',
		parameters: () => ({ campaign: bench().campaign('After onboarding'), ...PERSON }),
		status: '403',
		says: 'Campaign is not enabled.',
		advice: 'Activate the campaign in Survey A',
	},
	{
		operation: 'customer.get',
		parameters: { customerId: NOBODY },
		status: '404',
		says: 'Customer not found.',
		advice: 'Check the customer ID',
	},
	{
		operation: 'company.get',
		parameters: { company: 'nowhere.example' },
		status: '404',
		says: 'Company record not found',
		advice: 'Check the company ID or domain',
	},
	{
		operation: 'feedback.get',
		parameters: { feedbackId: NOBODY },
		status: '404',
		says: 'Feedback record not found.',
		advice: 'Check the feedback ID',
	},
	{
		operation: 'survey.send',
		parameters: { campaign: NOBODY, ...PERSON },
		status: '404',
		says: `Campaign ${NOBODY} could not be found.`,
		advice: 'Choose the campaign from the list',
	},
	{
		operation: 'survey.sendLegacy',
		parameters: { campaign: NOBODY, ...PERSON },
		status: '404',
		says: 'Campaign not found.',
		advice: 'Choose the campaign from the list',
	},
	{
		operation: 'customer.getAll',
		parameters: {},
		before: () =>
			bench().service.faults.add({
				kind: { status: 200, body: { code: 403, success: false, message: 'No access.' } },
			}),
		status: '403',
		says: 'No access.',
		advice: 'Check what the owner of the API key may do in the service',
	},
];

test.each(ROWS)('$operation: $says', async ({ operation, parameters, before, ...errorText }) => {
	before?.();
	const given = typeof parameters === 'function' ? parameters() : parameters;
	const { error } = await bench().run(operation, given);
	expect(error?.message).toContain(errorText.says);
	expect(error?.message).toContain(`(HTTP ${errorText.status})`);
	expect(error?.httpCode).toBe(errorText.status);
	expect(error?.description).toContain(errorText.advice);
	expect(bench().service.requests).toHaveLength(1);
});
