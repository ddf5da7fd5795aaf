import type { INodeParameters } from 'n8n-workflow';

import { mapped } from '../../support/columns';
import { people, useBench } from '../surveyA/bench';

const bench = useBench();

const EMAIL = mapped({ email: '={{ $json.email }}' });

test('a row with Dry Run by expression is not sent, wherever it stands', async () => {
	const input = [false, true, false, true].map((test, item) => ({ ...people(4)[item], test }));
	const { items } = await bench().run(
		'survey.send',
		{
			campaign: bench().campaign('After purchase'),
			...EMAIL,
			options: { dryRun: '={{ $json.test }}' },
		},
		{ input },
	);
	expect(bench().service.state.sent.map(({ email }) => email)).toEqual([
		'person1@example.com',
		'person3@example.com',
	]);
	expect(items.map(({ dryRun }) => dryRun)).toEqual([undefined, true, undefined, true]);
});

test('a customer with Dry Run by expression is not deleted', async () => {
	const [kept = '', gone = ''] = [...bench().service.state.customers.keys()];
	await bench().run(
		'customer.delete',
		{ email: '={{ $json.email }}', options: { dryRun: '={{ $json.test }}' } },
		{
			input: [
				{ email: gone, test: false },
				{ email: kept, test: true },
			],
		},
	);
	expect(bench().service.state.customers.has(kept)).toBe(true);
	expect(bench().service.state.customers.has(gone)).toBe(false);
});

test('Ineligible by expression skips only the rows that ask for it', async () => {
	bench().service.faults.add({
		times: Infinity,
		when: ({ method }) => method === 'POST',
		kind: { status: 403, body: { code: 403, message: 'Customer has unsubscribed', data: null } },
	});
	const input = ['error', 'skip'].map((ineligible, item) => ({ ...people(2)[item], ineligible }));
	const { items } = await bench().run(
		'survey.send',
		{
			campaign: bench().campaign('After purchase'),
			...EMAIL,
			options: { ineligible: '={{ $json.ineligible }}' },
		},
		{ input, onError: 'continueRegularOutput' },
	);
	expect(items).toMatchObject([
		{ error: expect.stringContaining('has unsubscribed') },
		{ status: 'skipped', reason: expect.stringContaining('has unsubscribed') },
	]);
});

test('Quiet Period by expression applies to the rows that have it', async () => {
	const [survey] = bench().service.state.outbox;
	const email = String(survey?.email);
	if (survey) survey.sentDate = new Date().toISOString();
	const options: INodeParameters = { quietPeriod: '={{ $json.days }}', skipDuplicates: false };
	const { items } = await bench().run(
		'survey.send',
		{ campaign: bench().campaign('After purchase'), ...EMAIL, options },
		{
			input: [
				{ email, days: 0 },
				{ email, days: 10 },
			],
		},
	);
	expect(items.map(({ status }) => status)).toEqual(['queued', 'skipped']);
});
