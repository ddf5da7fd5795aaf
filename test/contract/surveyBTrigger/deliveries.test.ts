import { createHmac } from 'crypto';
import { WebhookContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';

import { deliveryBody } from '../../../sandbox';
import { passTime } from '../../support/clock.mts';
import { whatCanGoOn } from '../../support/hold.mts';
import { EmulatedN8n, n8n, useEmulatedN8n } from './emulatedN8n';
import { testLarge } from '../../support/large.mts';

useEmulatedN8n();

const MINUTE = 60_000;
const CHANGED = 'feedback.added_or_changed';
const REMOVED = 'feedback.removed';
const TAGGED = 'feedback.tags_added_or_changed';

/** Feedback in the earlier revision. */
const EARLIER = { id: 1, score: 2, campaign: 102, posted_date: '2026-01-01' };

async function publish(parameters: INodeParameters = {}): Promise<void> {
	await n8n.publish(n8n.node({ events: [REMOVED], ...parameters }));
}

/** Returns the first webhook's target, its parts, and a delivery to it. */
function first() {
	const [hook] = n8n.service.state.hooks;
	if (!hook) throw new RangeError('the service has no webhook');
	const { target } = hook;
	const [address = ''] = target.split('?');
	const token = new URL(target).searchParams.get('token') ?? '';
	return { target, address, token, body: deliveryBody(hook, { id: 1, score: 2 }) };
}

const failing = async () => await Promise.reject(new Error('database is locked'));

async function statuses(event: string, data: unknown): Promise<Array<number | undefined>> {
	return (await n8n.service.deliver(event, data)).map(({ status }) => status);
}

/** Returns the items of the first output of every run. */
function items(): unknown[] {
	return n8n.runs.flatMap(({ outputs }) => outputs[0] ?? []);
}

describe('access to the webhook URL', () => {
	test.each([
		['no token', ''],
		['an empty token', '?token='],
		['another token', `?token=${'0'.repeat(43)}`],
		['two wrong tokens', '?token=a&token=b'],
	])(
		'a delivery without the token starts no run: %s in the URL and the target (401) [token]',
		async (_, query) => {
			await publish();
			const { address, body } = first();
			const hook = { ...body.hook, target: address + query };
			expect(await n8n.post(address + query, { ...body, hook })).toEqual({
				status: 401,
				data: { message: 'The token is missing or wrong' },
			});
			await n8n.idle();
			expect(n8n.runs).toEqual([]);
		},
	);

	test('a delivery without the token starts no run: n8n has lost what it saved [token-state]', async () => {
		await publish();
		const { address, body } = first();
		n8n.saved = {};
		await n8n.restartQuietly();
		const query = `?token=${'0'.repeat(43)}`;
		const hook = { ...body.hook, target: address + query };
		expect((await n8n.post(address + query, { ...body, hook })).status).toBe(401);
		await n8n.idle();
		expect(n8n.runs).toEqual([]);
	});

	test('a delivery with the token of an earlier API key starts no run, although its webhook could not be removed', async () => {
		await publish();
		const { target, body } = first();
		n8n.apiKey = n8n.service.apiKey = 'example-key-of-another-user';
		n8n.service.faults.add({ method: 'DELETE', kind: { status: 403 }, times: Infinity });
		await publish({ routeBy: 'scoreType' });
		expect((await n8n.post(target, body)).status).toBe(401);
		expect(n8n.runs).toEqual([]);
	});

	test('accepts the token in the URL alone, and in the target alone, which no proxy removes', async () => {
		await publish();
		const { target, address, body } = first();
		const hook = { ...body.hook, target: address };
		const started = { status: 200, data: { message: 'Workflow was started' } };
		expect(await n8n.post(target, { ...body, hook })).toEqual(started);
		const data = { id: 2, score: 2 };
		expect((await n8n.post(address, { ...body, data })).status).toBe(200);
		expect(n8n.runs).toHaveLength(2);
	});

	test.each<[string, (body: ReturnType<typeof first>['body']) => unknown]>([
		['nothing', () => ({})],
		['an empty array', () => []],
		['an array', (body) => [body]],
		['no data', ({ hook }) => ({ hook })],
		['no hook', () => ({ data: {} })],
		['null as data', ({ hook }) => ({ hook, data: null })],
		['an array as data', ({ hook }) => ({ hook, data: [] })],
		['text as data', ({ hook }) => ({ hook, data: 'x' })],
		['no ID', ({ hook }) => ({ hook: { ...hook, id: null }, data: {} })],
		['no target', ({ hook: { id, event } }) => ({ hook: { id, event }, data: {} })],
		['text as hook', () => ({ hook: 'x', data: {} })],
	])('rejects a body with %s (400)', async (_, wrong) => {
		await publish();
		const { target, body } = first();
		expect((await n8n.post(target, wrong(body))).status).toBe(400);
		expect(n8n.runs).toEqual([]);
	});

	test.each([
		['an unknown webhook ID', { id: 1 }],
		["another webhook's event", { event: 'tag.merged' }],
	])('accepts a valid token with %s', async (_, other) => {
		await publish({ events: [REMOVED, 'tag.merged'] });
		const { target, body } = first();
		const hook = { ...body.hook, ...other };
		expect((await n8n.post(target, { ...body, hook })).status).toBe(200);
		expect(n8n.runs).toHaveLength(1);
	});

	test('ignores an event that the workflow does not listen to', async () => {
		await publish();
		const { target, body } = first();
		const hook = { ...body.hook, event: 'no.such_event' };
		const message = "Ignored: the workflow does not listen to 'no.such_event'";
		const response = { status: 200, data: { message } };
		expect(await n8n.post(target, { ...body, hook })).toEqual(response);
		expect(n8n.runs).toEqual([]);
	});

	test('an update of the node keeps the token', async () => {
		await publish();
		const { token } = first();
		const derived = createHmac('sha256', n8n.apiKey);
		derived.update(`webhook ${n8n.baseUrl} ${n8n.workflowId} node`);
		expect(token).toBe(derived.digest('base64url'));
	});
});

describe('repeated deliveries', () => {
	testLarge('a workflow remembers its last 1,000 deliveries [memory-size]', async () => {
		await publish({ events: [TAGGED] });
		const runs = async (id: number) => {
			await statuses(TAGGED, { id, score: 2 });
			return n8n.runs.length;
		};
		for (let id = 1; id <= 1001; id++) await runs(id);
		expect([await runs(1001), await runs(2), await runs(1)]).toEqual([1001, 1001, 1002]);
		expect(JSON.stringify(n8n.saved).length).toBeLessThan(1000);
	});

	test('a repeat of an undated delivery starts no second run although n8n took two hours to store the first one', async () => {
		await publish({ events: [TAGGED] });
		const { now } = performance;
		let passed = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + passed);
		n8n.store = async () => void (passed += 120 * MINUTE);
		await statuses(TAGGED, { id: 1, score: 2 });
		await whatCanGoOn();
		n8n.store = async () => {};
		await statuses(TAGGED, { id: 1, score: 2 });
		expect(n8n.runs).toHaveLength(1);
	});

	test('each delivery starts a run if Ignore Repeats is off', async () => {
		await publish({ options: { ignoreRepeats: false } });
		n8n.service.settings.deliveryRepeats = 3;
		await statuses(REMOVED, { id: 1, score: 2 });
		expect(n8n.runs).toHaveLength(3);
	});
});

test('a repeat starts no second run while the clock is behind the time of the publish', async () => {
	await publish({ events: [TAGGED] });
	const earlier = Date.now() - 30 * 60 * 1000;
	jest.spyOn(Date, 'now').mockReturnValue(earlier);
	for (let time = 0; time < 3; time++) await statuses(TAGGED, { id: 1, score: 2 });
	expect(n8n.runs).toHaveLength(1);
});

describe('real changes that look like repeats', () => {
	const tagged = (name: string) => ({ id: 1, score: 2, tags: [{ name, category: 'PASSIVE' }] });

	test.each([{ id: 1 }, {}])(
		'a change back starts a run of an event that the contract does not list: of a record with %j',
		async (record) => {
			const event = 'survey.response_removed';
			n8n.service.settings.extraEvents = [event];
			await publish({ events: [event] });
			for (const value of [0, 1, 0, 0]) await statuses(event, { ...record, value });
			expect(n8n.runs).toHaveLength(3);
		},
	);

	test('one change that two events report starts a run for each of them', async () => {
		await publish({ events: [CHANGED, TAGGED] });
		for (const event of [CHANGED, TAGGED]) await statuses(event, tagged('slow'));
		expect(n8n.runs).toHaveLength(2);
	});

	test('a tag that was removed while the workflow was unpublished starts a run when it is added again', async () => {
		await publish({ events: [TAGGED] });
		await statuses(TAGGED, tagged('slow'));
		await n8n.unpublish();
		passTime(1000);
		await publish({ events: [TAGGED] });
		await statuses(TAGGED, tagged('slow'));
		expect(n8n.runs).toHaveLength(2);
	});

	test.each([
		['', async () => {}],
		[' after a restart', async () => await n8n.restartQuietly()],
	])(
		'a change back starts a run although n8n could not store the change between%s',
		async (_, restart) => {
			await publish({ events: [TAGGED] });
			expect(await statuses(TAGGED, tagged('slow'))).toEqual([200]);
			await restart();
			n8n.store = failing;
			expect(await statuses(TAGGED, tagged('late'))).toEqual([500]);
			n8n.store = async () => {};
			expect(await statuses(TAGGED, tagged('slow'))).toEqual([200]);
			expect(n8n.runs).toHaveLength(2);
		},
	);

	test('a change back starts a run, without a warning, although a filter held the change between back', async () => {
		await publish({ events: [CHANGED], filters: { maxScore: 6 } });
		const change = async (score: number) => await statuses(CHANGED, { ...EARLIER, score });
		for (const score of [3, 9, 3]) expect(await change(score)).toEqual([200]);
		expect(n8n.runs).toHaveLength(2);
		expect(n8n.warnings).toEqual([]);
	});

	test('a dated delivery that a filter held back starts a run when it comes again without the filter', async () => {
		const dated = { id: 1, score: 9, score_changed: '2026-01-01T00:00:00Z' };
		for (const filters of [{ maxScore: 6 }, {}]) {
			await publish({ events: [CHANGED], filters });
			await statuses(CHANGED, dated);
			await n8n.unpublish();
		}
		expect(n8n.runs).toHaveLength(1);
	});
});

describe('a 200 means that the run is stored', () => {
	const data = { id: 1, score: 2 };
	/** Has n8n store runs when `end` is called. */
	function holdStore(): { end: (error?: Error) => void } {
		const held: { end: (error?: Error) => void } = { end: () => {} };
		const work = new Promise<void>((resolve, reject) => {
			held.end = (error) => (error ? reject(error) : resolve());
		});
		work.catch(() => {});
		n8n.store = async () => await work;
		return held;
	}

	test('a 200 means that n8n has stored the run: a delivery that it cannot store gets 500 and is not remembered [stored]', async () => {
		await publish();
		const { saved } = n8n;
		n8n.service.settings.deliveryRepeats = 3;
		for (const [error, status] of [
			[new Error('locked'), 500],
			[undefined, 200],
		] as const) {
			const held = holdStore();
			let isAnswered = false;
			const answers = statuses(REMOVED, data).finally(() => (isAnswered = true));
			await whatCanGoOn();
			expect(isAnswered).toBe(false);
			expect(n8n.saved).toEqual(saved);
			held.end(error);
			const [first, ...repeats] = (await answers).sort();
			expect([first, ...repeats]).toEqual([status, status, status]);
		}
		expect(n8n.runs).toHaveLength(1);
	});

	const later = { ...data, score: 3 };

	test.each([
		['another process', async () => await n8n.useProcessor(), data],
		['the same process', async () => {}, later],
	])(
		'while n8n stores a run, %s runs another change: then a repeat of the last one starts no run',
		async (_, switchProcess, last) => {
			await publish({ events: [TAGGED] });
			const held = holdStore();
			const first = statuses(TAGGED, data);
			await whatCanGoOn();
			await switchProcess();
			n8n.store = async () => {};
			expect(await statuses(TAGGED, later)).toEqual([200]);
			n8n.useMain();
			const repeat = statuses(TAGGED, last);
			await whatCanGoOn();
			held.end();
			for (const one of [first, repeat, statuses(TAGGED, last)]) expect(await one).toEqual([200]);
			expect(n8n.runs).toHaveLength(2);
		},
	);
});

test('deliveryId is equal for deliveries of one change to any workflow, and differs between changes', async () => {
	await publish({ options: { ignoreRepeats: false } });
	const other = await EmulatedN8n.open(n8n.service);
	await other.publish(other.node({ events: [REMOVED] }));
	const data = { id: 1, score: 2 };
	for (const one of [data, { score: 2, id: 1 }, { ...data, score: 3 }, { ...data, id: 2 }]) {
		await statuses(REMOVED, one);
	}
	const ids = items().map((item) => Object(item).deliveryId);
	expect(ids).toHaveLength(4);
	expect(new Set(ids).size).toBe(3);
	expect(ids[0]).toBe(ids[1]);
	expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
	const others = other.runs.flatMap(({ outputs }) => outputs[0] ?? []);
	expect(others.map(({ deliveryId }) => deliveryId)).toEqual([...new Set(ids)]);
	other.stopServing();
});

describe('an unknown token', () => {
	const warned = () => n8n.warnings.filter((line) => line.includes('does not know'));

	test('an unknown token is logged once an hour, without the token itself', async () => {
		await publish();
		const { address, token, body } = first();
		const hook = { ...body.hook, target: address };
		const delivery = { ...body, hook };
		for (const one of [delivery, delivery, { any: 'thing' }]) {
			expect((await n8n.post(`${address}?token=guess`, one)).status).toBe(401);
		}
		expect(warned()).toHaveLength(1);
		expect(n8n.log).toMatch(/publish it again",{"workflowId":".+","nodeName":"Survey B Trigger"}/);
		expect(n8n.log).not.toContain('guess');
		expect(n8n.log).not.toContain(token);
		passTime(61 * MINUTE);
		await n8n.post(`${address}?token=guess`, delivery);
		expect(warned()).toHaveLength(2);
	});

	test('an unknown token is logged again after the clock was set back by hours', async () => {
		await publish();
		const { address, body } = first();
		const delivery = { ...body, hook: { ...body.hook, target: address } };
		await n8n.post(`${address}?token=guess`, delivery);
		passTime(-5 * 60 * MINUTE);
		await n8n.post(`${address}?token=guess`, delivery);
		expect(warned()).toHaveLength(2);
	});

	test('the log says that a body with the right token is no delivery, since its change starts no run', async () => {
		await publish();
		const { target, body } = first();
		for (const data of [[body.data], 'x']) await n8n.post(target, { ...body, data });
		expect(n8n.warnings).toEqual([
			expect.stringMatching(/started no run.*is not \{hook: .* as JSON/),
		]);
	});

	test('the log does not repeat an event name that the caller made up', async () => {
		await publish();
		const { address, body } = first();
		const hook = { id: 1, event: 'x\nforged line', target: address };
		await n8n.post(`${address}?token=guess`, { ...body, hook });
		expect(warned()).toEqual([expect.stringMatching(/^A delivery with a token/)]);
		expect(n8n.log).not.toContain('forged');
	});
});

describe('items', () => {
	const broken = () => {
		throw new TypeError('broken');
	};

	test.each([
		['undefined', { minScore: '={{ undefined }}' }, "'Min Score' has no value that can be used"],
		['text', { minScore: 'x' }, `'Min Score' must be a whole number: "x"`],
		['an object', { maxScore: '={{ ({ a: 1 }) }}' }, `'Max Score' must be a whole number: {"a":1}`],
		['other text each time', { minScore: '={{ $now.toMillis() + "x" }}' }, "'Min Score' must be"],
		['an error', { statuses: "={{ $('No node').item }}" }, "'Statuses' failed"],
	])(
		'a filter that yields %s does not apply, and the log says so once an hour',
		async (_, filters, line) => {
			await publish({ filters });
			for (const id of [1, 2]) expect(await statuses(REMOVED, { id, score: 2 })).toEqual([200]);
			expect(n8n.runs).toHaveLength(2);
			const lines = n8n.warnings.filter((message) => message.includes('It does not apply'));
			expect(lines).toEqual([expect.stringContaining(line)]);
		},
	);

	test('two triggers of one workflow each log a filter that does not apply', async () => {
		const parameters = { events: [REMOVED], filters: { minScore: 'x' } };
		await n8n.publish(n8n.node(parameters), n8n.node(parameters, { id: 'other', name: 'Other' }));
		expect(await statuses(REMOVED, { id: 1, score: 2 })).toEqual([200, 200]);
		const lines = n8n.warnings.filter((message) => message.includes('It does not apply'));
		expect(lines).toHaveLength(2);
	});

	test('a filter whose expression fails leaves the other filters in place', async () => {
		await publish({ filters: { statuses: "={{ $('No node').item }}", minScore: 3 } });
		for (const score of [2, 3]) await statuses(REMOVED, { id: 1, score });
		expect(items()).toMatchObject([{ data: { score: 3 } }]);
	});

	test.each(['id', 'score', 'score_type', 'status', 'campaign', 'contact', 'tags', 'created'])(
		'a delivery whose %s cannot be converted to text starts one run',
		async (name) => {
			await publish({ routeBy: 'scoreType', filters: { campaignIds: '' } });
			const data = { id: 7, score: 2, [name]: { toString: 1, valueOf: 1 } };
			expect(await statuses(REMOVED, data)).toEqual([200]);
			expect(await statuses(REMOVED, data)).toEqual([200]);
			expect(n8n.runs).toHaveLength(1);
			expect(n8n.messages.join()).not.toMatch(/could not be handled/);
		},
	);

	test.each([
		[
			'the reading of the chosen events',
			() => jest.spyOn(WebhookContext.prototype, 'getNodeParameter').mockImplementationOnce(broken),
		],
		[
			'the check of a delivery',
			() => jest.spyOn(WebhookContext.prototype, 'getQueryData').mockImplementationOnce(broken),
		],
		[
			'the writing of its item',
			() => jest.spyOn(Date.prototype, 'toISOString').mockImplementationOnce(broken),
		],
	])('an unexpected error in %s gets 500, starts no run, and is logged', async (_, fail) => {
		await publish();
		fail();
		expect(await statuses(REMOVED, { id: 1, score: 2 })).toEqual([500]);
		expect(n8n.runs).toEqual([]);
		expect(n8n.log).toMatch(/A delivery could not be handled: .*: TypeError: broken"/);
		expect(await statuses(REMOVED, { id: 1, score: 2 })).toEqual([200]);
	});
});
