import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { onItsOwnClock } from '../../support/clock.mts';
import { automatic, EMAIL_FROM_ROW, people } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import type { RunSettings } from '../../support/runOperation';
import { errorOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// Responses that report on single rows, in the forms that services use.

const sandbox = useSandbox();
const [ONE, TWO, THREE] = people(3).map(({ email }) => email) as [string, string, string];
const CAMPAIGN = { campaign: '64a000000000000000000003', ...automatic() };
const MAYBE = 'may have been processed';

const emails = (...all: string[]) => all.map((email) => ({ email }));

/** Runs an operation for rows; returns each row's item. */
async function rows(
	of: 'a' | 'b',
	name: string,
	parameters: INodeParameters,
	input: IDataObject[] = people(3),
	settings: RunSettings = {},
) {
	return await onItsOwnClock(async () =>
		runOperation(sandbox[of], name, parameters, {
			input,
			onError: 'continueRegularOutput',
			...settings,
		}),
	);
}

/** Responds to each request of Survey A, and returns the error of each row, if it has one. */
async function errorsA(
	name: string,
	body: unknown,
	status = 200,
): Promise<Array<string | undefined>> {
	sandbox.a.faults.add({ kind: { status, body }, times: Infinity });
	const parameters = name.startsWith('survey.')
		? CAMPAIGN
		: name.endsWith('.upsert')
			? EMAIL_FROM_ROW
			: { email: '={{ $json.email }}' };
	const { items } = await rows('a', name, parameters);
	return items.map((json) => errorOf(json));
}

describe('a survey of Survey A that was queued, but not for all', () => {
	const queued = { success: true, code: 200, status: 'queued' };
	const results = [
		{ email: ONE, status: 'queued' },
		{ email: TWO, status: 'fail', reason: 'Mailbox is full' },
		{ email: THREE, status: 'queued' },
	];

	test.each<[string, IDataObject]>([
		['results', { results }],
		['failed', { failed: [{ email: TWO, reason: 'Mailbox is full' }] }],
		['rejected', { rejected: [TWO] }],
		['skipped in data', { data: { skipped: [{ email: TWO }] } }],
		['errors', { errors: [{ email: TWO, message: 'Mailbox is full' }] }],
	])('fails the row that the response names beside its status: %s', async (_, named) => {
		const errors = await errorsA('survey.send', { ...queued, ...named }, 207);
		expect(errors[1]).toBeDefined();
		if (!('errors' in named)) expect([errors[0], errors[2]]).toEqual([undefined, undefined]);
	});

	test.each<[string, IDataObject]>([
		['a list of addresses', { unsubscribed: [TWO] }],
		['a list of customers', { unsubscribed: [{ email: TWO }] }],
		['a list with a reason', { unsubscribed: [{ email: TWO, reason: 'Opted out' }] }],
		['a list in data', { data: { queued: [ONE, THREE], ignored: [TWO] } }],
		['a list before all customers', { duplicates: [TWO], subscribers: emails(ONE, TWO, THREE) }],
		['an item with an opt-out', { data: [{ email: TWO, unsubscribed: true }] }],
		['a queued item with an opt-out', { data: [{ email: TWO, status: 'queued', optedOut: true }] }],
		['an item that was skipped', { data: [{ email: TWO, skipped: 'true' }] }],
	])('a row may have been sent if the response names its person in %s', async (_, named) => {
		const errors = await errorsA('survey.send', { ...queued, ...named });
		expect(errors).toEqual([undefined, expect.stringContaining(MAYBE), undefined]);
	});

	test.each(['subscriber', 'customer'])(
		'fails the row whose person is the %s of a failed item',
		async (name) => {
			const data = [{ [name]: { email: TWO }, status: 'fail' }];
			const errors = await errorsA('survey.send', { ...queued, data });
			expect(errors).toEqual([undefined, expect.stringContaining(TWO), undefined]);
		},
	);

	test.each<[string, IDataObject]>([
		['emails', { data: { emails: [ONE, TWO, THREE] } }],
		['subscribers', { subscribers: [ONE, TWO, THREE] }],
		['customers', { customers: emails(ONE, TWO, THREE) }],
		['created and updated', { data: { created: [ONE], updated: emails(TWO, THREE) } }],
		['other texts', { data: { tags: ['vip'], warnings: ['Slow'] } }],
		[
			'not unsubscribed',
			{ data: emails(ONE, TWO).map((one) => ({ ...one, unsubscribed: false })) },
		],
	])('sends all rows if the response only names them: %s', async (_, named) => {
		const errors = await errorsA('survey.send', { ...queued, ...named });
		expect(errors).toEqual([undefined, undefined, undefined]);
	});

	test('fails all rows if the response says partial, and names none', async () => {
		const errors = await errorsA('survey.send', { ...queued, status: 'partial' });
		expect(errors).toEqual([0, 1, 2].map(() => expect.stringContaining(MAYBE)));
	});
});

test('rows that a 401 keeps from being sent fail with its message, not with the reason of the row that it names', async () => {
	const data = [{ status: 'fail', email: ONE, reason: 'Mailbox is full' }];
	const body = { code: 401, message: 'Invalid API key.', data };
	sandbox.a.faults.add({ kind: { status: 401, body }, times: Infinity });
	// Four requests are in flight: the first two rows share one.
	const input = people(7).map((row, i) => ({ ...row, reason: `Reason ${Math.max(i, 1)}` }));
	const message = '={{ $json.reason }}';
	const parameters = { email: '={{ $json.email }}', options: { message } };
	const { items } = await rows('a', 'customer.unsubscribe', parameters, input);
	expect(sandbox.a.requests).toHaveLength(4);
	expect(errorOf(items[0] ?? {})).toContain(`${ONE}: Mailbox is full`);
	for (const item of items.slice(1)) expect(errorOf(item)).toContain('Invalid API key (HTTP 401)');
});

test.each([
	['customer.unsubscribe', 'unsubscribed'],
	['customer.delete', 'deleted'],
])('an item of %s has the email of its row, however Survey A spells it', async (name, mark) => {
	const body = { code: 200, data: [{ email: ONE.toUpperCase(), [mark]: true }] };
	sandbox.a.faults.add({ kind: { status: 200, body } });
	const { items } = await rows('a', name, { email: '={{ $json.email }}' }, [{ email: ONE }]);
	expect(items).toEqual([{ email: ONE, [mark]: true }]);
});

describe.each([400, 200])('a survey that a %d refuses to one of two rows', (status) => {
	const refused = { status: 'fail', reason: 'Mailbox is full' };
	const queued = { status: 'queued' };

	test.each<[string, IDataObject]>([
		['results under the addresses', { data: { [ONE]: queued, [TWO]: refused } }],
		[
			'results in data',
			{
				data: {
					results: [
						{ email: ONE, ...queued },
						{ email: TWO, ...refused },
					],
				},
			},
		],
		['a list beside data', { subscribers: [{ email: ONE, ...queued }], data: null }],
		['lists of customers', { data: { sent: emails(ONE), failed: emails(TWO) } }],
		['lists of addresses', { success: [ONE], failed: [TWO] }],
		['statuses under the addresses', { data: { [ONE]: 'queued', [TWO]: 'failed' } }],
	])('is not sent again to the other one, whom it names in %s [no-resend]', async (_, named) => {
		for (const name of ['survey.send', 'survey.sendLegacy']) {
			sandbox.a.reset();
			const body = { code: 400, message: 'Some surveys were not sent', ...named };
			sandbox.a.faults.add({ kind: { status, body } });
			const { items } = await rows('a', name, CAMPAIGN, people(2));
			expect(sandbox.a.requests.filter(({ rawBody }) => rawBody.includes(ONE))).toHaveLength(1);
			expect(errorOf(items[0] ?? {}) ?? MAYBE).toContain(MAYBE);
			expect(errorOf(items[1] ?? {})).toContain(TWO);
		}
	});
});

test('a survey fails the row whose address has a refusal for a status', async () => {
	const data = { [ONE]: 'queued', [TWO]: 'failed' };
	const errors = await errorsA('survey.send', { success: true, status: 'queued', data });
	expect(errors).toEqual([undefined, expect.stringContaining(TWO), undefined]);
});

test.each<[string, IDataObject]>([
	['customer.unsubscribe', { unsubscribed: true }],
	['customer.delete', { deleted: true }],
	['customer.upsert', { createdDate: '2026-11-01', tags: [] }],
])(
	'an error beside confirmed customers fails only the row that it names: %s',
	async (name, done) => {
		const confirmed = [ONE, THREE].map((email) => ({ email, ...done }));
		const errors = await errorsA(name, {
			code: 200,
			data: confirmed,
			errors: [{ email: TWO, message: 'Customer is locked' }],
		});
		expect(errors).toEqual([undefined, expect.stringContaining('Customer is locked'), undefined]);
	},
);

test.each<[string, string, IDataObject]>([
	['survey.send', 'failed', { status: 'queued' }],
	['survey.sendLegacy', 'rejected', { status: 'sending' }],
	['customer.upsert', 'invalid', { createdDate: '2026-11-01' }],
	['customer.unsubscribe', 'errors', { unsubscribed: true }],
	['customer.delete', 'skipped', { deleted: true }],
])(
	'a customer whom one list of a response refuses is not done, although another list has them, too: %s, %s',
	async (name, refused, done) => {
		const all = [ONE, TWO, THREE].map((email) => ({ email, ...done }));
		for (const lists of [
			{ [refused]: [{ email: TWO }], subscribers: all },
			{ subscribers: all, [refused]: [{ email: TWO }] },
		]) {
			sandbox.a.faults.clear();
			const errors = await errorsA(name, { code: 200, data: lists });
			expect(errors).toEqual([undefined, expect.stringContaining(TWO), undefined]);
		}
	},
);

test.each(['bounced', 'blocked'])(
	'a customer whose record is %s is saved, and not if the record has a reason',
	async (status) => {
		const subscribers = [
			{ email: ONE, status, deleted: false },
			{ email: TWO, status, reason: 'No such mailbox' },
			{ email: THREE },
		];
		const errors = await errorsA('customer.upsert', { code: 200, data: { subscribers } });
		expect(errors).toEqual([undefined, expect.stringContaining('No such mailbox'), undefined]);
	},
);

describe('a 400 with results of single customers, where repeating is harmless', () => {
	const refuses = (data: IDataObject[]) =>
		sandbox.a.faults.add({
			kind: { status: 400, body: { code: 400, message: 'Validation Error', data } },
		});

	test('fails those that it refuses, and sends the others again, also one that it does not name', async () => {
		refuses([
			{ email: ONE, createdDate: '2026-11-01' },
			{ email: TWO, status: 'fail', reason: 'Bad tag' },
		]);
		const { items } = await rows('a', 'customer.upsert', EMAIL_FROM_ROW);
		expect(items.map((json) => errorOf(json))).toEqual([
			undefined,
			expect.stringContaining('Bad tag'),
			undefined,
		]);
		const sent = sandbox.a.requests.map(({ body }) =>
			[Object(body).subscribers].flat().map(({ email }) => String(email)),
		);
		expect(sent).toEqual([
			[ONE, TWO, THREE],
			[ONE, THREE],
		]);
	});

	test.each<[string, IDataObject]>([
		['customer.unsubscribe', { unsubscribed: true }],
		['customer.delete', { deleted: true }],
	])('does not fail one that it confirms without a status: %s', async (name, done) => {
		const customers = sandbox.a.seedCustomers(2).map(({ email }) => email);
		const [ada = '', bob = ''] = customers;
		refuses([
			{ email: ada, ...done },
			{ email: bob, status: 'fail', reason: 'Is locked' },
		]);
		const input = customers.map((email) => ({ email }));
		const { items } = await rows('a', name, { email: '={{ $json.email }}' }, input);
		expect(items.map((json) => errorOf(json))).toEqual([
			undefined,
			expect.stringContaining('Is locked'),
		]);
	});

	test.each<IDataObject>([
		{ unsubscribed: false },
		{ reason: 'Is locked' },
		{ status: 'throttled' },
		{ status: null },
	])('fails one that it does not confirm: %j', async (said) => {
		const customers = sandbox.a.seedCustomers(2).map(({ email }) => email);
		refuses([{ email: customers[1] ?? '', ...said }]);
		const input = customers.map((email) => ({ email }));
		const parameters = { email: '={{ $json.email }}' };
		const { items } = await rows('a', 'customer.unsubscribe', parameters, input);
		expect(items.map((json) => errorOf(json))).toEqual([undefined, expect.any(String)]);
		expect(sandbox.a.requests).toHaveLength(2);
	});
});

describe('a response to Create or Update of Survey A without addresses, as the contract lists its fields', () => {
	const saved = (name: string) => ({ first_name: name, tags: [], createdDate: '2026-11-01' });

	test('confirms the rows if it has as many customers', async () => {
		const body = { code: 200, data: { subscribers: ['A', 'B', 'C'].map(saved) }, total: 3 };
		sandbox.a.faults.add({ kind: { status: 200, body } });
		const { items } = await rows('a', 'customer.upsert', EMAIL_FROM_ROW);
		expect(items).toEqual([{ email: ONE }, { email: TWO }, { email: THREE }]);
	});

	test('confirms none if it has fewer', async () => {
		const body = { code: 200, data: { subscribers: ['A', 'B'].map(saved) }, total: 2 };
		expect(await errorsA('customer.upsert', body)).toEqual(
			[0, 1, 2].map(() => expect.stringContaining('did not confirm')),
		);
	});

	test('confirms none if one of them failed', async () => {
		const [one, two, three] = ['A', 'B', 'C'].map(saved);
		const subscribers = [one, { ...two, status: 'fail' }, three];
		const errors = await errorsA('customer.upsert', { code: 200, data: { subscribers } });
		expect(errors[1]).toBeDefined();
	});
});

describe('a 403 of Survey B', () => {
	const reply = {
		feedbackId: '={{ $json.id }}',
		fromUser: '={{ $json.user }}',
		message: 'Thanks',
	};
	const replies = Array.from({ length: 80 }, (_, i) => ({
		id: String(2001 + i),
		user: i === 0 ? 'stranger@example.com' : 'anna@service-b.example',
	}));

	test.each<[string, IDataObject]>([
		['a member', { from_user: ['User is not a member of the organization.'] }],
		['a reply', { detail: 'Reply already exists.' }],
	])('about one row fails that row alone: %s', async (_, body) => {
		sandbox.b.faults.add({
			when: ({ rawBody }) => rawBody.includes('stranger'),
			kind: { status: 403, body },
		});
		const { items } = await rows('b', 'feedback.reply', reply, replies);
		const failed = items.flatMap((json, i) => (errorOf(json)?.includes('403') ? [i] : []));
		expect(failed).toEqual([0]);
	});

	test('that says that the contact unsubscribed is skipped, and the others are surveyed', async () => {
		sandbox.b.faults.add({
			when: ({ rawBody }) => rawBody.includes(TWO),
			kind: { status: 403, body: { detail: 'Contact has unsubscribed.' } },
		});
		const parameters = { campaignId: '101', ...automatic(), options: { ineligible: 'skip' } };
		const { items } = await rows('b', 'survey.send', parameters, people(100));
		expect(items.map(({ status }) => status).filter((status) => status !== 'SENT')).toEqual([
			'skipped',
		]);
	});

	test.each(['You do not have permission to perform this action.', 'Forbidden', ''])(
		'about the account ends the run: %j',
		async (detail) => {
			sandbox.b.faults.add({
				kind: { status: 403, body: detail ? { detail } : '' },
				times: Infinity,
			});
			const parameters = { campaignId: '101', ...automatic() };
			const { items } = await rows('b', 'survey.send', parameters, people(200));
			expect(items.every((json) => errorOf(json) !== undefined)).toBe(true);
			expect(sandbox.b.requests.length).toBeLessThan(100);
		},
	);
});

describe('a contact of Survey B that cannot be surveyed is skipped, whatever the field of the message', () => {
	const MESSAGE = 'Contact is not eligible for survey.';

	test.each<IDataObject>([
		{ campaign: [MESSAGE] },
		{ survey: [MESSAGE] },
		{ contact: { email: [MESSAGE] } },
		{ campaign_id: MESSAGE },
		{ __all__: [MESSAGE] },
		{ errors: [MESSAGE] },
		{ contact: [MESSAGE], campaign: [MESSAGE] },
	])('%j', async (body) => {
		sandbox.b.faults.add({ kind: { status: 400, body }, times: Infinity });
		const parameters = { campaignId: '101', ...automatic(), options: { ineligible: 'skip' } };
		const { items } = await rows('b', 'survey.send', parameters, people(1));
		expect(items).toMatchObject([{ status: 'skipped', details: { code: 'notEligible' } }]);
	});

	test('but fails if the message says something else, too', async () => {
		const body = { contact: [MESSAGE], campaign: ['Campaign is closed.'] };
		sandbox.b.faults.add({ kind: { status: 400, body }, times: Infinity });
		const parameters = { campaignId: '101', ...automatic(), options: { ineligible: 'skip' } };
		const { items } = await rows('b', 'survey.send', parameters, people(1));
		expect(errorOf(items[0] ?? {})).toContain('Campaign is closed');
	});
});

describe('a run that stops at a row whose response was lost', () => {
	test.each<['a' | 'b', string, INodeParameters]>([
		[
			'b',
			'feedback.addTag',
			{ feedbackId: '2001', tagName: '={{ $json.email }}', tagCategory: 'PROMOTER' },
		],
		['a', 'customer.upsert', EMAIL_FROM_ROW],
	])('does not say that nothing was sent: %s %s', async (of, name, parameters) => {
		sandbox[of].faults.add({ kind: 'reset-after', times: Infinity });
		const input = [{ email: ONE }, { email: ONE }];
		const { error } = await rows(of, name, parameters, input, { onError: 'stopWorkflow' });
		expect(error?.message).not.toContain('Nothing was sent');
		expect(error?.message).toContain('No other row was sent');
	});
});
