import type { IDataObject } from 'n8n-workflow';

import { SubscriptionStore } from '../../../nodes/SurveyB/trigger/state/subscriptionStore';
import type { Slot } from '../../../nodes/SurveyB/trigger/state/subscriptionStore';
import type { Orphan, Subscription } from '../../../nodes/SurveyB/trigger/state/records';
import { changeOf } from '../../../nodes/SurveyB/trigger/state/hash';

// What a node knows of its subscriptions: from the data that n8n saves, and from its process.

const NOW = 1_800_000_000_000;
const URL = 'https://n8n.example.com/webhook/x';

beforeEach(() => jest.useFakeTimers({ now: NOW, doNotFake: ['performance'] }));

afterEach(() => jest.useRealTimers());

let workflows = 0;

/** A node of a workflow of its own, in a process that knows nothing of it. */
function newNode() {
	const workflow = `workflow-${workflows++}`;
	return (data: IDataObject = {}, slot: Slot = 'live', name = 'Survey B Trigger') =>
		new SubscriptionStore(
			{
				getInstanceId: () => 'instance',
				getWorkflow: () => ({ id: workflow, name: workflow, active: true }),
				getNode: () => ({
					id: name,
					name,
					type: 'surveyBTrigger',
					typeVersion: 1,
					position: [0, 0],
					parameters: {},
				}),
				getWorkflowStaticData: () => data,
			},
			slot,
		);
}

const subscription: Subscription = {
	id: 1,
	event: 'feedback.removed',
	url: URL,
	tokenHash: 'hash',
	service: 'https://survey.example.com',
};
const orphan: Orphan = { ...subscription, id: 2, tokenHash: 'other' };

describe('what the node has', () => {
	test('is nothing at first', () => {
		const store = newNode()();
		expect(store.registration).toEqual({
			owner: expect.stringMatching(/^instance\/workflow-\d+\/Survey B Trigger$/) as string,
			savedAt: 0,
			url: '',
			subscriptions: [],
			orphans: [],
		});
		expect(store.serves(URL)).toBe(false);
		expect(store.serves('')).toBe(true);
	});

	test('is known to a process that finds it saved', () => {
		const data = {};
		newNode()(data).save({ url: URL, subscriptions: [subscription] });
		const [owner] = Object.values<IDataObject>(data).map((saved) => String(saved.owner));
		const elsewhere = newNode();
		expect(elsewhere(data).registration.subscriptions).toEqual([]);
		const own = elsewhere(
			JSON.parse(
				JSON.stringify(data).replace(String(owner), String(elsewhere().registration.owner)),
			),
		);
		expect(own.registration).toMatchObject({ url: URL, savedAt: NOW });
		expect(own.registration.subscriptions).toEqual([subscription]);
		expect(own.serves(URL)).toBe(true);
	});

	test('is known to the process where n8n lost what was saved', () => {
		const node = newNode();
		node().save({ url: URL, subscriptions: [subscription] });
		expect(node().registration.subscriptions).toEqual([subscription]);
	});

	test('is what was saved last, wherever that is', () => {
		const node = newNode();
		const [older, newer] = [{}, {}];
		node(older).save({ url: 'older' });
		node(newer).save({ url: 'newer', subscriptions: [subscription] });
		expect(node(older).registration.url).toBe('newer');
		const data = { live: { ...Object(newer).live, savedAt: NOW + 60_000, url: 'another process' } };
		expect(node(data).registration.url).toBe('another process');
	});

	test('is saved later than what was known, although the clock went back', () => {
		const node = newNode();
		const data = {};
		node(data).save({ subscriptions: [subscription] });
		jest.setSystemTime(NOW - 3_600_000);
		node(data).save({ subscriptions: [], orphans: [orphan] });
		expect(node(data).registration).toMatchObject({ savedAt: NOW + 1, orphans: [orphan] });
	});

	test('is no entry in the data where there is nothing', () => {
		const node = newNode();
		const data = {};
		node(data).save({ orphans: [orphan] });
		expect(Object.keys(data)).toEqual(['live']);
		node(data).save({ orphans: [] });
		expect(data).toEqual({});
		expect(node(data).registration).toMatchObject({ orphans: [], savedAt: NOW + 1 });
	});

	test('shares no object with the data', () => {
		const node = newNode();
		const data: IDataObject = {};
		node(data).save({ subscriptions: [subscription] });
		Object(data.live).subscriptions[0].id = 9;
		expect(node().registration.subscriptions).toEqual([subscription]);
	});

	test('is another thing for the test URL', () => {
		const node = newNode();
		const data = {};
		node(data, 'test').save({ subscriptions: [subscription] });
		expect(node(data).registration.subscriptions).toEqual([]);
		expect(Object.keys(data)).toEqual(['test']);
	});
});

describe('to build on', () => {
	test('is what is saved under its name', () => {
		const node = newNode();
		const data = {};
		node(data).save({ url: URL, subscriptions: [subscription] });
		expect(node(data).foundation).toEqual(node(data).registration);
		expect(node(data).foundation.subscriptions).toEqual([subscription]);
	});

	test('is nothing else: what only the process remembers is orphaned, without its proofs of life', () => {
		const node = newNode();
		const seen = { ...orphan, seenAt: 5, retry: true };
		node().save({ url: URL, subscriptions: [subscription], orphans: [seen] });
		expect(node().foundation).toEqual({
			owner: node().registration.owner,
			savedAt: 0,
			url: '',
			subscriptions: [],
			orphans: [
				{ ...orphan, seenAt: undefined, retry: undefined },
				{ ...subscription, seenAt: undefined, retry: undefined },
			],
		});
	});

	test('but the proofs of a test, which is never saved, count', () => {
		const node = newNode();
		node({}, 'test').save({ orphans: [{ ...orphan, seenAt: 5, retry: true }] });
		expect(node({}, 'test').foundation.orphans).toEqual([
			{ ...orphan, seenAt: 5, retry: undefined },
		]);
	});
});

describe('the data that n8n is about to save', () => {
	test('gets the version of the process where that is newer', () => {
		const node = newNode();
		const [older, newer]: IDataObject[] = [{}, {}];
		node(older).save({ subscriptions: [subscription] });
		node(newer).save({ subscriptions: [], orphans: [orphan] });
		node(older).mend();
		expect(older).toEqual(newer);
	});

	test('is left alone where it is as new', () => {
		const node = newNode();
		const data: IDataObject = {};
		node(data).save({ subscriptions: [subscription] });
		const { live } = data;
		node(data).mend();
		expect(data.live).toBe(live);
	});

	test('gets nothing where nothing is known', () => {
		const data = {};
		newNode()(data).mend();
		expect(data).toEqual({});
	});
});

describe('an orphan that delivered', () => {
	const known = (data: IDataObject, node: ReturnType<typeof newNode>) =>
		node(data).registration.orphans;

	test('is noted with the ID that it told, and the version stays', () => {
		const node = newNode();
		const data = {};
		const nameless = { ...orphan, id: undefined };
		node(data).save({ orphans: [nameless] });
		jest.setSystemTime(NOW + 1000);
		node(data).saw(nameless, 7);
		expect(known(data, node)).toEqual([{ ...orphan, id: 7, seenAt: NOW + 1000 }]);
		expect(node(data).registration.savedAt).toBe(NOW);
	});

	test('is noted once a minute', () => {
		const node = newNode();
		const data = {};
		const seen = { ...orphan, seenAt: NOW };
		node(data).save({ orphans: [seen] });
		jest.setSystemTime(NOW + 59_999);
		node(data).saw(seen, 2);
		expect(known(data, node)).toEqual([seen]);
		jest.setSystemTime(NOW + 60_000);
		node(data).saw(seen, 2);
		expect(known(data, node)).toEqual([{ ...orphan, seenAt: NOW + 60_000 }]);
	});

	test.each(['', 'x'.repeat(201)])('is not noted under an ID that is none: %#', (id) => {
		const node = newNode();
		const data = {};
		node(data).save({ orphans: [orphan] });
		node(data).saw(orphan, id);
		expect(known(data, node)).toEqual([orphan]);
	});
});

describe('deliveries', () => {
	const change = (id: number) => changeOf('feedback.removed', { id });
	const deliver = (store: SubscriptionStore, id: number) => {
		const claim = store.loadDuplicates().claim(change(id));
		if (claim.kind === 'first') claim.settle(true);
		return claim.kind;
	};

	test('are known to the next process by what was saved', () => {
		const data: IDataObject = { repeats: 'of version 0.1.0' };
		const store = newNode()(data);
		expect(deliver(store, 1)).toBe('first');
		store.saveDuplicates();
		expect(Object.keys(data)).toEqual(['duplicates']);
		expect(deliver(newNode()(data), 1)).toBe('duplicate');
		expect(deliver(newNode()({ repeats: data.duplicates }), 1)).toBe('duplicate');
		expect(deliver(newNode()({ duplicates: data.duplicates, repeats: '' }), 1)).toBe('duplicate');
	});

	test('of a test are not saved, and may come again in the next one', () => {
		const data = {};
		const store = newNode()(data, 'test');
		deliver(store, 1);
		store.saveDuplicates();
		expect(data).toEqual({});
		expect(deliver(store, 1)).toBe('duplicate');
		store.beginTest();
		expect(deliver(store, 1)).toBe('first');
	});

	test('of the live URL are not forgotten when a test begins', () => {
		const store = newNode()();
		deliver(store, 1);
		store.beginTest();
		expect(deliver(store, 1)).toBe('duplicate');
	});

	test('of the live URL are not looked for in what a test has', () => {
		const live: IDataObject = {};
		const store = newNode()(live);
		deliver(store, 1);
		store.saveDuplicates();
		expect(deliver(newNode()(live, 'test'), 1)).toBe('first');
	});

	test('are saved at once where n8n stores no other, else one time in 250 ms', () => {
		const data: IDataObject = {};
		const store = newNode()(data);
		const saved = () => String(data.duplicates ?? '').length / 24;
		const storing = store.loadDuplicates().claim(change(0));
		deliver(store, 1);
		store.saveDuplicates();
		expect(saved()).toBe(1);
		deliver(store, 2);
		store.saveDuplicates();
		expect(saved()).toBe(2);
		if (storing.kind === 'first') storing.handOver();
		deliver(store, 3);
		jest.setSystemTime(NOW + 249);
		store.saveDuplicates();
		expect(saved()).toBe(2);
		jest.setSystemTime(NOW + 250);
		store.saveDuplicates();
		expect(saved()).toBe(3);
	});

	test('are saved as soon where the clock went back', () => {
		const data: IDataObject = {};
		const store = newNode()(data);
		const storing = store.loadDuplicates().claim(change(0));
		if (storing.kind === 'first') storing.handOver();
		deliver(store, 1);
		store.saveDuplicates();
		jest.setSystemTime(NOW - 250);
		deliver(store, 2);
		store.saveDuplicates();
		expect(String(data.duplicates)).toHaveLength(48);
	});

	test('are saved with the newest version of the registration', () => {
		const node = newNode();
		const data: IDataObject = {};
		node().save({ subscriptions: [subscription] });
		node(data).saveDuplicates();
		expect(Object(data.live).subscriptions).toEqual([subscription]);
	});
});

describe('what deliveries show again and again', () => {
	test('is told once an hour', () => {
		const store = newNode()();
		expect(store.isTimeFor('stranger')).toBe(true);
		expect(store.isTimeFor('stranger')).toBe(false);
		jest.setSystemTime(NOW + 3_599_999);
		expect(store.isTimeFor('stranger')).toBe(false);
		jest.setSystemTime(NOW + 3_600_000);
		expect(store.isTimeFor('stranger')).toBe(true);
	});

	test('is told of each kind by itself', () => {
		const store = newNode()();
		store.isTimeFor('stranger');
		expect(store.isTimeFor('account')).toBe(true);
	});

	test('is not silent for as long as a clock was ahead', () => {
		const store = newNode()();
		store.isTimeFor('stranger');
		jest.setSystemTime(NOW - 3_600_000);
		expect(store.isTimeFor('stranger')).toBe(true);
	});
});

describe('work on the registration', () => {
	test('is done one after the other, in the order in which it came', async () => {
		const store = newNode()();
		const done: string[] = [];
		let end = () => {};
		const first = store.serialize(async () => {
			await new Promise<void>((resolve) => (end = resolve));
			done.push('first');
		});
		const second = store.serialize(async () => done.push('second'));
		await Promise.resolve();
		end();
		await Promise.all([first, second]);
		expect(done).toEqual(['first', 'second']);
	});

	test('goes on after work that failed, which tells its error', async () => {
		const store = newNode()();
		const failing = store.serialize(async () => {
			throw new Error('No');
		});
		await expect(failing).rejects.toThrow('No');
		expect(await store.serialize(async () => 7)).toBe(7);
	});
});
