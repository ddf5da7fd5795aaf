import type { INodeParameters } from 'n8n-workflow';

import { startServiceA } from '../../../sandbox';
import type { ServiceA } from '../../../sandbox';
import { a, credential, newCustomer, NPS, Stage, withServiceA } from './stage.mts';

const DAY = 24 * 60 * 60 * 1000;
const FEEDBACK: INodeParameters = { events: ['feedback.created'], routeBy: 'none' };

withServiceA();

let other: ServiceA;
let key: ReturnType<typeof credential>;
let stage: Stage;

// The IDs of two sandboxes are the same, so their accounts differ only in dates.
const seedFrom = new Date('2026-01-05T08:00:00Z');

beforeAll(async () => void (other = await startServiceA({ seedFrom })));
afterAll(async () => await other.close());

beforeEach(() => {
	other.reset();
	other.seedFeedback(500);
	a.apiKey = 'example-key-of-service-a';
	key = credential();
	stage = new Stage(key);
});

const answer = (service = a, score = 5) =>
	`feedback.created ${service.answer({ email: 'ada@acme.example', campaignId: NPS, score }).id}`;

const useOtherAccount = () => Object.assign(key, { baseUrl: other.url, apiKey: other.apiKey });

describe('a credential of another account', () => {
	test.each([
		['when the workflow is published', async () => await stage.publish()],
		['when the credential is edited in place', async () => await stage.poll()],
	])('does not bring out its old rows %s', async (_, look) => {
		await stage.publish(FEEDBACK);
		useOtherAccount();
		expect(await look()).toBeNull();
		const added = answer(other);
		await stage.poll();
		expect(stage.came).toEqual([added]);
	});

	test('does not use the start date again', async () => {
		const startDate = new Date(Date.now() - 30 * DAY).toISOString();
		await stage.publish({ ...FEEDBACK, options: { startDate } });
		useOtherAccount();
		expect(await stage.publish()).toBeNull();
	});

	test('lets the first account continue where it was when it is changed back', async () => {
		await stage.publish(FEEDBACK);
		const first = { ...key };
		useOtherAccount();
		await stage.publish();
		for (let i = 0; i < 3; i++) await stage.poll();
		const missed = answer();
		Object.assign(key, first);
		await stage.publish();
		expect(stage.came).toEqual([missed]);
	});
});

describe('a rotated key of the same account', () => {
	const rotate = () => Object.assign(key, { apiKey: (a.apiKey = 'example-key-rotated') });

	test('loses and repeats no rows', async () => {
		await stage.publish(FEEDBACK);
		const before = answer();
		await stage.poll();
		const missed = answer();
		rotate();
		await stage.poll();
		expect(stage.came).toEqual([before, missed]);
	});

	test('is recognized behind 300 new rows', async () => {
		a.seedFeedback(300);
		await stage.publish(FEEDBACK);
		const missed = Array.from({ length: 300 }, () => answer());
		rotate();
		await stage.publish();
		expect(stage.came).toEqual(missed);
	});

	test('is recognized by its newest rows although its oldest were removed', async () => {
		a.seedFeedback(300);
		await stage.publish(FEEDBACK);
		a.state.feedback = a.state.feedback.slice(100);
		const missed = answer();
		rotate();
		a.requests.length = 0;
		await stage.poll();
		expect(stage.came).toEqual([missed]);
		expect(a.requests.slice(0, 2).map(({ query }) => query.sort)).toEqual([
			'-createdDate',
			'createdDate',
		]);
	});

	test('is recognized although an event was added before the known one', async () => {
		await stage.publish(FEEDBACK);
		const missed = answer();
		rotate();
		await stage.publish({ ...FEEDBACK, events: ['customer.created', 'feedback.created'] });
		expect(stage.came).toEqual([missed]);
	});

	test('is recognized by the rows of another event', async () => {
		a.state.feedback = [];
		await stage.publish({ ...FEEDBACK, events: ['feedback.created', 'customer.created'] });
		const missed = answer();
		rotate();
		await stage.poll();
		expect(stage.came).toEqual([missed]);
	});
});

test('a node that was deleted and added again with its name starts from now', async () => {
	await stage.publish(FEEDBACK);
	answer();
	stage.nodeId = 'added again';
	expect(await stage.publish()).toBeNull();
	const added = answer();
	await stage.poll();
	expect(stage.came).toEqual([added]);
});

test('a node that was deleted and added again uses its start date', async () => {
	await stage.publish(FEEDBACK);
	stage.nodeId = 'added again';
	const startDate = new Date(Date.now() - 30 * DAY).toISOString();
	expect((await stage.publish({ ...FEEDBACK, options: { startDate } }))?.[0]).toHaveLength(8);
});

describe('items of Survey A Trigger', () => {
	test('are simplified records that begin with the event', async () => {
		await stage.publish({ ...FEEDBACK, events: ['feedback.created', 'customer.created'] });
		const { id } = Object.assign(newCustomer('new@example.com'), { event: 'lunch' });
		const [, feedbackId] = answer(a, 3).split(' ');
		const [feedback, customer] = (await stage.poll())?.[0] ?? [];
		expect(Object.keys(feedback?.json ?? {})[0]).toBe('event');
		expect(feedback?.json).toMatchObject({ event: 'feedback.created', id: feedbackId, score: 3 });
		expect(customer?.json).toMatchObject({
			event: 'customer.created',
			id,
			email: 'new@example.com',
		});
	});

	test('are raw records without Simplify', async () => {
		await stage.publish({ ...FEEDBACK, simplify: false });
		answer(a, 3);
		const [item] = (await stage.poll())?.[0] ?? [];
		expect(item?.json).toMatchObject({
			event: 'feedback.created',
			data: { score: 3, isBogus: false },
		});
	});
});
