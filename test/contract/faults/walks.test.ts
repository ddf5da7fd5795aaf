import type { INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox';
import type { Sandbox } from '../../../sandbox';
import { runNode } from '../../support/engine';

// Return All while rows come and go, and against services that count wrongly or go round in circles.

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

beforeEach(() => {
	sandbox.a.reset();
	sandbox.b.reset();
});

afterAll(async () => await sandbox.close());

const customers = (options: INodeParameters = {}) =>
	runNode({
		node: 'surveyA',
		parameters: { resource: 'customer', operation: 'getAll', returnAll: true, options },
		credential: { baseUrl: sandbox.a.url, apiKey: sandbox.a.apiKey },
	});

const feedback = () =>
	runNode({
		node: 'surveyB',
		parameters: { resource: 'feedback', operation: 'getAll', returnAll: true },
		credential: { baseUrl: sandbox.b.url, apiKey: sandbox.b.apiKey },
	});

type Result = Awaited<ReturnType<typeof customers>>;

const ids = ({ output }: Result) => (output[0] ?? []).map(({ json }) => json.id);

/** A page of A, answered in place of the service's own. */
function answerA(page: number, from: number, count: number, stated: object) {
	const subscribers = Array.from({ length: count }, (_, i) => ({
		id: `id${from + i}`,
		email: 'x',
	}));
	sandbox.a.faults.add({
		when: ({ query }) => Number(query.page ?? 1) === page,
		times: Infinity,
		kind: { status: 200, body: { code: 200, message: 'ok', data: { subscribers, ...stated } } },
	});
}

test.each([1, 7, 40])('rows of A come and go after every page of %i', async (size) => {
	const { a } = sandbox;
	a.seedCustomers(240);
	a.settings.maxLimit = size;
	const before = [...a.state.customers.values()].map(({ id }) => id);
	let changes = 60;
	a.settings.afterListRequest = (count) => {
		if (changes-- <= 0) return;
		const emails = [...a.state.customers.keys()];
		a.state.customers.delete(emails[(count * 7) % emails.length] ?? '');
		if (count % 2 === 0) a.seedCustomers(1);
	};
	const found = ids(await customers());
	const there = new Set([...a.state.customers.values()].map(({ id }) => id));
	expect(new Set(found).size).toBe(found.length);
	expect(found).toEqual(expect.arrayContaining(before.filter((id) => there.has(id))));
});

type Change = 'remove' | 'append';

test.each<[string, number, number, Array<[number, Change, number]>]>([
	[
		'a last page that is emptied',
		20,
		61,
		[
			[1, 'remove', 49],
			[3, 'remove', 24],
			[3, 'append', 0],
		],
	],
	[
		'a list of one page and a bit',
		100,
		102,
		[
			[2, 'remove', 10],
			[3, 'remove', 20],
			[5, 'append', 0],
		],
	],
])('oldest first, %s loses nothing', async (_, size, count, changes) => {
	const { a } = sandbox;
	a.settings.maxLimit = size;
	a.seedCustomers(count - a.state.customers.size);
	const all = [...a.state.customers.values()].sort((one, other) =>
		String(one.createdDate).localeCompare(String(other.createdDate)),
	);
	a.settings.afterListRequest = (request) => {
		for (const [after, change, place] of changes) {
			if (after !== request) continue;
			if (change === 'append') a.seedCustomers(1);
			else a.state.customers.delete(String(all[place]?.email));
		}
	};
	const found = ids(await customers({ sort: 'createdDate' }));
	const there = new Set([...a.state.customers.values()].map(({ id }) => id));
	const stayed = all.map(({ id }) => id).filter((id) => there.has(id));
	expect(found).toEqual(expect.arrayContaining(stayed));
	expect(new Set(found).size).toBe(found.length);
});

test('rows of B come and go after every page', async () => {
	const { b } = sandbox;
	b.seedFeedback(1500);
	const before = b.state.feedback.map(({ id }) => id);
	b.settings.afterListRequest = (count) => {
		b.state.feedback.splice((count * 131) % b.state.feedback.length, 1);
		b.seedFeedback(1);
	};
	const found = ids(await feedback());
	const there = new Set(b.state.feedback.map(({ id }) => id));
	expect(new Set(found).size).toBe(found.length);
	expect(found).toEqual(expect.arrayContaining(before.filter((id) => there.has(id))));
});

test('a total that is too high is told, with all that is listed', async () => {
	answerA(1, 0, 20, { total: 50, limit: 20 });
	answerA(2, 20, 5, { total: 50, limit: 20 });
	answerA(3, 0, 0, { total: 50, limit: 20 });
	answerA(4, 0, 0, { total: 50, limit: 20 });
	const result = await customers();
	expect(ids(result)).toHaveLength(25);
	expect(result.hints.map(({ message }) => message).join()).toMatch(
		/counts 50 rows, but lists only 25/,
	);
});

test('a total that is too low loses nothing', async () => {
	answerA(1, 0, 20, { total: 20, limit: 20 });
	answerA(2, 20, 20, { total: 20, limit: 20 });
	answerA(3, 40, 3, { total: 20, limit: 20 });
	expect(ids(await customers())).toHaveLength(43);
});

test('a page that repeats is a clear error', async () => {
	for (let page = 1; page <= 20; page++) answerA(page, 0, 20, { total: 100, limit: 20 });
	const { error } = await customers();
	expect(error?.message).toMatch(/same page of the list again and again: 20 of 100 rows/);
	expect(sandbox.a.requests.length).toBeLessThan(50);
});

test('a page that repeats without a total is a clear error', async () => {
	sandbox.a.faults.clear();
	for (const page of [1, 2, 3]) answerA(page, 0, 20, {});
	const { error } = await customers();
	expect(error?.message).toMatch(/same page of the list again and again/);
});

test("a 'next' that loops is a clear error", async () => {
	const { b } = sandbox;
	const page = (id: number, cursor: string) => ({
		status: 200,
		body: { next: `${b.url}/api/v2/feedback/?cursor=${cursor}`, results: [{ id }] },
	});
	b.faults.add({ when: ({ query }) => query.cursor === 'x', times: Infinity, kind: page(2, 'y') });
	b.faults.add({ when: ({ query }) => query.cursor === 'y', times: Infinity, kind: page(3, 'x') });
	b.faults.add({ when: ({ query }) => !query.cursor, times: Infinity, kind: page(1, 'x') });
	const { error } = await feedback();
	expect(error?.message).toMatch(/same page of the list again and again/);
	expect(b.requests.length).toBeLessThan(6);
});
