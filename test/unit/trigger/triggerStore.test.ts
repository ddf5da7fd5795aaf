import type { IDataObject, INode } from 'n8n-workflow';

import { changeOf } from '../../../nodes/SurveyB/trigger/state/change';
import { TriggerStore } from '../../../nodes/SurveyB/trigger/state/triggerStore';

const NOW = 1_800_000_000_000;
const HOUR = 60 * 60 * 1000;
const WEBHOOK = {
	id: 7,
	event: 'tag.merged',
	url: 'https://n8n.example.com/webhook/x/survey-b',
	baseUrl: 'https://b.example.com',
	tokenHash: 'hash',
	createdAt: NOW,
};

let nodes = 0;

function nodeOf(id: string): INode {
	return {
		id,
		name: 'Trigger',
		type: 'surveyBTrigger',
		typeVersion: 1.1,
		position: [0, 0],
		parameters: {},
	};
}

/** Opens the store of a node, of a new one by default, with its static data. */
function open(
	slot: 'live' | 'test' = 'live',
	data: IDataObject = {},
	id = `store ${++nodes}`,
): TriggerStore {
	const context = {
		getInstanceId: () => 'instance',
		getNode: () => nodeOf(id),
		getWorkflow: () => ({ id: 'workflow', active: true }),
		getWorkflowStaticData: () => data,
	};
	return new TriggerStore(context, slot);
}

const setTime = (time: number) => jest.spyOn(Date, 'now').mockReturnValue(time);
beforeEach(() => void setTime(NOW));
afterEach(() => jest.restoreAllMocks());

/** Claims a delivery; `settle` says that n8n has stored its run. */
function deliver(store: TriggerStore, id: number): { settle: () => void } {
	const change = changeOf('tag.merged', { id });
	const claim = store.loadDuplicates().claim(change, { webhookId: '1', since: -Infinity });
	if (claim.kind === 'repeat') throw new RangeError('a repeat');
	claim.handOver();
	return { settle: () => claim.settle({ isDelivered: true, status: 200, message: 'done' }) };
}

describe('the registration of a node', () => {
	test('is known to the process although n8n did not save it', () => {
		open('live', {}, 'unsaved').add([WEBHOOK]);
		expect(open('live', {}, 'unsaved').registration.webhooks).toEqual([WEBHOOK]);
	});

	test.each([undefined, null, 'odd', {}])('is empty if the static data has %j', (live) => {
		expect(open('live', { live }).registration).toMatchObject({
			publishedAt: 0,
			url: '',
			baseUrl: '',
			tokenHash: '',
			webhooks: [],
		});
	});

	test('is that of the static data after an update of the node', () => {
		const { url, baseUrl, tokenHash } = WEBHOOK;
		const common = { savedAt: NOW, publishedAt: NOW, url, baseUrl, tokenHash };
		const live = { ...common, owner: 'instance/workflow/updated', webhooks: [WEBHOOK] };
		expect(open('live', { live }, 'updated').registration).toEqual(live);
	});

	test('is empty if the static data is that of another node', () => {
		const data: IDataObject = {};
		open('live', data, 'original').add([WEBHOOK]);
		expect(open('live', data, 'copy').registration.webhooks).toEqual([]);
	});

	test('is the newer one of the process and the static data', () => {
		const data: IDataObject = {};
		open('live', data, 'versions').add([WEBHOOK]);
		const older = { ...data };
		open('live', data, 'versions').save({ webhooks: [] });
		expect(open('live', older, 'versions').registration.webhooks).toEqual([]);
		open('live', older, 'versions').writeIfNewer();
		expect(older).toEqual(data);
	});

	test('is that of the process if the static data is as new', () => {
		const data: IDataObject = {};
		open('live', data, 'as new').add([WEBHOOK]);
		const live = { ...Object(data.live), webhooks: [] };
		expect(open('live', { live }, 'as new').registration.webhooks).toEqual([WEBHOOK]);
	});

	test('is not written if the static data is as new', () => {
		const data: IDataObject = {};
		open('live', data, 'unchanged').add([WEBHOOK]);
		const { live } = data;
		open('live', data, 'unchanged').writeIfNewer();
		expect(data.live).toBe(live);
	});

	test('shares no object with the static data', () => {
		const data: IDataObject = {};
		const store = open('live', data);
		store.add([WEBHOOK]);
		Object(data.live).webhooks.pop();
		expect(store.process.registration?.webhooks).toEqual([WEBHOOK]);
	});

	test('grows its version although the clock is set back', () => {
		const data: IDataObject = {};
		const store = open('live', data);
		store.add([WEBHOOK]);
		setTime(NOW - HOUR);
		store.save({ webhooks: [] });
		expect(Object(data.live).savedAt).toBe(NOW + 1);
	});

	test('is kept apart for the live and the test URL', () => {
		const data: IDataObject = {};
		open('live', data, 'slots').add([WEBHOOK]);
		expect(open('test', data, 'slots').registration.webhooks).toEqual([]);
	});

	test('lists the newest 100 webhooks, each once', () => {
		const store = open();
		for (let id = 0; id < 101; id++) store.add([{ ...WEBHOOK, id }]);
		store.add([{ ...WEBHOOK, id: 50 }]);
		const ids = store.registration.webhooks.map(({ id }) => id);
		expect(ids).toHaveLength(100);
		expect([ids[0], ids.at(-1)]).toEqual([1, 50]);
	});
});

test('the process remembers 5,000 nodes, and forgets the least recently used first', () => {
	const [first, second] = ['least', 'recently'];
	for (const id of [first, second]) open('live', {}, id).add([WEBHOOK]);
	open('live', {}, first);
	for (let node = 0; node < 4999; node++) open();
	expect(open('live', {}, first).registration.webhooks).toHaveLength(1);
	expect(open('live', {}, second).registration.webhooks).toEqual([]);
});

test('work on a registration runs in order, also after a failure', async () => {
	const store = open();
	const steps: string[] = [];
	let fail = () => {};
	const waiting = new Promise<void>((_, reject) => (fail = () => reject(new Error('failed'))));
	const first = store.serialize(async () => await waiting.finally(() => steps.push('first')));
	const second = store.serialize(async () => steps.push('second'));
	fail();
	await expect(first).rejects.toThrow('failed');
	await second;
	expect(steps).toEqual(['first', 'second']);
});

test.each([HOUR, -HOUR])('a warning is logged again after an hour (%i ms)', (passed) => {
	const store = open();
	expect(store.shouldLog('unknownToken')).toBe(true);
	expect(store.shouldLog('unknownToken')).toBe(false);
	expect(store.shouldLog('otherAccount')).toBe(true);
	setTime(NOW + passed - Math.sign(passed));
	expect(store.shouldLog('unknownToken')).toBe(false);
	setTime(NOW + passed);
	expect(store.shouldLog('unknownToken')).toBe(true);
});

describe('the deliveries that a node saves', () => {
	test.each([250, -250])('are written again after %i ms while n8n stores other runs', (passed) => {
		const data: IDataObject = {};
		const store = open('live', data);
		const last = deliver(store, 0);
		const saved = (id: number) => {
			deliver(store, id).settle();
			store.saveDuplicates();
			return String(data.duplicates).length / 20;
		};
		expect(saved(1)).toBe(1);
		setTime(NOW + passed - Math.sign(passed));
		expect(saved(2)).toBe(1);
		setTime(NOW + passed);
		expect(saved(3)).toBe(3);
		last.settle();
		store.saveDuplicates();
		expect(data.duplicates).toHaveLength(4 * 20);
	});

	test('are written together with a registration that n8n did not save', () => {
		open('live', {}, 'both').add([WEBHOOK]);
		const data: IDataObject = {};
		const store = open('live', data, 'both');
		store.saveDuplicates();
		expect(data).toEqual({});
		deliver(store, 1).settle();
		store.saveDuplicates();
		expect(data).toMatchObject({
			live: { webhooks: [WEBHOOK] },
			duplicates: expect.stringMatching(/^.{20}$/),
		});
	});

	test('are not compared with those of a test', () => {
		const data: IDataObject = {};
		const store = open('live', data);
		deliver(store, 1).settle();
		store.saveDuplicates();
		expect(open('test', data).loadDuplicates().dump()).toBe('');
	});

	test('are not those of a test', () => {
		const data: IDataObject = {};
		const store = open('test', data);
		deliver(store, 1).settle();
		store.saveDuplicates();
		expect(data).toEqual({});
		expect(store.loadDuplicates().dump()).toHaveLength(20);
	});
});
