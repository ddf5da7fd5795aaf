import type { INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox';
import type { Sandbox } from '../../../sandbox';
import { runNode } from '../../support/engine';

// Return All while rows come and go, and with services that state wrong totals or repeat pages.

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

/** Returns a page of Survey A that replaces the sandbox's own. */
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

test.each([1, 7, 40])(
	'Return All of Survey A is complete while rows come and go after every page of %i',
	async (size) => {
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
	},
);

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
])(
	'Return All sorted oldest first is complete when rows are deleted: %s',
	async (_, size, count, changes) => {
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
	},
);

test('Return All of Survey B is complete while rows come and go after every page', async () => {
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

test('a total that is too high gives a hint, and all listed rows come out', async () => {
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

test('all rows come out although the stated total is too low', async () => {
	const stated = { total: 20, limit: 20 };
	for (let page = 1; page <= 5; page++) answerA(page, 20 * (page - 1), 20, stated);
	answerA(6, 100, 3, stated);
	expect(ids(await customers())).toHaveLength(103);
});

test('a repeated page fails with a message that says so', async () => {
	for (let page = 1; page <= 20; page++) answerA(page, 0, 20, { total: 100, limit: 20 });
	const { error } = await customers();
	expect(error?.message).toMatch(/same page of the list again and again: 20 of 100 rows/);
	expect(sandbox.a.requests.length).toBeLessThan(50);
});

test.each([[{}], [{ pages: 3 }]])(
	'a repeated page of a list that states %j and no total fails with a message that says so',
	async (stated) => {
		for (const page of [1, 2, 3, 4, 5]) answerA(page, 0, 20, stated);
		const { error } = await customers();
		expect(error?.message).toMatch(/same page of the list again and again: 20 rows came/);
	},
);

test('a list that states rows but has none fails with a message that says so', async () => {
	answerA(1, 0, 0, { total: 50 });
	const { error } = await customers();
	expect(error?.message).toMatch(/same page of the list again and again: 0 of 50 rows came/);
});

test.each([
	['that comes again for the second page', 20, { total: 20, limit: 20 }],
	['before an empty one, without a total,', 0, {}],
])('a full first page %s is the whole list', async (_, count, stated) => {
	answerA(1, 0, 20, stated);
	answerA(2, 0, count, stated);
	expect(ids(await customers())).toHaveLength(20);
});

test('a bare array that comes for every page is the whole list, and a hint says so', async () => {
	const body = Array.from({ length: 100 }, (_, id) => ({ id }));
	sandbox.b.faults.add({ times: Infinity, kind: { status: 200, body } });
	const result = await feedback();
	expect(ids(result)).toHaveLength(100);
	expect(result.hints.map(({ message }) => message).join()).toContain(
		'gives the same 100 rows for the second page as for the first: they are taken for the whole list',
	);
	expect(sandbox.b.requests).toHaveLength(2);
});

test('a short or repeated page in the middle does not end a list that states no total', async () => {
	answerA(1, 0, 20, {});
	answerA(2, 20, 19, {});
	answerA(3, 20, 19, {});
	answerA(4, 39, 20, {});
	answerA(5, 59, 5, {});
	answerA(6, 64, 0, {});
	expect(ids(await customers())).toHaveLength(64);
});

test('a last page that is repeated past the end is the end of the list', async () => {
	answerA(1, 0, 20, {});
	for (const page of [2, 3, 4]) answerA(page, 20, 5, {});
	expect(ids(await customers())).toHaveLength(25);
	expect(sandbox.a.requests).toHaveLength(4);
});

test("'pages: 0' without a total is the end of the list", async () => {
	answerA(1, 0, 20, { pages: 0 });
	expect(ids(await customers())).toHaveLength(20);
	expect(sandbox.a.requests).toHaveLength(1);
});

test("an empty 'next' is the end of the list", async () => {
	const { b } = sandbox;
	b.faults.add({ kind: { status: 200, body: { next: '', results: [{ id: 1 }, { id: 2 }] } } });
	expect(ids(await feedback())).toEqual([1, 2]);
	expect(b.requests).toHaveLength(1);
});

test.each([413, 422])(
	'requests smaller pages when the service refuses large ones with HTTP %i',
	async (status) => {
		const { a } = sandbox;
		const when = ({ query }: { query: Record<string, unknown> }) => Number(query.limit ?? 0) > 100;
		a.faults.add({ when, times: Infinity, kind: { status, body: { message: 'Too large' } } });
		expect(ids(await customers())).toHaveLength(4);
	},
);

test("'next' links that form a loop fail with a message that says so", async () => {
	const { b } = sandbox;
	const page = (id: number, cursor: string) => ({
		status: 200,
		body: { next: `${b.url}/api/v2/feedback/?cursor=${cursor}`, results: [{ id }] },
	});
	b.faults.add({ when: ({ query }) => query.cursor === 'x', times: Infinity, kind: page(2, 'y') });
	b.faults.add({ when: ({ query }) => query.cursor === 'y', times: Infinity, kind: page(3, 'x') });
	b.faults.add({ when: ({ query }) => !query.cursor, times: Infinity, kind: page(1, 'x') });
	const { error } = await feedback();
	expect(error?.message).toMatch(/same page of the list again and again: 3 rows came/);
	expect(b.requests.length).toBeLessThan(6);
});

test("'next' links that differ but lead to the same rows fail with a message that says so", async () => {
	const { b } = sandbox;
	for (let cursor = 0; cursor < 30; cursor++) {
		const next = `${b.url}/api/v2/feedback/?cursor=${cursor + 1}`;
		b.faults.add({
			when: ({ query }) => Number(query.cursor ?? 0) === cursor,
			kind: { status: 200, body: { next, results: [{ id: 1 }] } },
		});
	}
	const { error } = await feedback();
	expect(error?.message).toMatch(/same page of the list again and again: 1 rows came/);
	expect(b.requests).toHaveLength(25);
});

test.each([0, 1, 5])(
	'a list with a total of 1e9 ends at the first empty page, after %i full pages, and a hint says so',
	async (full) => {
		const { a } = sandbox;
		answerA(1, 0, 20, { total: 1e9, limit: 20 });
		for (let page = 2; page <= full; page++) {
			answerA(page, page * 20, 20, { total: 1e9, limit: 20 });
		}
		a.faults.add({
			times: Infinity,
			kind: { status: 200, body: { code: 200, data: { subscribers: [], total: 1e9, limit: 20 } } },
		});
		const result = await customers();
		const found = 20 * Math.max(1, full);
		expect(ids(result)).toHaveLength(found);
		expect(result.hints.map(({ message }) => message).join()).toContain(
			`counts 1000000000 rows, but lists only ${found}`,
		);
		// Pages in flight beside the first empty one, and the readings that check whether they stay empty.
		expect(a.requests.length).toBeLessThan(20 + 8 * (full + 1));
	},
);

test('a list with a total of 1e9 that repeats one page fails with a message that says so', async () => {
	const { a } = sandbox;
	const subscribers = Array.from({ length: 20 }, (_, i) => ({ id: `id${i}`, email: 'x' }));
	a.faults.add({
		times: Infinity,
		kind: { status: 200, body: { code: 200, data: { subscribers, total: 1e9, limit: 20 } } },
	});
	const { error } = await customers();
	expect(error?.message).toMatch(/same page of the list again and again: 20 of 1000000000 rows/);
	expect(a.requests.length).toBeLessThan(60);
});

const refusesLimitsOver = (most: number) =>
	sandbox.a.faults.add({
		when: ({ query }) => Number(query.limit ?? 0) > most,
		times: Infinity,
		kind: { status: 400, body: { code: 400, message: 'Validation failed', data: null } },
	});

test.each([
	[500, 3, ['1000', '100']],
	[100, 3, ['1000', '100']],
	[50, 11, ['1000', '100', undefined]],
])(
	'requests smaller pages when the service refuses pages of more than %i rows',
	async (most, pages, limits) => {
		const { a } = sandbox;
		a.seedCustomers(210 - a.state.customers.size);
		refusesLimitsOver(most);
		expect(ids(await customers())).toHaveLength(210);
		const asked = a.requests.map(({ query }) => query.limit);
		expect(asked.slice(0, limits.length)).toEqual(limits);
		expect(new Set(asked.slice(limits.length - 1))).toEqual(new Set(limits.slice(-1)));
		expect(a.requests).toHaveLength(limits.length - 1 + pages);
	},
);

test('a list that is refused at every page size fails with the message of the first refusal', async () => {
	const refusals = ['first', 'second', 'third'].map((message) => ({ code: 400, message }));
	for (const body of refusals) sandbox.a.faults.add({ kind: { status: 400, body } });
	const { error } = await customers();
	expect(error?.message).toMatch(/^first \(HTTP 400\)/);
	expect(sandbox.a.requests).toHaveLength(3);
});

test("a 404 with 'none found' is an empty list", async () => {
	for (const campaign of sandbox.a.state.campaigns) campaign.isActive = false;
	const { output, error } = await runNode({
		node: 'surveyA',
		parameters: { resource: 'campaign', operation: 'getAllLegacy', returnAll: true },
		credential: { baseUrl: sandbox.a.url, apiKey: sandbox.a.apiKey },
	});
	expect(error).toBeUndefined();
	expect(output[0]).toEqual([]);
	expect(sandbox.a.requests.map(({ status }) => status)).toEqual([404]);
});

test.each(['companyName', '-companyName', '-cxMetrics.NPS', 'contactsCount'])(
	'companies sorted by %s are read once, and only their first page twice',
	async (sort) => {
		const { a } = sandbox;
		a.seedCompanies(1000);
		const { output, error } = await runNode({
			node: 'surveyA',
			parameters: { resource: 'company', operation: 'getAll', returnAll: true, options: { sort } },
			credential: { baseUrl: a.url, apiKey: a.apiKey },
		});
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(a.state.companies.length);
		expect(a.requests.length).toBeLessThanOrEqual(Math.ceil(a.state.companies.length / 100) + 1);
	},
);

describe('feedback of a campaign whose path ignores paging', () => {
	const CAMPAIGN = '64a000000000000000000003';

	const ofCampaign = (limit: number | undefined) =>
		runNode({
			node: 'surveyA',
			parameters: {
				resource: 'feedback',
				operation: 'getAll',
				...(limit === undefined ? { returnAll: true } : { returnAll: false, limit }),
				filters: { campaignId: { __rl: true, mode: 'id', value: CAMPAIGN } },
			},
			credential: { baseUrl: sandbox.a.url, apiKey: sandbox.a.apiKey },
		});

	/** Makes the campaign's path return its newest 20 feedback responses for every page. */
	function ignorePaging() {
		const { a } = sandbox;
		a.seedFeedback(400);
		const wanted = a.state.feedback
			.filter(({ campaignId }) => campaignId === CAMPAIGN)
			.sort((one, other) => String(other.createdDate).localeCompare(String(one.createdDate)));
		const responses = wanted.slice(0, 20);
		const data = { responses, page: 1, pages: 7, limit: 20, total: wanted.length };
		a.faults.add({
			path: /\/feedback\/64a0/,
			times: Infinity,
			kind: { status: 200, body: { code: 200, message: 'ok', data } },
		});
		return wanted.map(({ id }) => id);
	}

	test.each([undefined, 5, 20, 45])('is complete with a limit of %s', async (limit) => {
		const wanted = ignorePaging();
		expect(wanted.length).toBeGreaterThan(100);
		const result = await ofCampaign(limit);
		expect(result.error).toBeUndefined();
		expect(ids(result)).toEqual(wanted.slice(0, limit));
	});
});
