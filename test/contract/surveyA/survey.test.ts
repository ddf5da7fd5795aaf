import type { IDataObject } from 'n8n-workflow';

import { EMAIL_FROM_ROW, mapped, people } from '../../support/columns';
import type { RunSettings } from '../../support/runOperation';
import { useRunner } from './runner';
import { testLarge } from '../../support/large.mts';

const runner = useRunner();

test.each(['Q3 NPS', 'NPS2026', 'Relationship', '{{ $json.name }}'])(
	'a campaign given by the name %j fails before anything is sent, also in a dry run',
	async (campaign) => {
		const parameters = { campaign, ...mapped({ email: 'ada@acme.example' }) };
		for (const options of [{ dryRun: true }, {}]) {
			const given = { ...parameters, options };
			const { items } = await runner.rows('survey.send', given, people(1));
			expect(items[0]?.error).toMatch(/'Campaign' (must be an ID, not a name|is an expression)/);
		}
		expect(runner.service.requests).toEqual([]);
	},
);

test.each(['ffffffffffffffffffffffff', 'ABCDEFABCDEFABCDEFABCDEF'])(
	'a campaign of 24 hexadecimal digits is an ID, also without a figure: %s',
	async (campaign) => {
		const parameters = { campaign, ...mapped({ email: 'ada@acme.example' }) };
		const { error } = await runner.run('survey.send', parameters);
		expect(error?.message).toContain(`Campaign ${campaign} could not be found`);
	},
);

const purchase = () => runner.campaign('After purchase');
const send = (input: IDataObject[], more: RunSettings = {}) =>
	runner.run(
		'survey.send',
		{ campaign: purchase(), ...EMAIL_FROM_ROW },
		{ input, onError: 'continueRegularOutput', ...more },
	);
const ticket = () => runner.campaign('After support ticket');
const nathanColumns = {
	email: 'nathan@example.com',
	firstName: 'Nathan',
	lastName: 'Smith',
	company: 'Acme',
	tags: 'vip',
};
const nathan = mapped({ ...nathanColumns, 'property:Seats': 3 }, [
	{ id: 'property:Seats', type: 'number' },
]);
const written = {
	email: 'nathan@example.com',
	first_name: 'Nathan',
	last_name: 'Smith',
	company: 'Acme',
	tags: ['vip'],
};

const properties = [{ label: 'Seats', type: 'integer', value: 3 }];

test.each([
	['send', 'POST /api/v2/survey', nathan, { ...written, properties }, 'queued'],
	[
		'sendAudienceLegacy',
		'POST /api/v2/nps/audience/survey',
		nathan,
		{ ...written, properties },
		'queued',
	],
	['sendLegacy', 'POST /api/v2/nps/customers/survey', mapped(nathanColumns), written, 'sending'],
])(
	'%s sends the request of the contract: %s',
	async (operation, line, columns, customer, status) => {
		const campaign = { __rl: true, mode: 'list', value: purchase() };
		const item = await runner.one(`survey.${operation}`, { campaign, ...columns });
		expect(item).toMatchObject({ email: 'nathan@example.com', campaignId: purchase(), status });
		runner.expectSent(line, { campaign: purchase(), subscribers: [customer] });
	},
);

test('Send without a campaign says only that it is missing', async () => {
	const campaign = { __rl: true, mode: 'id', value: '={{ $json.nothing }}' };
	const { error } = await runner.run('survey.send', { campaign, ...nathan });
	expect(error?.message).toMatch(/^nathan@example.com: 'Campaign' is missing$/);
	expect(runner.lines()).toEqual([]);
});

const MAYBE = 'may have been processed';

test.each([
	['nobody else', { status: 'fail', reason: 'One of the rows' }, [1, 3]],
	['person1 as failing', { email: 'person1@example.com', status: 'Failed', reason: 'No' }, [3]],
	['person1 without a status', { email: 'person1@example.com', reason: 'No' }, [3]],
])(
	'a refusal that names %s beside a bad row fails only the rows that it names',
	async (_, other, good) => {
		const data = [
			other,
			{ email: 'person2@example.com', status: 'fail', reason: 'No such domain' },
		];
		const body = { code: 400, message: 'Some rows are bad', data };
		runner.respond(400, body);
		const { items } = await send(people(3));
		const addresses = good.map((number) => `person${number}@example.com`);
		expect(runner.batches()).toEqual([people(3).map(({ email }) => email), addresses]);
		expect(items.filter(({ error }) => !error).map(({ email }) => email)).toEqual(addresses);
		expect(items[1]?.error).toContain('person2@example.com: No such domain (HTTP 400)');
	},
);

test.each([
	['queued', undefined],
	['ok', MAYBE],
])(
	'a refusal that reports a customer as %s sends nobody a second survey',
	async (status, message) => {
		const data = [
			{ email: 'person1@example.com', status },
			{ email: 'person2@example.com', status: 'fail', reason: 'No such domain' },
		];
		runner.respond(400, { code: 400, message: 'Some rows are bad', data });
		const { items } = await send(people(3), { maxTries: 3 });
		const again = runner.batches().slice(1).flat();
		expect(again).toEqual(again.filter((email) => email === 'person2@example.com'));
		expect(items[0]?.error ?? '').toContain(message ?? '');
		expect(items[0]?.status).toBe(message ? undefined : 'queued');
		expect(items[2]?.error).toContain(MAYBE);
	},
);

test.each([
	['a list of those that failed', { failed: [{ email: 'person1@example.com', reason: 'No' }] }],
	[
		'a list of their addresses',
		{ queued: ['person2@example.com'], failed: ['person1@example.com'] },
	],
	['rows that are not queued', [{ email: 'person1@example.com', queued: false }]],
])('a customer whom a success names in %s was not surveyed', async (_, data) => {
	runner.respond(200, { success: true, code: 200, status: 'queued', data });
	const { items } = await send(people(2));
	expect(items[0]?.error).toContain('person1@example.com');
	expect(items[1]).toMatchObject({ email: 'person2@example.com', status: 'queued' });
});

test.each([
	[200, { success: false, code: 200, message: 'Some failed' }],
	[200, { status: 'error', message: 'Some failed' }],
	[409, { code: 409, message: 'Some failed' }],
])('does not send the other rows again if a %i names rows: %j', async (status, body) => {
	const data = [{ email: 'person2@example.com', status: 'fail', reason: 'No' }];
	runner.respond(status, { ...body, data });
	const { items } = await send(people(3));
	expect(runner.service.requests).toHaveLength(1);
	expect(items[1]?.error).toContain('person2@example.com: No');
	for (const item of [0, 2]) expect(items[item]?.error).toContain(`Some failed`);
	for (const item of [0, 2]) expect(items[item]?.error).toContain(MAYBE);
});

test.each([
	['send', 'Yearly check-up', 'is not transactional'],
	['send', 'After onboarding', 'is not active'],
	['send', '5f3c9a2b8d1e4f6a7b0c1d2e', 'could not be found'],
	['sendLegacy', 'After onboarding', 'Campaign is not enabled'],
	['sendLegacy', '5f3c9a2b8d1e4f6a7b0c1d2e', 'Campaign not found'],
])('%s to the campaign %s fails all rows after one request: %s', async (operation, name, says) => {
	const campaign = /^\d/.test(name) ? name : runner.campaign(name);
	const parameters = { campaign, ...EMAIL_FROM_ROW };
	const { items } = await runner.rows(`survey.${operation}`, parameters, people(3));
	for (const { error } of items) expect(error).toContain(says);
	expect(runner.service.requests).toHaveLength(1);
});

test('sendLegacy fails a row whose customer failed', async () => {
	const parameters = { campaign: purchase(), ...EMAIL_FROM_ROW };
	const input = [{ email: 'nobody.@acme.example' }, ...people(1)];
	const { items } = await runner.rows('survey.sendLegacy', parameters, input);
	expect(items).toMatchObject([
		{
			error:
				'nobody.@acme.example: Invalid email address [item 0]. Correct the email, or remove the row',
		},
		{ email: 'person1@example.com', status: 'sending' },
	]);
	expect(runner.service.requests).toHaveLength(1);
});

testLarge('sends 1,001 rows of two campaigns, set by expression, in 12 requests', async () => {
	const input = people(1001).map(({ email }, index) => ({
		email,
		campaign: index % 2 ? purchase() : ticket(),
	}));
	const parameters = { campaign: '={{ $json.campaign }}', ...EMAIL_FROM_ROW };
	const { output, error } = await runner.run('survey.send', parameters, { input });
	expect(error).toBeUndefined();
	expect(runner.service.requests.length).toBeLessThanOrEqual(12);
	expect(runner.service.state.sent).toHaveLength(1001);
	expect(output[0]?.map(({ json, pairedItem }) => ({ ...json, pairedItem }))).toEqual(
		input.map(({ email, campaign }, item) => ({
			email,
			campaignId: campaign,
			status: 'queued',
			pairedItem: { item },
		})),
	);
});

describe('a batch of 100 with two bad addresses', () => {
	const input = () =>
		people(150).map((one, index) =>
			[7, 42].includes(index) ? { email: `bad${index}.@acme.example` } : one,
		);
	const run = (onError?: 'continueRegularOutput') =>
		runner.run(
			'survey.send',
			{ campaign: purchase(), ...EMAIL_FROM_ROW },
			{ input: input(), onError },
		);

	test('sends the 98 and fails the two with On Error = Continue', async () => {
		const { items, output } = await run('continueRegularOutput');
		expect(runner.service.requests.map(({ status }) => status).sort()).toEqual([200, 200, 400]);
		// The second batch goes out while the first one is in flight.
		const lengths = runner.batches().map(({ length }) => length);
		expect(lengths.sort((one, other) => one - other)).toEqual([50, 98, 100]);
		expect(runner.service.state.sent).toHaveLength(148);
		expect(output[0]?.map(({ pairedItem }) => pairedItem)).toEqual(
			input().map((_, item) => ({ item })),
		);
		items.forEach((item, index) => {
			if (![7, 42].includes(index)) return expect(item.status).toBe('queued');
			expect(item).toEqual({
				email: `bad${index}.@acme.example`,
				error: `bad${index}.@acme.example: Invalid email address (HTTP 400) [item ${index}]. Correct the email, or remove the row`,
				details: {
					code: 'invalidEmail',
					httpCode: 400,
					advice: 'Correct the email, or remove the row',
				},
			});
		});
	});

	test('nothing goes out after a failure if On Error is Stop: no second batch, and the error says so [stop]', async () => {
		const { error } = await run();
		expect(runner.service.requests).toHaveLength(1);
		expect(runner.service.state.sent).toEqual([]);
		expect(error?.message).toBe(
			'bad7.@acme.example: Invalid email address (HTTP 400) [item 7] and 1 more row. Nothing was sent',
		);
		expect(error).toMatchObject({
			httpCode: '400',
			description: expect.stringMatching(/^Correct the email, or remove the row\. To go on with/),
		});
	});
});

test.each([
	['without a key', { apiKey: '' }],
	['without https', { baseUrl: 'ftp://survey.example' }],
])('a credential %s fails each row, and none comes out as if it were sent', async (_, given) => {
	const input = [{ email: 'a@example.com' }, { email: 'b@example.com' }];
	const onError = 'continueErrorOutput';
	const parameters = { campaign: purchase(), ...EMAIL_FROM_ROW };
	const { output } = await runner.run('survey.send', parameters, { input, onError, ...given });
	expect(output.map((items) => items.length)).toEqual([0, 2]);
	expect(output[1]?.map(({ json }) => json)).toMatchObject(
		input.map((row) => ({ ...row, error: expect.any(String), details: { code: 'account' } })),
	);
	expect(runner.service.requests).toEqual([]);
});

test('a node surveys an address once per campaign in one execution [once-per-campaign]', async () => {
	const { items, hints } = await runner.run(
		'survey.send',
		{ campaign: '={{ $json.campaign }}', ...EMAIL_FROM_ROW },
		{
			input: [
				{ campaign: purchase(), email: 'a@example.com' },
				{ campaign: ticket(), email: 'a@example.com' },
				{ campaign: purchase(), email: 'A@example.com ' },
			],
		},
	);
	expect(runner.service.state.sent).toHaveLength(2);
	expect(items).toMatchObject([
		{ status: 'queued' },
		{ campaignId: ticket() },
		{ duplicateOfItem: 0 },
	]);
	expect(hints).toHaveLength(1);
});
