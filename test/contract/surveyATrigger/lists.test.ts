import type { INodeParameters } from 'n8n-workflow';

import { findCampaign } from '../../../sandbox/a/state';
import { outboxRecord } from '../../../sandbox/a/records';
import type { RecordedRequest } from '../../../sandbox';
import { companyNamed, placeCustomer } from '../../../sandbox/a/writing';
import { onItsOwnClock, passTime } from '../../support/clock.mts';
import { testLarge } from '../../support/large.mts';
import { randomFrom } from '../../support/random.mts';
import {
	a,
	AT_ONCE,
	credential,
	CSAT,
	newCustomer,
	NPS,
	PolledWorkflow,
	withServiceA,
} from './polledWorkflow.mts';
import type { Output } from './polledWorkflow.mts';

// Which records of the four lists start a workflow.

const HOUR = 60 * 60 * 1000;
const EVENTS = ['feedback.created', 'customer.created', 'company.created', 'survey.sent'];

const on = (...events: string[]): INodeParameters => ({
	events,
	routeBy: 'none',
	simplify: false,
	options: AT_ONCE,
});

withServiceA();

let key: ReturnType<typeof credential>;
let workflow: PolledWorkflow;
beforeEach(() => {
	a.apiKey = 'example-key-of-service-a';
	key = credential();
	workflow = new PolledWorkflow(key);
});

const answer = (score = 5) => a.answer({ email: 'ada@acme.example', campaignId: NPS, score });

const newCompany = (name: string) => companyNamed(a.state, name, a.state.clock.now());

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

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

test('a burst after an outage is read once if it fits on one page', async () => {
	await workflow.publish(on('customer.created'));
	for (let i = 0; i < 300; i++) newCustomer(`new${i}@example.com`);
	passTime(HOUR);
	newCustomer('late@example.com');
	a.requests.length = 0;
	await workflow.poll();
	await workflow.poll();
	expect(workflow.came).toHaveLength(301);
	expect(a.requests.map(({ query }) => query.limit)).toEqual(['100', '1000', '100']);
});

test('removals during a poll move no record past it', async () => {
	a.settings.maxLimit = 100;
	await workflow.publish(on('customer.created'));
	for (let i = 0; i < 350; i++) newCustomer(`new${i}@example.com`);
	let removed = 0;
	a.faults.add({
		times: Infinity,
		when: () => {
			for (let i = 0; i < 2; i++) a.state.customers.delete(`new${removed++}@example.com`);
			return false;
		},
		kind: 'reset-before',
	});
	await workflow.poll();
	a.faults.clear();
	await workflow.poll();
	const lasting = [...a.state.customers.values()].filter(({ email }) => email.startsWith('new'));
	const came = new Set(workflow.came);
	expect(lasting.filter(({ id }) => !came.has(`customer.created ${id}`))).toEqual([]);
	expect(workflow.came).toHaveLength(came.size);
});

test('a page of records that is added during a poll hides no others', async () => {
	a.settings.maxLimit = 100;
	await workflow.publish(on('customer.created'));
	for (let i = 0; i < 400; i++) newCustomer(`new${i}@example.com`);
	let page = 0;
	a.faults.add({
		times: Infinity,
		when: () => {
			if (++page > 5) return false;
			for (let i = 0; i < 100; i++) newCustomer(`page${page}.${i}@example.com`);
			return false;
		},
		kind: 'reset-before',
	});
	for (let poll = 0; poll < 3; poll++) await workflow.poll();
	expect(new Set(workflow.came).size).toBe(a.state.customers.size - 4);
});

test('a poll that fails midway has made progress, and the next one reads on', async () => {
	a.settings.maxLimit = 100;
	await workflow.publish(on('customer.created'));
	for (let i = 0; i < 500; i++) newCustomer(`new${i}@example.com`);
	a.requests.length = 0;
	const when = () => a.requests.length > 4;
	a.faults.add({ when, times: 1, kind: { status: 403, body: { code: 403, message: 'No' } } });
	const first = (await workflow.poll())?.[0]?.length ?? 0;
	expect(first).toBeGreaterThan(100);
	await workflow.poll();
	expect(new Set(workflow.came).size).toBe(500);
	expect(workflow.came).toHaveLength(500);
});

test.each([
	[4, 0],
	[5, 0],
	[9, 0],
	[9, 700],
	[14, 1500],
])(
	'a burst of 3,000 comes whole and once although each poll ends after %i requests, and %i of them are removed meanwhile',
	async (most, removed) => {
		a.settings.maxLimit = 100;
		for (let i = 0; i < 60; i++)
			placeCustomer(a.state, { email: `old${i}@example.com` }, ago(HOUR));
		await workflow.publish(on('customer.created'));
		for (let i = 0; i < 3000; i++)
			placeCustomer(a.state, { email: `new${i}@example.com` }, ago((3000 - i) * 10));
		const kind = { status: 403, body: { code: 403, message: 'No' } };
		a.faults.add({ when: () => a.requests.length > most, times: Infinity, kind });
		const lasting = [...a.state.customers.values()].filter(({ email }) => email.startsWith('new'));
		const gone = lasting.splice(1000, removed);
		for (let poll = 0; poll < 40; poll++) {
			a.requests.length = 0;
			await workflow.poll().catch(() => undefined);
			if (poll === 2) for (const { email } of gone) a.state.customers.delete(email);
		}
		const names = lasting.map(({ id }) => `customer.created ${id}`);
		expect(workflow.came).toEqual(expect.arrayContaining(names));
		expect(new Set(workflow.came).size).toBe(workflow.came.length);
	},
);

test.each([150, 250])(
	'a poll that was cut off is read on, although only %i of 500 are left and older records stand where it ended, and later polls are one request each',
	async (left) => {
		a.settings.maxLimit = 100;
		for (let i = 0; i < 60; i++)
			placeCustomer(a.state, { email: `old${i}@example.com` }, ago(HOUR));
		await workflow.publish(on('customer.created'));
		for (let i = 0; i < 500; i++)
			placeCustomer(a.state, { email: `new${i}@example.com` }, ago((500 - i) * 10));
		a.requests.length = 0;
		const when = () => a.requests.length > 4;
		a.faults.add({ when, times: 1, kind: { status: 403, body: { code: 403, message: 'No' } } });
		await workflow.poll();
		for (let i = left; i < 500; i++) a.state.customers.delete(`new${i}@example.com`);
		await workflow.poll();
		const names = Array.from({ length: left }, (_, i) => {
			return `customer.created ${a.state.customers.get(`new${i}@example.com`)?.id}`;
		});
		expect(workflow.came).toEqual(expect.arrayContaining(names));
		expect(new Set(workflow.came).size).toBe(workflow.came.length);
		passTime(HOUR);
		await workflow.poll();
		a.requests.length = 0;
		await workflow.poll();
		expect(a.requests).toHaveLength(1);
	},
);

test('a list that ends before its last page, since records are removed during the poll, is read to its end', async () => {
	a.settings.maxLimit = 20;
	a.settings.pageAfterLast = 404;
	await workflow.publish(on('customer.created'));
	while (a.state.customers.size < 100) newCustomer(`new${a.state.customers.size}@example.com`);
	const when = ({ query }: RecordedRequest) => {
		const isLast = query.page === '5' && a.state.customers.size === 100;
		for (let i = 99; isLast && i >= 80; i--) a.state.customers.delete(`new${i}@example.com`);
		return false;
	};
	a.faults.add({ when, times: Infinity, kind: 'reset-before' });
	await workflow.poll();
	const lasting = [...a.state.customers.values()].filter(({ email }) => email.startsWith('new'));
	const names = lasting.map(({ id }) => `customer.created ${id}`);
	expect(workflow.came).toEqual(expect.arrayContaining(names));
});

test('after a change of the key nothing is lost although the clocks of n8n and the service are hours apart', async () => {
	for (const feedback of a.state.feedback) feedback.createdDate = ago(9 * HOUR);
	await workflow.publish(on('feedback.created'));
	answer().createdDate = ago(5 * HOUR);
	await workflow.poll();
	key.apiKey = a.apiKey = 'example-key-of-another-account';
	answer().createdDate = ago(5 * HOUR - 1000);
	await workflow.poll();
	expect(new Set(workflow.came).size).toBe(2);
});

test('after a change of the key nothing is lost of a list that fails in the first poll after it', async () => {
	await workflow.publish(on('feedback.created', 'customer.created'));
	placeCustomer(a.state, { email: 'known@example.com' }, ago(-1 * 1000));
	await workflow.poll();
	key.apiKey = a.apiKey = 'example-key-of-another-account';
	const customer = placeCustomer(a.state, { email: 'new@example.com' }, ago(-2 * 1000));
	answer().createdDate = ago(-3 * 1000);
	const when = ({ path }: { path: string }) => path.endsWith('/customers');
	a.faults.add({ when, times: 1, kind: { status: 403, body: { code: 403, message: 'No' } } });
	await workflow.poll();
	await workflow.poll();
	expect(workflow.came).toContain(`customer.created ${customer.id}`);
});

test('after a change of the key, what came before a page that failed starts one run, once the account is known', async () => {
	await workflow.publish(on('customer.created'));
	newCustomer('known@example.com');
	passTime(60_000);
	await workflow.poll();
	key.apiKey = a.apiKey = 'second-key-of-the-account';
	for (let i = 0; i < 150; i++) newCustomer(`new${i}@example.com`);
	passTime(60_000);
	a.requests.length = 0;
	const kind = { status: 403, body: { code: 403, message: 'No' } };
	a.faults.add({ when: () => a.requests.length > 1, times: 1, kind });
	await workflow.poll().catch(() => undefined);
	await workflow.poll();
	expect(new Set(workflow.came).size).toBe(151);
	expect(workflow.came).toHaveLength(151);
});

test('after a change to another account, what it got before a poll of the earlier account was cut off comes out', async () => {
	a.settings.maxLimit = 100;
	await workflow.publish(on('customer.created'));
	passTime(HOUR);
	for (let i = 0; i < 500; i++) newCustomer(`new${i}@example.com`);
	a.requests.length = 0;
	const kind = {
		status: 403,
		headers: { date: new Date(Date.now()).toUTCString() },
		body: { code: 403, message: 'No' },
	};
	a.faults.add({ when: () => a.requests.length > 4, times: 1, kind });
	await workflow.poll();
	workflow.runs.length = 0;
	key.apiKey = a.apiKey = 'example-key-of-another-account';
	a.state.customers.clear();
	const customer = placeCustomer(a.state, { email: 'other@example.com' }, ago(HOUR / 2));
	await workflow.poll();
	expect(workflow.came).toEqual([`customer.created ${customer.id}`]);
});

test('all 2,500 records of the moment of Start Date start a run, although page borders divide them', async () => {
	for (const customer of a.state.customers.values()) customer.createdDate = ago(3 * HOUR);
	const startDate = ago(2 * HOUR);
	for (let i = 0; i < 2500; i++)
		placeCustomer(a.state, { email: `new${i}@example.com` }, startDate);
	await workflow.publish({ ...on('customer.created'), options: { ...AT_ONCE, startDate } });
	expect(workflow.came).toHaveLength(2500);
});

test('the first poll asks for smaller pages where the service refuses large ones, and so do later ones', async () => {
	const refusesLarge = ({ query }: { query: { limit?: string } }) => Number(query.limit) > 100;
	const body = { code: 400, message: 'Validation failed' };
	a.faults.add({ when: refusesLarge, times: Infinity, kind: { status: 400, body } });
	await workflow.publish(on('customer.created'));
	for (let i = 0; i < 350; i++) newCustomer(`new${i}@example.com`);
	await workflow.poll();
	expect(new Set(workflow.came).size).toBe(350);
	expect(workflow.came).toHaveLength(350);
});

test('the memory has the newest 51 records of a quiet account, and the newest 2,000 of a busy one', async () => {
	const perRecord = 26;
	await workflow.publish(on('customer.created'));
	for (let i = 0; i < 3000; i++)
		placeCustomer(a.state, { email: `new${i}@example.com` }, ago(i * 10));
	await workflow.poll();
	expect(new Set(workflow.came).size).toBe(3000);
	expect(workflow.storedSize).toBeLessThan(2000 * perRecord + 500);
	passTime(HOUR);
	newCustomer('last@example.com');
	await workflow.poll();
	expect(workflow.storedSize).toBeGreaterThan(51 * (perRecord - 2));
	expect(workflow.storedSize).toBeLessThan(51 * perRecord + 500);
});

describe('survey.sent', () => {
	test('returns each survey once, even if its status changes', async () => {
		expect(await workflow.publish(on('survey.sent'))).toBeNull();
		const survey = sendSurvey();
		const sent = asSent(survey);
		expect(items(await workflow.poll())).toEqual([[{ event: 'survey.sent', data: sent }]]);
		survey.status = 'RESPONDED';
		expect(await workflow.poll()).toBeNull();
		expect(await workflow.restart()).toBeNull();
	});

	test("starts no second run once a sent survey has its customer's ID, or its date in another form", async () => {
		await workflow.publish(on('survey.sent'));
		const survey = sendSurvey();
		const { customerId, sentDate } = survey;
		Object.assign(survey, { customerId: undefined });
		expect((await workflow.poll())?.[0]).toHaveLength(1);
		Object.assign(survey, { customerId, sentDate: String(sentDate).replace('Z', '+00:00') });
		expect(await workflow.poll()).toBeNull();
	});

	test('reads the outbox of 72 hours once in ten minutes, and its newest page at other polls, by one request each', async () => {
		for (let i = 0; i < 150; i++) sendSurvey('ada@acme.example', NPS, ago(i * 60_000));
		await workflow.publish(on('survey.sent'));
		const requests = [];
		for (const minutes of [1, 1, 10, 1]) {
			passTime(minutes * 60_000);
			a.requests.length = 0;
			await workflow.poll();
			requests.push(a.requests.length);
		}
		expect(requests).toEqual([1, 1, 1, 1]);
	});

	test('comes out although it was created 60 hours before it was sent', async () => {
		sendSurvey('alan@globex.example');
		await workflow.publish(on('survey.sent'));
		Object.assign(sendSurvey(), { surveyCreatedDate: ago(60 * HOUR) });
		passTime(HOUR / 6);
		expect((await workflow.poll())?.[0]).toHaveLength(1);
	});

	test('comes out although it is listed after publishing with a date before it, in an outbox of one page', async () => {
		sendSurvey('alan@globex.example', NPS, ago(HOUR));
		await workflow.publish(on('survey.sent'));
		sendSurvey('ada@acme.example', NPS, ago(1000));
		expect((await workflow.poll())?.[0]).toHaveLength(1);
	});

	test('comes out although others are sent for 100 minutes until the outbox is looked through again', async () => {
		a.settings.maxLimit = 100;
		for (let i = 0; i < 1200; i++) sendSurvey('alan@globex.example', NPS, ago(HOUR + i * 1000));
		const waiting = sendSurvey('ada@acme.example', NPS, '');
		Object.assign(waiting, { surveyCreatedDate: ago(HOUR + 300_500) });
		await workflow.publish(on('survey.sent'));
		passTime(11 * 60_000);
		await workflow.poll();
		passTime(60_000);
		waiting.sentDate = ago(0);
		for (let minute = 0; minute < 120; minute += 2) {
			passTime(2 * 60_000);
			sendSurvey('alan@globex.example', NPS, ago(0));
			sendSurvey('alan@globex.example', CSAT, ago(0));
			await workflow.poll();
		}
		expect(workflow.runs.flat()).toHaveLength(121);
	});

	test('is old if it was sent before publishing, although it waited behind older ones', async () => {
		for (let i = 0; i < 100; i++) sendSurvey('alan@globex.example', NPS, ago(i * 0.75 * HOUR));
		Object.assign(sendSurvey(), { surveyCreatedDate: ago(80 * HOUR), sentDate: ago(60 * HOUR) });
		await workflow.publish(on('survey.sent'));
		for (let i = 0; i < 100; i++) sendSurvey('alan@globex.example', CSAT, ago(-i));
		passTime(HOUR);
		expect((await workflow.poll())?.[0]).toHaveLength(100);
	});

	test.each([100, 1000])(
		'does not come out again ten minutes after it was one of 2,600, on pages of %i',
		async (maxLimit) => {
			a.settings.maxLimit = maxLimit;
			await workflow.publish(on('survey.sent'));
			for (let i = 0; i < 2600; i++) sendSurvey('alan@globex.example', NPS, ago(-i));
			for (const minutes of [1, 4, 6, 11]) {
				passTime(minutes * 60_000);
				await workflow.poll();
			}
			expect(workflow.runs.flat()).toHaveLength(2600);
		},
	);

	test.each([100, 1000])(
		'is old if it was one of 2,600 in the minutes before publishing, on pages of %i',
		async (maxLimit) => {
			a.settings.maxLimit = maxLimit;
			for (let i = 0; i < 2600; i++) sendSurvey('alan@globex.example', NPS, ago(i * 50));
			await workflow.publish(on('survey.sent'));
			passTime(60_000);
			sendSurvey();
			await workflow.poll();
			passTime(10 * 60_000);
			await workflow.poll();
			expect(workflow.runs.flat()).toHaveLength(1);
		},
	);

	testLarge('comes out although it waited behind 10,000 others that came out first', async () => {
		for (let i = 0; i < 10_000; i++)
			sendSurvey('alan@globex.example', NPS, ago((100 + i / 100) * HOUR));
		Object.assign(sendSurvey(), { surveyCreatedDate: ago(150 * HOUR), sentDate: ago(90 * HOUR) });
		sendSurvey();
		await workflow.publish({
			...on('survey.sent'),
			options: { ...AT_ONCE, startDate: ago(10 * 24 * HOUR) },
		});
		await workflow.poll();
		await workflow.poll();
		expect(workflow.runs.flat()).toHaveLength(10_002);
	});

	test('a manual test shows no survey that waits to be sent', async () => {
		a.state.outbox.length = 0;
		sendSurvey().sentDate = '';
		await expect(workflow.test(on('survey.sent'))).rejects.toThrow('None of the newest 1 records');
	});

	test.each([
		[
			'the clock of n8n was set back',
			async () => {
				passTime(5 * 24 * HOUR);
				await workflow.publish(on('survey.sent'));
				passTime(-5 * 24 * HOUR);
			},
		],
		[
			'Start Date is later than the dates of the others',
			async () => {
				passTime(60_000);
				await workflow.publish({
					...on('survey.sent'),
					options: { ...AT_ONCE, startDate: ago(30_000) },
				});
				passTime(10 * 60_000);
			},
		],
	])('returns a survey that waited behind 100 others although %s', async (_, publish) => {
		const waiting = sendSurvey();
		Object.assign(waiting, { sentDate: '', surveyCreatedDate: ago(HOUR) });
		for (let i = 0; i < 150; i++) sendSurvey('alan@globex.example', NPS, ago(i));
		await publish();
		waiting.sentDate = ago(0);
		expect((await workflow.poll())?.[0]).toHaveLength(1);
	});

	test.each([
		['email', 'other@acme.example'],
		['campaignId', '64a000000000000000000099'],
		['channel', 'sms'],
	])('returns both surveys of one moment that differ only in the %s', async (field, value) => {
		await workflow.publish(on('survey.sent'));
		const survey = sendSurvey();
		await workflow.poll();
		a.state.outbox.push({ ...survey, [field]: value });
		await workflow.poll();
		await workflow.poll();
		expect(workflow.runs.flat()).toHaveLength(2);
	});
});

test('a filter does not apply to events that lack its field', async () => {
	const filters = { campaignIds: [CSAT], minScore: 9, metrics: ['CSAT'] };
	await workflow.publish({ ...on(...EVENTS), filters });
	sendSurvey('ada@acme.example', NPS);
	const sent = sendSurvey('alan@globex.example', CSAT);
	answer(10);
	const company = newCompany('Umbrella');
	const customer = newCustomer('new@example.com');
	await workflow.poll();
	const came = workflow.runs.flat().map(({ json }) => json.data);
	expect(came).toEqual(asSent([customer, company, sent]));
});

test.each([null, '', 'soon', undefined, { toString: 1 }])(
	'a record with the date %j starts a run only when it has a date',
	async (date) => {
		await workflow.publish(on('feedback.created'));
		const feedback = answer();
		const { createdDate } = feedback;
		Object.assign(feedback, { createdDate: date });
		const other = answer();
		await workflow.poll();
		expect(workflow.came).toEqual([`feedback.created ${other.id}`]);
		Object.assign(feedback, { createdDate });
		expect((await workflow.poll())?.[0]).toHaveLength(1);
	},
);

test('a record whose date changes soon after it came out does not come out again', async () => {
	await workflow.publish(on('feedback.created'));
	const feedback = answer();
	for (const minutes of [5, 8, 1, 1]) {
		await workflow.poll();
		passTime(minutes * 60_000);
		if (minutes === 5) feedback.createdDate = ago(0);
		answer();
	}
	expect(workflow.came).toHaveLength(new Set(workflow.came).size);
});

test('a warning is logged once an hour if no record of a list has a date that can be read [unreadable-dates]', async () => {
	await workflow.publish(on('feedback.created', 'survey.sent'));
	for (const feedback of a.state.feedback) feedback.createdDate = '';
	for (const survey of a.state.outbox) Object.assign(survey, { sentDate: '' });
	for (const minutes of [1, 30, 61]) {
		passTime(minutes * 60_000);
		expect(await workflow.poll()).toBeNull();
	}
	const warning =
		"Survey A Trigger: no record of /api/v2/feedback has a 'createdDate' that can be read, so 'feedback.created' starts no run. Update this package, or ask Survey A whether its dates have changed";
	expect(workflow.warnings).toEqual([warning, warning]);
	Object.assign(a.state.outbox[0] ?? {}, { sentDate: 'soon' });
	await workflow.poll();
	expect(workflow.warnings[2]).toContain("'survey.sent' starts no run");
});

test('a run that saves the data with which it began does not make records come out again', async () => {
	await workflow.publish(on('customer.created'));
	const endRun = workflow.beginRun();
	// n8n's clock is set back.
	passTime(-60_000);
	newCustomer('new@example.com');
	await workflow.poll();
	endRun();
	expect(await workflow.publish(on('customer.created'))).toBeNull();
	expect(workflow.came).toHaveLength(1);
});

test('with a new key of the same account, a record that appears late comes out, too, and no other', async () => {
	for (const feedback of a.state.feedback) feedback.createdDate = ago(HOUR);
	await workflow.publish(on('feedback.created'));
	key.apiKey = a.apiKey = 'example-new-key';
	const late = answer();
	late.createdDate = ago(2 * HOUR);
	await workflow.poll();
	const feedback = answer();
	await workflow.poll();
	expect(workflow.came).toEqual([late, feedback].map(({ id }) => `feedback.created ${id}`));
});

test('of another account, nothing comes out that it had before the credential changed, although its records are newer', async () => {
	for (const feedback of a.state.feedback) feedback.createdDate = ago(60 * 24 * HOUR);
	await workflow.publish(on('feedback.created'));
	passTime(24 * HOUR);
	await workflow.poll();
	key.apiKey = a.apiKey = 'example-key-of-another-account';
	a.state.feedback = [];
	for (let day = 30; day > 1; day--) answer().createdDate = ago(day * 24 * HOUR);
	expect(await workflow.poll()).toBeNull();
	passTime(60_000);
	const feedback = answer();
	await workflow.poll();
	expect(workflow.came).toEqual([`feedback.created ${feedback.id}`]);
});

test('an event that the old key could not read goes on with a new key from where it was, whatever others read meanwhile', async () => {
	await workflow.publish(on('feedback.created', 'customer.created'));
	const kind = { status: 403, body: { code: 403, message: 'No' } };
	a.faults.add({ when: ({ path }) => path.endsWith('/customers'), times: Infinity, kind });
	const customers: string[] = [];
	for (let hour = 0; hour < 5; hour++) {
		passTime(HOUR);
		answer();
		const { id } = newCustomer(`hour${hour}@example.com`);
		customers.push(`customer.created ${id}`);
		await workflow.poll();
	}
	a.faults.clear();
	key.apiKey = a.apiKey = 'example-key-with-more-rights';
	await workflow.poll();
	expect(workflow.came.filter((one) => one.startsWith('customer'))).toEqual(customers);
});

test.each([
	['counts none', { total: 0 }],
	['counts none, and one page', { total: 0, pages: 1 }],
	['counts nothing', {}],
])(
	'the first companies of an account start a run each, if its empty list %s',
	async (_, stated) => {
		a.state.companies = [];
		const data = { companies: [], page: 1, limit: 20, ...stated };
		a.faults.add({
			when: () => a.state.companies.length === 0,
			times: Infinity,
			kind: { status: 200, body: { code: 200, message: 'OK', data } },
		});
		await workflow.publish(on('company.created'));
		await workflow.poll();
		const companies = ['One', 'Two', 'Three'].map((name) => {
			passTime(60_000);
			return newCompany(name);
		});
		await workflow.poll();
		expect(workflow.came).toEqual(companies.map(({ id }) => `company.created ${id}`));
	},
);

test('records that are dated ahead of the clock hide none that come after them', async () => {
	await workflow.publish(on('customer.created'));
	for (let i = 0; i < 50; i++) {
		placeCustomer(a.state, { email: `ahead${i}@example.com` }, ago(-5 * HOUR - i));
	}
	await workflow.poll();
	for (let hour = 0; hour < 10; hour++) {
		passTime(HOUR);
		newCustomer(`hour${hour}@example.com`);
		await workflow.poll();
	}
	expect(workflow.came).toHaveLength(60);
	expect(new Set(workflow.came).size).toBe(60);
});

test.each([
	['that are dated ahead of the clock', ago(-24 * HOUR)],
	['whose dates cannot be read', 'zzz'],
])(
	'what was there before publishing starts no run, although the first page has nothing but records %s',
	async (_, date) => {
		for (let i = 0; i < 100; i++) placeCustomer(a.state, { email: `first${i}@example.com` }, date);
		placeCustomer(a.state, { email: 'old@example.com' }, ago(HOUR / 12));
		await workflow.publish(on('customer.created'));
		const { id } = newCustomer('new@example.com');
		await workflow.poll();
		expect(workflow.came).toEqual([`customer.created ${id}`]);
	},
);

test('a record that is dated ahead fails neither publishing nor a poll where the list has it in the order of arrival', async () => {
	const given = [-5 * HOUR, HOUR, HOUR, HOUR / 2].map((past) => ({
		...answer(),
		createdDate: ago(past),
	}));
	const body = { code: 200, data: { responses: given } };
	a.faults.add({ times: Infinity, kind: { status: 200, body } });
	await workflow.publish(on('feedback.created'));
	given.push({ ...answer(), createdDate: ago(0) });
	await workflow.poll();
	expect(workflow.came).toEqual([`feedback.created ${given.at(-1)?.id}`]);
});

test('a record that comes before the page that is read starts a run, since fewer came than the total says', async () => {
	a.settings.maxLimit = 100;
	await workflow.publish(on('customer.created'));
	for (let i = 0; i < 300; i++) placeCustomer(a.state, { email: `c${i}@x.example` }, ago(-i));
	const late = () => placeCustomer(a.state, { email: 'late@x.example' }, ago(HOUR));
	const isLate = ({ query }: { query: { page?: string } }) => query.page === '3' && !late();
	a.faults.add({ when: isLate, kind: { status: 500, body: {} } });
	await workflow.poll();
	expect(workflow.came).toHaveLength(301);
});

test.each([
	['is read again an hour later', 7, 0],
	['is read again an hour later', 8, 0],
	['gets a record at each third request', 7, 3],
	['gets a record at each third request', 8, 3],
	['gets a record at each third request', 9, 3],
])(
	'each of 300 records of one second starts a run, although their order differs between requests and the list %s (seed %i)',
	async (_, seed, addEvery) => {
		a.settings.maxLimit = 20;
		await workflow.publish(on('customer.created'));
		const date = ago(0);
		const added = Array.from({ length: 300 }, (_, i) =>
			placeCustomer(a.state, { email: `c${i}@x.example` }, date),
		);
		const random = randomFrom(seed);
		let requests = 0;
		const shuffle = () => {
			const customers = [...a.state.customers].map((one) => ({ one, place: random() }));
			customers.sort((one, other) => one.place - other.place);
			a.state.customers.clear();
			for (const { one } of customers) a.state.customers.set(...one);
			const isAdding = ++requests <= 100 && requests % addEvery === 0;
			if (isAdding) added.push(newCustomer(`later${requests}@x.example`));
			return false;
		};
		a.faults.add({ times: Infinity, when: shuffle, kind: 'reset-before' });
		for (let poll = 0; poll < 40; poll++) {
			await workflow.poll();
			passTime(HOUR);
		}
		expect(workflow.came.sort()).toEqual(added.map(({ id }) => `customer.created ${id}`).sort());
		a.requests.length = 0;
		await workflow.poll();
		expect(a.requests).toHaveLength(1);
	},
);

test('records of one moment come out in the reverse order of the list, which has the newest first', async () => {
	await workflow.publish(on('feedback.created'));
	const [one, two] = [answer(), answer()];
	two.createdDate = one.createdDate;
	await workflow.poll();
	// The sandbox lists them in the order in which they were added.
	expect(workflow.came).toEqual([two, one].map(({ id }) => `feedback.created ${id}`));
});

test('records whose dates have no time start a run each', async () => {
	const today = new Date().toISOString().slice(0, 10);
	for (const feedback of a.state.feedback) feedback.createdDate = today;
	await workflow.publish(on('feedback.created'));
	for (let hour = 0; hour < 3; hour++) {
		for (let i = 0; i < 40; i++) answer().createdDate = today;
		await workflow.poll();
	}
	expect(workflow.came).toHaveLength(120);
});

describe('publishing again', () => {
	test('reads on from where the trigger stopped, 60 days before', async () => {
		await workflow.publish(on('feedback.created'));
		await workflow.deactivate();
		passTime(60 * 24 * HOUR);
		answer();
		expect((await workflow.publish())?.[0]).toHaveLength(1);
	});

	test('with a later Start Date skips what was created before it', async () => {
		await workflow.publish(on('feedback.created'));
		passTime(24 * HOUR);
		answer().createdDate = ago(HOUR);
		const feedback = answer();
		const startDate = (feedback.createdDate = ago(60_000));
		await workflow.publish({ ...on('feedback.created'), options: { ...AT_ONCE, startDate } });
		expect(workflow.came).toEqual([`feedback.created ${feedback.id}`]);
	});

	test('continues under another name, and a new node of that name begins anew', async () => {
		await workflow.publish(on('feedback.created'));
		workflow.name = 'Answers';
		answer();
		expect((await workflow.publish())?.[0]).toHaveLength(1);
		answer();
		workflow.nodeId = 'added again';
		expect(await workflow.publish()).toBeNull();
	});
});

test('an added event starts from then, and one that is added again reads on from where it stopped', async () => {
	await workflow.publish(on('feedback.created'));
	newCustomer('before@example.com');
	expect(await workflow.publish(on('feedback.created', 'customer.created'))).toBeNull();
	await workflow.publish(on('feedback.created'));
	newCustomer('meanwhile@example.com');
	expect((await workflow.publish(on('customer.created')))?.[0]).toHaveLength(1);
});

test('a poll fails if Survey A counts records, but lists none', async () => {
	await workflow.publish(on('feedback.created'));
	const data = { responses: [], total: 30 };
	a.faults.add({ times: Infinity, kind: { status: 200, body: { code: 200, data } } });
	const polling = onItsOwnClock(async () => await workflow.poll());
	await expect(polling).rejects.toThrow(
		'counts 30 records, but page 1 of the list has none of them',
	);
});

test('a poll ends although Survey A sends the same page for each number', async () => {
	await workflow.publish(on('feedback.created'));
	passTime(HOUR);
	const responses = Array.from({ length: 100 }, () => answer());
	a.faults.add({
		times: Infinity,
		kind: { status: 200, body: { code: 200, data: { responses } } },
	});
	expect((await workflow.poll())?.[0]).toHaveLength(100);
	expect(a.requests.length).toBeLessThan(10);
});

test('items of Survey A Trigger are simplified records that begin with the event', async () => {
	const parameters = { simplify: true, options: { ...AT_ONCE, answersAsColumns: true } };
	await workflow.publish({ ...on('feedback.created', 'customer.created'), ...parameters });
	Object.assign(newCustomer('new@example.com'), { event: 'lunch' });
	const created = answer(3);
	created.customProps = [{ name: 'plan', type: 'string', value: 'Team' }];
	const [feedback, customer] = items(await workflow.poll())[0] ?? [];
	expect(Object.keys(feedback ?? {})[0]).toBe('event');
	expect(feedback).toMatchObject({
		event: 'feedback.created',
		id: created.id,
		'plan (property)': 'Team',
	});
	expect(customer).toMatchObject({ event: 'customer.created', email: 'new@example.com' });
});

test.each([20, 50, 99])(
	'130 new records come where the service refuses more than %i a page',
	async (maxLimit) => {
		Object.assign(a.settings, { maxLimit, overLimit: 400 });
		await workflow.publish(on('customer.created'));
		for (let i = 0; i < 130; i++) newCustomer(`new${i}@example.com`);
		a.requests.length = 0;
		await workflow.poll();
		await workflow.poll();
		expect(workflow.came).toHaveLength(130);
		expect(a.requests.length).toBeLessThan(30);
	},
	20_000,
);

test('a record of a short list that gets its date later starts a run, and the log names none as missed', async () => {
	await workflow.publish(on('customer.created'));
	newCustomer('late@example.com');
	const late = [...a.state.customers.values()].at(-1);
	const createdDate = late?.createdDate ?? '';
	Object.assign(late ?? {}, { createdDate: '' });
	for (let i = 0; i < 3; i++) {
		newCustomer(`other${i}@example.com`);
		await workflow.poll();
	}
	Object.assign(late ?? {}, { createdDate });
	passTime(11 * 60_000);
	newCustomer('last@example.com');
	await workflow.poll();
	await workflow.poll();
	expect(workflow.warnings.filter((line) => line.includes('start no run'))).toEqual([]);
});

describe('Wait for Comment', () => {
	const feedbackOf = (output: Output) =>
		items(output)
			.flat()
			.map(({ data }) => Object(data));
	const waiting = (minutes?: number): INodeParameters => ({
		...on('feedback.created'),
		options: minutes === undefined ? {} : { waitForComment: minutes },
	});

	test('lets an answer start its run after fifteen minutes, with the comment that came two minutes later', async () => {
		a.settings.commentLag = 120;
		await workflow.publish(waiting());
		const { id } = a.answer({
			email: 'ada@acme.example',
			campaignId: NPS,
			score: 3,
			comment: 'Too slow',
		});
		const came = [];
		for (let minute = 1; minute <= 17; minute++) {
			passTime(60_000);
			const records = feedbackOf(await workflow.poll());
			came.push(...records.map(({ id, comment }) => ({ minute, id, comment })));
		}
		expect(came).toEqual([{ minute: expect.any(Number), id, comment: 'Too slow' }]);
		expect([15, 16]).toContain(came[0]?.minute);
	});

	test.each([4, 14])('loses no answer that is dated %i minutes ahead', async (minutes) => {
		a.settings.maxLimit = 20;
		await workflow.publish(waiting());
		for (let i = 0; i < 60; i++) answer().createdDate = ago(-i);
		const ahead = answer();
		await workflow.poll();
		ahead.createdDate = ago(-minutes * 60_000);
		for (let minute = 0; minute < 40; minute++) {
			for (let i = 0; i < 5; i++) {
				passTime(12_000);
				answer();
			}
			await workflow.poll();
		}
		expect(workflow.came).toContain(`feedback.created ${ahead.id}`);
		expect(new Set(workflow.came).size).toBe(workflow.came.length);
	});

	test('does not fail a publish that can read only answers that wait', async () => {
		a.settings.maxLimit = 20;
		await workflow.publish(waiting());
		for (let i = 0; i < 60; i++) answer();
		const isThird = ({ query }: RecordedRequest) => query.page === '3';
		a.faults.add({ when: isThird, kind: { status: 403, body: { code: 403, message: 'No' } } });
		expect(await workflow.publish(waiting())).toBeNull();
		passTime(16 * 60_000);
		await workflow.poll();
		expect(workflow.came).toHaveLength(60);
	});

	test.each([12, 60])(
		'does not hold back an answer that is dated %i minutes ahead',
		async (minutes) => {
			await workflow.publish(waiting());
			const ahead = answer();
			ahead.createdDate = ago(-minutes * 60_000);
			await workflow.poll();
			expect(workflow.came).toEqual([`feedback.created ${ahead.id}`]);
		},
	);

	test('does not hold back an answer that is dated ahead among older ones, where a later poll may not come', async () => {
		const answered = (minutes: number) => ({ ...answer(), createdDate: ago(minutes * 60_000) });
		const given = [answered(60)];
		const body = { code: 200, data: { responses: given } };
		a.faults.add({ times: Infinity, kind: { status: 200, body } });
		await workflow.publish(waiting());
		passTime(HOUR);
		given.unshift(answered(20), answered(-5));
		await workflow.poll();
		expect(workflow.came).toHaveLength(2);
	});

	test('of 0 lets it start at once, without the comment, and once only', async () => {
		a.settings.commentLag = 120;
		await workflow.publish(waiting(0));
		a.answer({ email: 'ada@acme.example', campaignId: NPS, score: 3, comment: 'Too slow' });
		expect(feedbackOf(await workflow.poll()).map(({ comment }) => comment)).toEqual(['']);
		passTime(20 * 60_000);
		expect(await workflow.poll()).toBeNull();
	});

	test('holds back no other event, and no sample of a manual test', async () => {
		const parameters = { ...waiting(), events: ['feedback.created', 'customer.created'] };
		await workflow.publish(parameters);
		const { id } = answer();
		newCustomer('new@example.com');
		const polled = items(await workflow.poll()).flat();
		expect(polled.map(({ event }) => event)).toEqual(['customer.created']);
		expect(feedbackOf(await workflow.test(waiting()))[0]).toMatchObject({ id });
	});

	test('counts answers that were waiting at the publish as seen, and a burst of 3,000 after it comes whole', async () => {
		answer();
		await workflow.publish(waiting());
		passTime(60_000);
		a.seedFeedback(3000);
		for (const feedback of a.state.feedback.slice(-3000)) feedback.createdDate = ago(0);
		for (let minute = 0; minute < 30; minute += 5) {
			passTime(5 * 60_000);
			await workflow.poll();
		}
		expect(workflow.came).toHaveLength(3000);
		expect(new Set(workflow.came).size).toBe(3000);
	});

	test('starts a run for an answer that was waiting at the publish, and is after Start Date', async () => {
		const { id } = answer();
		const options = { startDate: ago(HOUR) };
		await workflow.publish({ ...waiting(), options });
		for (let minute = 0; minute < 30; minute += 4) {
			expect(workflow.came).toHaveLength(minute > 15 ? 1 : 0);
			passTime(4 * 60_000);
			await workflow.poll();
		}
		expect(workflow.came).toEqual([`feedback.created ${id}`]);
	});

	test('fails the publish if it is negative', async () => {
		await expect(workflow.publish(waiting(-1))).rejects.toThrow("'Wait for Comment'");
	});
});

test('a second key of a quiet account for an hour, then the first one again: what came with the second one does not come again', async () => {
	const firstKey = key.apiKey;
	a.settings.maxLimit = 20;
	a.seedFeedback(60);
	for (const feedback of a.state.feedback) feedback.createdDate = ago(48 * HOUR);
	await workflow.publish(on('feedback.created'));
	passTime(60_000);
	key.apiKey = a.apiKey = 'second-key-of-the-account';
	await workflow.poll();
	passTime(60_000);
	const { id } = answer();
	await workflow.poll();
	key.apiKey = a.apiKey = firstKey;
	passTime(HOUR);
	await workflow.poll();
	expect(workflow.came).toEqual([`feedback.created ${id}`]);
});

test('feedback that waits for its comment comes out, although the first request with a new key of its account fails', async () => {
	await workflow.publish({ ...on('feedback.created'), options: {} });
	const { id } = answer();
	passTime(5 * 60_000);
	expect(await workflow.poll()).toBeNull();
	key.apiKey = a.apiKey = 'example-key-of-the-same-account';
	a.faults.add({ kind: { status: 403, body: { code: 403, message: 'No' } } });
	await expect(workflow.poll()).rejects.toThrow('No');
	passTime(15 * 60_000);
	await workflow.poll();
	expect(workflow.came).toEqual([`feedback.created ${id}`]);
});

test("another account's key for an hour, then that of an account that was empty: its first feedback comes out", async () => {
	const firstKey = key.apiKey;
	a.state.feedback = [];
	await workflow.publish(on('feedback.created'));
	passTime(60_000);
	key.apiKey = a.apiKey = 'example-key-of-another-account';
	const others = [{ ...answer(), id: 'other', createdDate: ago(HOUR) }];
	a.state.feedback = others;
	await workflow.poll();
	a.state.feedback = [];
	passTime(HOUR / 2);
	const { id } = answer();
	const own = a.state.feedback;
	a.state.feedback = others;
	passTime(HOUR / 2);
	await workflow.poll();
	key.apiKey = a.apiKey = firstKey;
	a.state.feedback = own;
	passTime(60_000);
	await workflow.poll();
	expect(workflow.came).toEqual([`feedback.created ${id}`]);
});

test("another account's key for an hour, then the first one again: what the first account got meanwhile comes out once", async () => {
	const [firstKey, firstFeedback] = [key.apiKey, a.state.feedback];
	await workflow.publish(on('feedback.created'));
	passTime(60_000);
	answer();
	await workflow.poll();
	const others = Array.from({ length: 60 }, () => ({ ...answer(), createdDate: ago(60_000) }));
	a.state.feedback = others.map((one, i) => ({ ...one, id: `other${i}` }));
	key.apiKey = a.apiKey = 'example-key-of-another-account';
	passTime(60_000);
	await workflow.poll();
	expect(workflow.came).toHaveLength(1);
	passTime(HOUR);
	const newer = Array.from({ length: 60 }, () => answer().id);
	await workflow.poll();
	key.apiKey = a.apiKey = firstKey;
	a.state.feedback = firstFeedback;
	passTime(60_000);
	await workflow.poll();
	await workflow.poll();
	expect(new Set(workflow.came).size).toBe(workflow.came.length);
	expect(workflow.came).toHaveLength(1 + 60 + 60);
	expect(workflow.came).toContain(`feedback.created ${newer[0]}`);
});
