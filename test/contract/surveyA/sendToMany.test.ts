import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, mapped } from '../../support/columns';
import { people, useBench } from './bench';

const bench = useBench();

const AUTOMATIC = automatic();
const PERSON = mapped({ email: 'a@example.com' });
const campaign = () => bench().campaign('After purchase');
const writes = () => bench().service.requests.filter(({ method }) => method !== 'GET');

describe('a dry run', () => {
	const columns = automatic([{ id: 'property:Renewal', type: 'dateTime' }]);
	const DRY = { ...columns, options: { dryRun: true } };

	test('Dry Run checks all rows and writes nothing', async () => {
		const bad = [0, 99, 100, 500, 501, 777, 999];
		const input: IDataObject[] = people(1000).map((row) => ({ ...row, Renewal: '2026-11-21' }));
		for (const item of bad) input[item] = { ...input[item], Renewal: '2026-02-30' };
		const { items, hints } = await bench().run(
			'survey.send',
			{ ...DRY, campaign: campaign() },
			{ input, onError: 'continueRegularOutput' },
		);
		expect(bench().service.requests).toEqual([]);
		expect(items.flatMap(({ error }, item) => (error ? [item] : []))).toEqual(bad);
		expect(items[99]?.error).toContain('"2026-02-30"');
		const planned = items.filter(({ dryRun }) => dryRun);
		expect(planned).toHaveLength(993);
		expect(planned[0]).toEqual({
			dryRun: true,
			wouldSend: {
				request: 1,
				rowsInRequest: 100,
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
		expect(planned.at(-1)).toMatchObject({ wouldSend: { request: 10, rowsInRequest: 93 } });
		expect(hints.map(({ message }) => message)).toEqual([
			'Dry run: nothing was written to Survey A. Requests that would go out: 10',
		]);
	});

	test('shows exactly the requests that a real run sends', async () => {
		const input = people(250);
		const parameters = { ...AUTOMATIC, campaign: campaign() };
		const dry = await bench().run('survey.send', { ...parameters, ...DRY }, { input });
		await bench().run('survey.send', parameters, { input });
		const said = dry.items.map(({ wouldSend }) => Object(wouldSend));
		const sent = bench().service.requests.flatMap(({ rawBody }, index) =>
			JSON.parse(rawBody).subscribers.map((one: unknown) => ({ request: index + 1, one })),
		);
		expect(said.map(({ request, body }) => ({ request, one: body.subscribers[0] }))).toEqual(sent);
	});

	test('fails with On Error = Stop if one row is bad, and sends nothing', async () => {
		const input = [{ email: 'a@example.com' }, { mail: 'b@example.com' }];
		const { error } = await bench().run('customer.upsert', DRY, { input });
		expect(error?.message).toContain("Column 'email' is not in the row [item 1]");
		expect(bench().service.requests).toEqual([]);
	});

	test.each([
		['customer.upsert', PERSON, 'POST /api/v2/nps/customers'],
		['customer.unsubscribe', { email: 'a@example.com' }, 'POST /api/v2/nps/customers/unsubscribe'],
		['customer.delete', { email: 'a@example.com' }, 'DELETE /api/v2/nps/customers'],
		['survey.sendLegacy', { ...PERSON, campaign: '1' }, 'POST /api/v2/nps/customers/survey'],
		['survey.sendAudienceLegacy', { ...PERSON, campaign: '1' }, 'POST /api/v2/nps/audience/survey'],
		['feedback.setTags', { feedbackId: '1', tags: 'a' }, 'POST /api/v2/response/tags'],
	])('of %s shows the request', async (operation, parameters, line) => {
		const item = await bench().one(operation, { ...parameters, options: { dryRun: true } });
		const { method, path } = Object(item.wouldSend);
		expect(`${method} ${path}`).toBe(line);
		expect(bench().service.requests).toEqual([]);
	});
});

describe('customers who cannot be surveyed now', () => {
	const refuse = () =>
		bench().service.faults.add({
			kind: {
				status: 400,
				body: {
					code: 400,
					message: 'Validation Error',
					data: [{ status: 'fail', email: 'person2@example.com', reason: 'Has unsubscribed' }],
				},
			},
		});
	const send = async (options: INodeParameters) => {
		refuse();
		return await bench().run(
			'survey.send',
			{ ...AUTOMATIC, campaign: campaign(), options },
			{ input: people(3), onError: 'continueRegularOutput' },
		);
	};

	test('fail their rows by default', async () => {
		const { items } = await send({});
		expect(items).toMatchObject([
			{ status: 'queued' },
			{ error: expect.stringContaining('Has unsubscribed') },
			{ status: 'queued' },
		]);
	});

	test('are skipped with the reason if Ineligible = Skip, and the others are surveyed', async () => {
		const { items } = await send({ ineligible: 'skip' });
		expect(items).toMatchObject([
			{ status: 'queued' },
			{
				email: 'person2@example.com',
				campaignId: campaign(),
				status: 'skipped',
				reason: 'person2@example.com: Has unsubscribed',
			},
			{ status: 'queued' },
		]);
		expect(bench().service.state.sent).toHaveLength(2);
	});
});

describe('Quiet Period', () => {
	const send = async (days: number, input: IDataObject[], more: INodeParameters = {}) =>
		await bench().run(
			'survey.send',
			{ ...AUTOMATIC, campaign: campaign(), options: { quietPeriod: days, ...more } },
			{ input },
		);
	const now = () => {
		for (const survey of bench().service.state.outbox) survey.sentDate = new Date().toISOString();
	};

	test('skips customers surveyed within it, and surveys the others', async () => {
		await send(0, people(3));
		now();
		expect(bench().service.requests.every(({ method }) => method === 'POST')).toBe(true);
		const { items } = await send(1, [{ email: 'PERSON2@example.com' }, ...people(3, 3)]);
		expect(items).toMatchObject([
			{
				email: 'PERSON2@example.com',
				status: 'skipped',
				reason: expect.stringContaining('Surveyed on 20'),
			},
			{ status: 'skipped' },
			{ status: 'queued' },
			{ status: 'queued' },
		]);
		expect(bench().service.state.sent).toHaveLength(5);
	});

	test('surveys customers whose last survey is older, or of another campaign with This Campaign', async () => {
		await send(0, people(2));
		now();
		const [first] = bench().service.state.outbox.filter(({ email }) => /^person1/.test(email));
		if (first) first.sentDate = new Date(Date.now() - 25 * 60 * 60 * 1000).toISOString();
		const dry = { dryRun: true };
		const any = await send(1, people(2), dry);
		expect(any.items.map(({ status }) => status)).toEqual([undefined, 'skipped']);
		const same = await send(1, people(2), { ...dry, quietPeriodScope: 'thisCampaign' });
		expect(same.items.map(({ status }) => status)).toEqual([undefined, 'skipped']);
		for (const survey of bench().service.state.outbox) survey.campaignId = 'another';
		const other = await send(1, people(2), { quietPeriodScope: 'thisCampaign' });
		expect(other.items.map(({ status }) => status)).toEqual(['queued', 'queued']);
	});

	test('is read for each row if it is set by an expression', async () => {
		await send(0, people(4));
		now();
		const input = people(4).map((row, index) => ({
			...row,
			days: index < 2 ? 1 : 0,
			dry: index === 3,
		}));
		const { items } = await bench().run(
			'survey.send',
			{
				...mapped({ email: '={{ $json.email }}' }),
				campaign: campaign(),
				options: { quietPeriod: '={{ $json.days }}', dryRun: '={{ $json.dry }}' },
			},
			{ input },
		);
		expect(items).toMatchObject([
			{ status: 'skipped' },
			{ status: 'skipped' },
			{ status: 'queued' },
			{ dryRun: true },
		]);
		expect(bench().service.state.sent).toHaveLength(5);
	});

	test('leaves Ineligible by expression to each row', async () => {
		const data = people(3).map(({ email }) => ({
			email,
			status: 'fail',
			reason: 'Has unsubscribed',
		}));
		bench().service.faults.add({
			kind: { status: 400, body: { code: 400, message: 'Bad', data } },
		});
		const { items } = await bench().run(
			'survey.send',
			{
				...mapped({ email: '={{ $json.email }}' }),
				campaign: campaign(),
				options: { ineligible: "={{ $json.email.startsWith('person2') ? 'skip' : 'error' }}" },
			},
			{ input: people(3), onError: 'continueRegularOutput' },
		);
		expect(items.map(({ status }) => status)).toEqual([undefined, 'skipped', undefined]);
	});

	test.each([
		['half an hour ago', 0.5, 'skipped'],
		['one and a half hours ago', 1.5, 'queued'],
	])('reads a date without a zone as UTC: a survey of %s', async (_, hours, status) => {
		await send(0, people(1));
		const date = new Date(Date.now() - hours * 60 * 60 * 1000).toISOString();
		for (const survey of bench().service.state.outbox) survey.sentDate = date.replace('Z', '');
		expect((await send(1 / 24, people(1))).items).toMatchObject([{ status }]);
	});

	test('reads the outbox newest first, only as far back as needed, and once a run', async () => {
		bench().service.settings.maxLimit = 50;
		await send(0, people(320));
		now();
		bench().service.requests.length = 0;
		const { items } = await send(1, people(330));
		expect(items.filter(({ status }) => status === 'queued')).toHaveLength(10);
		const reads = bench().service.requests.filter(({ method }) => method === 'GET');
		expect(reads[0]?.url).toContain('/api/v2/nps/outbox?sort=-surveyCreatedDate');
		expect(reads.length).toBeLessThan(9);
	});

	test('sends nothing if the outbox cannot be read', async () => {
		bench().service.faults.add({
			times: Infinity,
			when: ({ method }) => method === 'GET',
			kind: { status: 403, body: { code: 403, message: 'Forbidden' } },
		});
		const { error } = await send(1, people(3));
		expect(error?.message).toContain('Forbidden');
		expect(writes()).toEqual([]);
	});
});
