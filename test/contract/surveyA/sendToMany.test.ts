import type { IDataObject } from 'n8n-workflow';

import { automatic, people } from '../../support/columns';
import { useRunner } from './runner';

const runner = useRunner();

const AUTOMATIC = automatic();
const campaign = () => runner.campaign('After purchase');

describe('a dry run', () => {
	const columns = automatic([{ id: 'property:Renewal', type: 'dateTime' }]);
	const DRY = { ...columns, options: { dryRun: true } };

	test('Dry Run checks all rows and writes nothing [dry-run]', async () => {
		const bad = [0, 99, 100, 500, 501, 777, 999];
		const input: IDataObject[] = people(1000).map((row) => ({ ...row, Renewal: '2026-11-21' }));
		for (const item of bad) input[item] = { ...input[item], Renewal: '2026-02-30' };
		const { items, hints } = await runner.rows(
			'survey.send',
			{ ...DRY, campaign: campaign() },
			input,
		);
		expect(runner.service.requests).toEqual([]);
		expect(items.flatMap(({ error }, item) => (error ? [item] : []))).toEqual(bad);
		expect(items[99]?.error).toContain('"2026-02-30"');
		const planned = items.filter(({ dryRun }) => dryRun);
		expect(planned).toHaveLength(993);
		expect(planned[0]).toEqual({
			...input[1],
			dryRun: true,
			request: {
				number: 1,
				rows: 100,
				method: 'POST',
				path: '/api/v2/survey',
				body: {
					campaign: campaign(),
					subscribers: [
						{
							email: 'person2@example.com',
							properties: [{ label: 'Renewal', type: 'date', value: '2026-11-21T00:00:00.000Z' }],
						},
					],
				},
			},
		});
		expect(planned.at(-1)).toMatchObject({ request: { number: 10, rows: 93 } });
		expect(hints).toEqual([
			'Rows of the dry run were not written to Survey A. Requests that would go out: 10',
		]);
	});

	test('shows exactly the requests that a real run sends, and names new properties', async () => {
		const input = people(250).map((row) => ({ ...row, Tier: 'pro' }));
		const parameters = { ...AUTOMATIC, campaign: campaign() };
		const dry = await runner.run('survey.send', { ...parameters, ...DRY }, { input });
		await runner.run('survey.send', parameters, { input });
		const said = dry.items.map((item) => Object(item.request));
		const sent = runner
			.bodies()
			.flatMap(({ subscribers }, index) =>
				[subscribers].flat().map((one) => ({ number: index + 1, one })),
			);
		expect(said.map(({ number, body }) => ({ number, one: body.subscribers[0] }))).toEqual(sent);
		expect(dry.hints).toContain('Sent to Survey A as new: Tier (text)');
	});
});

test('customers who cannot be surveyed now are skipped with the reason if Ineligible = Skip, and the others are surveyed', async () => {
	runner.respond(400, {
		code: 400,
		message: 'Validation Error',
		data: [{ status: 'fail', email: 'person2@example.com', reason: 'Has unsubscribed' }],
	});
	const parameters = { ...AUTOMATIC, campaign: campaign(), options: { ineligible: 'skip' } };
	const { items, hints } = await runner.rows('survey.send', parameters, people(3));
	expect(hints).toEqual(['Rows that were skipped: 1 (unsubscribed)']);
	const reason = 'person2@example.com: Has unsubscribed';
	expect(items).toMatchObject([
		{ status: 'queued' },
		{ email: 'person2@example.com', campaignId: campaign(), status: 'skipped', reason },
		{ status: 'queued' },
	]);
	expect(runner.service.state.sent).toHaveLength(2);
});

test('a customer whom a refusal names without a reason fails with its message', async () => {
	const data = [{ status: 'fail', email: 'person2@example.com' }];
	runner.respond(400, { code: 400, message: 'Invalid email addresses', data });
	const { items } = await runner.rows(
		'survey.send',
		{ ...AUTOMATIC, campaign: campaign() },
		people(2),
	);
	expect(items[0]).toMatchObject({ status: 'queued' });
	expect(items[1]?.error).toMatch(/^person2@example.com: Invalid email addresses/);
});

test('a refused customer is not skipped because the address reads like a reason', async () => {
	const email = 'unsubscribed@example.com';
	runner.respond(400, {
		code: 400,
		message: 'Validation Error',
		data: [{ status: 'fail', email, reason: 'Invalid email address' }],
	});
	const parameters = { ...AUTOMATIC, campaign: campaign(), options: { ineligible: 'skip' } };
	const { items } = await runner.rows('survey.send', parameters, [{ email }, ...people(1)]);
	expect(items[0]?.error).toContain('Invalid email address');
	expect(items[1]).toMatchObject({ status: 'queued' });
});

test.each([200, 500])(
	'a customer whom a response names as failed has the code refused (HTTP %s)',
	async (status) => {
		const email = 'person1@example.com';
		const data = [{ email, status: 'fail', reason: 'Domain is not allowed' }];
		runner.respond(status, { code: status, message: 'Partly done', data });
		const name = status === 200 ? 'customer.upsert' : 'survey.sendLegacy';
		const parameters = { ...AUTOMATIC, campaign: campaign() };
		const { items } = await runner.rows(name, parameters, people(1));
		expect(items).toMatchObject([
			{
				error: expect.stringContaining('person1@example.com: Domain is not allowed'),
				details: { code: 'refused' },
			},
		]);
	},
);
