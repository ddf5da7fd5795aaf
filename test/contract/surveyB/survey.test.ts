import type { IDataObject, NodeParameterValue } from 'n8n-workflow';

import { mapped } from '../../support/columns';
import { holdNext, whatCanGoOn } from '../../support/hold.mts';
import { useBench } from './bench';
import { testLarge } from '../../support/large.mts';

const bench = useBench();

const EMAIL = 'nathan@example.com';

/** Returns the parameters for sending a survey to a contact with these attributes. */
const send = (attributes: Record<string, NodeParameterValue>) => ({
	campaignId: '101',
	...mapped({
		email: EMAIL,
		...Object.fromEntries(
			Object.entries(attributes).map(([name, value]) => [`attribute:${name}`, value]),
		),
	}),
});

/** Takes the email from each row. */
const EACH_ROW = mapped({ email: '={{ $json.email }}' });

describe('send', () => {
	test('Send posts exactly the mapped columns and returns the status', async () => {
		const item = await bench().one('survey.send', {
			campaignId: '101',
			...mapped({
				email: 'nathan@example.com',
				firstName: 'Nathan',
				lastName: 'Smith',
				'attribute:plan': 'pro',
				'surveyAttribute:ticket': 4711,
			}),
		});
		const contact = {
			email: 'nathan@example.com',
			first_name: 'Nathan',
			last_name: 'Smith',
			attributes: { plan: 'pro' },
		};
		expect(bench().sent()).toEqual([
			{
				line: 'POST /api/v2/survey/',
				body: { campaign_id: 101, contact, attributes: { ticket: 4711 } },
			},
		]);
		expect(item).toEqual({
			email: 'nathan@example.com',
			campaign_id: 101,
			status: 'SENT',
			contact,
			attributes: { ticket: 4711 },
		});
	});

	test('Send posts nothing beyond the mapped columns', async () => {
		await bench().one('survey.send', {
			campaignId: 101,
			...mapped({ email: ' nathan@example.com ' }),
		});
		expect(bench().sent()).toEqual([
			{
				line: 'POST /api/v2/survey/',
				body: { campaign_id: 101, contact: { email: 'nathan@example.com' } },
			},
		]);
	});

	test('a response of an older server comes out under the same names', async () => {
		bench().service.settings.olderSurveyResponse = true;
		const item = await bench().one('survey.send', {
			campaignId: '101',
			...mapped({ email: 'a@example.com' }),
		});
		expect(item).toMatchObject({
			email: 'a@example.com',
			campaign_id: 101,
			campaign: 101,
		});
	});

	test('a run surveys an address once per campaign', async () => {
		const { items, hints } = await bench().run(
			'survey.send',
			{ campaignId: '={{ $json.campaign }}', ...EACH_ROW },
			{
				input: [
					{ campaign: 101, email: 'a@example.com' },
					{ campaign: 101, email: 'A@example.com ' },
					{ campaign: 102, email: 'b@example.com' },
				],
			},
		);
		expect(bench().service.state.sent).toHaveLength(2);
		expect(items).toMatchObject([
			{ email: 'a@example.com', status: 'SENT' },
			{
				email: 'A@example.com',
				campaign_id: 101,
				status: 'skipped',
				reason: 'Same email as item 0',
				duplicateOfItem: 0,
			},
			{ email: 'b@example.com', campaign_id: 102 },
		]);
		expect(hints.map(({ message }) => message)).toEqual([
			'Rows that were skipped: 1 (same email as an earlier row)',
		]);
	});

	test('the error that stops a run counts the rows that were sent before it and at the same time', async () => {
		const input = ['a', 'unsubscribed', 'c', 'd'].map((name) => ({
			email: `${name}@example.com`,
		}));
		const { faults } = bench().service;
		const has = (email: string) => (request: { rawBody: string }) =>
			request.rawBody.includes(email);
		const refused = holdNext(faults, { when: has('unsubscribed@') });
		const beside = holdNext(faults, { when: has('d@example.com') });
		const third = holdNext(faults, { when: has('c@example.com') });
		const running = bench().run(
			'survey.send',
			{ campaignId: '101', ...EACH_ROW, options: { timeout: 2 } },
			{ input },
		);
		await Promise.all([refused.arrived, beside.arrived, third.arrived]);
		await whatCanGoOn();
		refused.release();
		await whatCanGoOn();
		beside.release();
		third.release();
		const { error } = await running;
		expect(error?.message).toContain(
			'1 of 4 rows were sent before it (a@example.com), 2 after it (c@example.com, d@example.com)',
		);
	});

	test.each([
		['a bare array', ['Contact is not eligible for survey.']],
		['plain text', 'Contact is not eligible for survey.'],
	])('an error message in %s is reported with what to do', async (_, body) => {
		bench().service.faults.add({ kind: { status: 400, body } });
		const errorText = await bench().failure('survey.send', {
			campaignId: '101',
			...mapped({ email: 'a@example.com' }),
		});
		expect(errorText).toMatch(
			/^a@example.com: Contact is not eligible for survey\. \(HTTP 400\).*once in 24 hours/,
		);
	});

	testLarge(
		'the other 480 of 500 rows are sent once each if 20 are refused for six reasons',
		async () => {
			const { service } = bench();
			service.seedContacts(500);
			service.state.lastSurveyed.set('tired@example.com', Date.now());
			const reasons: Array<{ row: IDataObject; says: string }> = [
				{ row: { email: 'unsubscribed@example.com' }, says: 'Contact has unsubscribed.' },
				{ row: { email: 'no address' }, says: 'Enter a valid email address.' },
				{
					row: { campaign: 103 },
					says: 'Organization does not have permission to access campaign.',
				},
				{ row: { campaign: 104 }, says: 'Campaign requires a contact list to be associated.' },
				{ row: { email: 'tired@example.com' }, says: 'Contact is not eligible for survey.' },
				{ row: { plan: 'a $ sign' }, says: "Column 'plan' contains '$'" },
			];
			const bad = new Map(
				Array.from({ length: 20 }, (_, index) => [7 + index * 24, reasons[index % reasons.length]]),
			);
			const input = Array.from({ length: 500 }, (_, index) => ({
				campaign: 101,
				email: `contact${index + 1}@example.com`,
				plan: 'pro',
				...bad.get(index)?.row,
			}));
			const { items, output } = await bench().run(
				'survey.send',
				{
					campaignId: '={{ $json.campaign }}',
					...mapped({ email: '={{ $json.email }}', 'attribute:plan': '={{ $json.plan }}' }),
					options: { skipDuplicates: false },
				},
				{ input, onError: 'continueRegularOutput' },
			);
			const good = input.filter((_, index) => !bad.has(index));
			const sent = service.state.sent.map(({ email }) => email);
			expect(sent).toHaveLength(480);
			expect(new Set(sent)).toEqual(new Set(good.map(({ email }) => email)));
			expect(items).toHaveLength(500);
			items.forEach((item, index) => {
				expect(output[0]?.[index]?.pairedItem).toEqual({ item: index });
				const reason = bad.get(index);
				if (reason) expect(item.error).toContain(reason.says);
				else
					expect(item).toMatchObject({ email: `contact${index + 1}@example.com`, status: 'SENT' });
			});
		},
	);
});

describe('attributes of a contact', () => {
	test.each<[NodeParameterValue, unknown]>([
		['pro', 'pro'],
		[' two  spaces ', ' two  spaces '],
		[12.5, 12.5],
		['12', '12'],
		['007', '007'],
		[true, true],
		['true', 'true'],
		[0, 0],
		[false, false],
		['10-11-12', '10-11-12'],
		['11/21/26', '11/21/26'],
		['20250304', '20250304'],
		['2026-11-21', '2026-11-21'],
		['2026-11-21 10:30', '2026-11-21 10:30'],
		['2026-11-21T10:30:05Z', '2026-11-21T10:30:05Z'],
		['2026-11-21T10:30:05.123+01:00', '2026-11-21T09:30:05Z'],
		['={{ [1, "two", { three: true }] }}', [1, 'two', { three: true }]],
		['={{ new Date(Date.UTC(2026, 10, 21, 10, 30, 5, 7)) }}', '2026-11-21T10:30:05Z'],
		["={{ [DateTime.fromISO('2026-11-21T10:30:05.007+01:00')] }}", ['2026-11-21T09:30:05Z']],
	])('the value %p is sent as %p', async (value, sent) => {
		await bench().one('survey.send', send({ value }));
		expect(bench().sent()).toMatchObject([{ body: { contact: { attributes: { value: sent } } } }]);
	});

	test('a number as text with a decimal point fails and says to return a number', async () => {
		const says = await bench().failure('survey.send', send({ mrr: '12.5' }));
		expect(says).toContain('return a number from an expression');
		expect(bench().service.requests).toEqual([]);
	});

	test('attributes without a value are left out', async () => {
		await bench().one('survey.send', send({ plan: '', size: '={{ null }}' }));
		expect(bench().sent()).toEqual([
			{ line: 'POST /api/v2/survey/', body: { campaign_id: 101, contact: { email: EMAIL } } },
		]);
	});
});
