import type { INodeParameters } from 'n8n-workflow';

import { findCampaign } from '../../../sandbox/a/state';
import { outboxRecord } from '../../../sandbox/a/surveys';
import { companyNamed, placeCustomer } from '../../../sandbox/a/writing';
import { a, credential, CSAT, newCustomer, NPS, Stage, withServiceA } from './stage.mts';
import type { Output } from './stage.mts';

const EVENTS = ['feedback.created', 'customer.created', 'company.created', 'survey.sent'];

const on = (...events: string[]): INodeParameters => ({ events, routeBy: 'none', simplify: false });

withServiceA();

let stage: Stage;
beforeEach(() => void (stage = new Stage(credential())));

const answer = (score = 5) => a.answer({ email: 'ada@acme.example', campaignId: NPS, score });

const newCompany = (name: string) => companyNamed(a.state, name, a.state.clock.now());

function sendSurvey(email = 'ada@acme.example', campaignId = NPS, sentDate = a.state.clock.now()) {
	const customer = a.state.customers.get(email);
	const campaign = findCampaign(a.state, campaignId);
	if (!customer || !campaign) throw new Error(`No ${email} or ${campaignId}`);
	const survey = outboxRecord(customer, campaign, sentDate, 'autoreply');
	a.state.outbox.push(survey);
	return survey;
}

const items = (output: Output) => (output ?? []).map((all) => all.map(({ json }) => json));

const asSent = <Row>(row: Row): Row => JSON.parse(JSON.stringify(row));

describe('company.created', () => {
	test('returns each company once, as the service sends it', async () => {
		expect(await stage.publish(on('company.created'))).toBeNull();
		const company = newCompany('Umbrella');
		expect(items(await stage.poll())).toEqual([[{ event: 'company.created', data: company }]]);
		company.contactsCount++;
		expect(await stage.poll()).toBeNull();
	});

	test('returns all companies created during an outage', async () => {
		await stage.publish(on('company.created'));
		for (let i = 0; i < 250; i++) newCompany(`Company ${i}`);
		await stage.poll();
		expect(new Set(stage.came).size).toBe(250);
		expect(stage.came).toHaveLength(250);
		expect(await stage.poll()).toBeNull();
	});
});

describe('survey.sent', () => {
	test('returns each survey once, even if its status changes', async () => {
		expect(await stage.publish(on('survey.sent'))).toBeNull();
		const survey = sendSurvey();
		const sent = asSent(survey);
		expect(items(await stage.poll())).toEqual([[{ event: 'survey.sent', data: sent }]]);
		survey.status = 'RESPONDED';
		Object.assign(survey, { emailProviderMessageId: 'message 1' });
		expect(await stage.poll()).toBeNull();
		expect(await stage.restart()).toBeNull();
	});

	test('returns all surveys that were sent at the same moment', async () => {
		await stage.publish(on('survey.sent'));
		const now = a.state.clock.now();
		const twice = [
			sendSurvey('ada@acme.example', NPS, now),
			sendSurvey('alan@globex.example', NPS, now),
		];
		await stage.poll();
		twice.push(sendSurvey('ada@acme.example', CSAT, now));
		await stage.poll();
		expect(stage.runs.flat().map(({ json }) => json.data)).toEqual(
			expect.arrayContaining(asSent(twice)),
		);
		expect(stage.runs.flat()).toHaveLength(3);
	});

	test.each([
		['email', 'other@acme.example'],
		['customerId', '5f3c9a2b8d1e4f6a7b0c1d2e'],
		['campaignId', '64a000000000000000000099'],
		['surveyTemplateId', '64a000000000000000000098'],
		['channel', 'sms'],
	])('returns both surveys of one moment that differ only in the %s', async (field, value) => {
		await stage.publish(on('survey.sent'));
		const survey = sendSurvey();
		await stage.poll();
		a.state.outbox.push({ ...survey, [field]: value });
		await stage.poll();
		expect(stage.runs.flat()).toHaveLength(2);
		await stage.poll();
		expect(stage.runs.flat()).toHaveLength(2);
	});

	test('returns a survey that was sent after 150 newer ones were created', async () => {
		const hours = (count: number) => new Date(Date.now() - count * 3600_000).toISOString();
		for (let i = 0; i < 150; i++) sendSurvey('ada@acme.example', NPS, hours(20 - i / 10));
		await stage.publish(on('survey.sent'));
		const delayed = sendSurvey('alan@globex.example');
		const sent = asSent(delayed);
		Object.assign(delayed, { surveyCreatedDate: hours(30) });
		await stage.poll();
		expect(items([stage.runs.flat()])[0]).toEqual([{ event: 'survey.sent', data: sent }]);
		expect(await stage.poll()).toBeNull();
	});

	test('returns a survey once that was listed before it was sent', async () => {
		await stage.publish(on('survey.sent'));
		const queued = sendSurvey();
		Object.assign(queued, { sentDate: '' });
		expect((await stage.poll())?.[0]).toHaveLength(1);
		Object.assign(queued, { sentDate: a.state.clock.now() });
		expect(await stage.poll()).toBeNull();
		sendSurvey('alan@globex.example');
		expect((await stage.poll())?.[0]).toHaveLength(1);
		expect(await stage.poll()).toBeNull();
	});

	test('begins with the start date', async () => {
		const startDate = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000).toISOString();
		const output = await stage.publish({ ...on('survey.sent'), options: { startDate } });
		expect(output?.[0]).toHaveLength(a.state.outbox.length);
	});
});

describe('all four events of Survey A Trigger', () => {
	test('have one output each', async () => {
		await stage.publish({ ...on(...EVENTS), routeBy: 'event' });
		sendSurvey();
		newCompany('Umbrella');
		newCustomer('new@example.com');
		answer();
		const [feedback = [], customers = [], companies = [], surveys = []] = items(await stage.poll());
		expect([feedback, customers, companies].map((all) => all.map(({ event }) => event))).toEqual([
			['feedback.created'],
			['customer.created'],
			['company.created'],
		]);
		// The answered survey is in the outbox, too.
		expect(surveys.map(({ event }) => event)).toContain('survey.sent');
	});

	test('a filter does not apply to events that lack its field', async () => {
		const filters = { campaignIds: [CSAT], minScore: 9, metrics: ['CSAT'] };
		await stage.publish({ ...on(...EVENTS), filters });
		sendSurvey('ada@acme.example', NPS);
		const sent = sendSurvey('alan@globex.example', CSAT);
		answer(10);
		const company = newCompany('Umbrella');
		const customer = newCustomer('new@example.com');
		await stage.poll();
		const came = stage.runs.flat().map(({ json }) => json.data);
		expect(came).toEqual(asSent([customer, company, sent]));
	});
});

test.each(['metricsType', 'campaignId', 'score', 'id', 'createdDate'])(
	'an object as %s does not stop Survey A Trigger',
	async (name) => {
		const filters = { campaignIds: [CSAT, NPS], metrics: ['CSAT', 'NPS'] };
		await stage.publish({ ...on('feedback.created'), routeBy: 'scoreType', filters });
		Object.assign(answer(), { [name]: { toString: 1, valueOf: 1 } });
		await stage.poll();
		answer();
		await stage.poll();
		// A filter holds back values that it cannot compare.
		const isHeldBack = name === 'metricsType' || name === 'campaignId';
		expect(stage.runs.flat()).toHaveLength(isHeldBack ? 1 : 2);
	},
);

describe('rows without a usable date', () => {
	const MISSING = 'is missing';

	test.each([
		['feedback.created', null, `data.createdDate: ${MISSING}`, () => answer()],
		['feedback.created', '', `data.createdDate: ${MISSING}`, () => answer()],
		['feedback.created', 'soon', 'data.createdDate: is not a date: "soon"', () => answer()],
		[
			'customer.created',
			undefined,
			`data.createdDate: ${MISSING}`,
			() => newCustomer('x@example.com'),
		],
		['company.created', '4', 'data.createdDate: is not a date: "4"', () => newCompany('Umbrella')],
		['survey.sent', null, `data.sentDate: ${MISSING}`, () => sendSurvey()],
	])('%s with the date %p comes out once, with its issue', async (event, date, issue, add) => {
		await stage.publish(on(event));
		const row = add();
		Object.assign(row, event === 'survey.sent' ? { sentDate: date } : { createdDate: date });
		expect(items(await stage.poll())).toEqual([[{ event, data: asSent(row), issues: [issue] }]]);
		expect(await stage.poll()).toBeNull();
		await stage.publish();
		expect(await stage.restart()).toBeNull();
	});

	test('are not new if they existed before publishing', async () => {
		Object.assign(answer(), { createdDate: null });
		a.seedFeedback(200);
		await stage.publish(on('feedback.created'));
		const feedback = answer();
		await stage.poll();
		expect(stage.came).toEqual([`feedback.created ${feedback.id}`]);
	});

	test.each([
		['UNIX seconds', (at: Date) => Math.floor(at.getTime() / 1000)],
		['milliseconds', (at: Date) => at.getTime()],
		['text without a zone', (at: Date) => at.toISOString().replace('T', ' ').slice(0, 19)],
	])('do not include rows whose date is given as %s', async (_, form) => {
		await stage.publish(on('customer.created'));
		const customer = newCustomer('new@example.com');
		Object.assign(customer, { createdDate: form(new Date(customer.createdDate)) });
		expect(items(await stage.poll())[0]).toEqual([{ event: 'customer.created', data: customer }]);
	});
});

test('3,000 rows with one date cost one request a poll, and ten bytes each', async () => {
	await stage.publish(on('customer.created'));
	const now = a.state.clock.now();
	for (let i = 0; i < 3000; i++) placeCustomer(a.state, { email: `new${i}@example.com` }, now);
	await stage.poll();
	expect(new Set(stage.came).size).toBe(3000);
	const before = a.requests.length;
	for (let i = 0; i < 3; i++) expect(await stage.poll()).toBeNull();
	expect(a.requests).toHaveLength(before + 3);
	expect(stage.storedSize).toBeLessThan(2 * 10 * 3000);
});

describe('a service that refuses large pages', () => {
	const refuseAbove = (most: number, status = 400) =>
		a.faults.add({
			times: Infinity,
			when: ({ query }) => Number(query.limit ?? 0) > most,
			kind: { status, body: { message: '"limit" is too large' } },
		});

	test.each([
		[999, 100, 400],
		[99, undefined, 400],
		[999, 100, 413],
		[999, 100, 422],
	])('above %i rows is asked for %p rows after HTTP %i', async (most, limit, status) => {
		await stage.publish(on('customer.created'));
		refuseAbove(most, status);
		for (let i = 0; i < 250; i++) newCustomer(`new${i}@example.com`);
		await stage.poll();
		expect(new Set(stage.came).size).toBe(250);
		const granted = a.requests.filter(({ status, query }) => status === 200 && query.page === '3');
		expect(granted.map(({ query }) => query.limit)).toContain(limit && String(limit));
		expect(await stage.poll()).toBeNull();
	});

	test('is not the reason for another HTTP 400, which is reported', async () => {
		await stage.publish(on('customer.created'));
		a.faults.add({ times: Infinity, kind: { status: 400, body: { message: 'No such sort' } } });
		await expect(stage.poll()).rejects.toThrow('No such sort (HTTP 400)');
	});
});
