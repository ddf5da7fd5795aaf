import type { INodeParameters } from 'n8n-workflow';

import { onItsOwnClock } from '../../support/clock.mts';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// Return All while rows come and go, and with services that state wrong totals or repeat pages.

const sandbox = useSandbox();

const customers = (options: INodeParameters = {}) =>
	runOperation(sandbox.a, 'customer.getAll', { returnAll: true, options });

const feedback = () => runOperation(sandbox.b, 'feedback.getAll', { returnAll: true });

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

test('a list that counts a billion records and gives the same page for each of them is an error', async () => {
	const subscribers = Array.from({ length: 20 }, (_, i) => ({ id: `id${i}`, email: 'x' }));
	sandbox.a.faults.add({
		times: Infinity,
		kind: { status: 200, body: { code: 200, data: { subscribers, total: 1e9, limit: 20 } } },
	});
	const { error } = await onItsOwnClock(async () => await customers());
	expect(error?.message).toContain('counts 1000000000 records, but lists only 20');
	expect(error?.description).toMatch(/^To get those that it lists, set a limit of 20 or less/);
	expect(sandbox.a.requests.length).toBeLessThan(80);
});

test.each([
	{ status: 'error', message: 'The list cannot be read now.', results: [] },
	{ detail: 'The list cannot be read now.', count: 0, results: [] },
])('an error beside an empty list of Survey B is no empty list: %j', async (body) => {
	sandbox.b.faults.add({ times: Infinity, kind: { status: 200, body } });
	const { error } = await onItsOwnClock(async () => await feedback());
	expect(error?.message).toContain('The list cannot be read now.');
});

test('a bare array that comes for every page is the whole list', async () => {
	const body = Array.from({ length: 100 }, (_, id) => ({ id }));
	sandbox.b.faults.add({ times: Infinity, kind: { status: 200, body } });
	const result = await feedback();
	expect(ids(result)).toHaveLength(100);
	expect(result.hints).toEqual([]);
	expect(sandbox.b.requests).toHaveLength(3);
});

test('pages are read one after another without a total: new records may push others to the next one', async () => {
	sandbox.a.faults.add({
		when: ({ query }) => query.page === '2',
		kind: { status: 500, body: {} },
	});
	for (const [i, rows] of [20, 20, 10].entries()) answerA(i + 1, 20 * i, rows, { pages: 3 });
	expect(ids(await onItsOwnClock(async () => await customers()))).toHaveLength(50);
	expect(sandbox.a.requests.map(({ query }) => query.page)).toEqual(['1', '2', '2', '3', '4']);
});

test('a service that ignores paging, and yet counts pages, is asked for one more page', async () => {
	for (const page of [1, 2]) answerA(page, 0, 500, { total: 500, pages: 25, limit: 20 });
	expect(ids(await customers())).toHaveLength(500);
	expect(sandbox.a.requests).toHaveLength(2);
});

test.each([
	['one record too few', 20],
	['the records of each page', undefined],
])('a list that counts %s, and two pages, comes whole', async (_what, total) => {
	answerA(1, 0, 20, { total: 20, pages: 2 });
	answerA(2, 20, 1, { total: total ?? 1, pages: 2 });
	answerA(3, 20, 0, { total: total ?? 0, pages: 2 });
	expect(ids(await customers())).toHaveLength(21);
});

test("an empty 'next' is the end of the list", async () => {
	const { b } = sandbox;
	b.faults.add({ kind: { status: 200, body: { next: '', results: [{ id: 1 }, { id: 2 }] } } });
	expect(ids(await feedback())).toEqual([1, 2]);
	expect(b.requests).toHaveLength(1);
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

test('a list that is refused at every page size fails with the message of the last refusal', async () => {
	const refusals = ['first', 'second', 'third'].map((message) => ({ code: 400, message }));
	for (const body of refusals) sandbox.a.faults.add({ kind: { status: 400, body } });
	const { error } = await customers();
	expect(error?.message).toMatch(/^third \(HTTP 400\)/);
	expect(sandbox.a.requests).toHaveLength(3);
});

test("a 404 with 'none found' is an empty list", async () => {
	for (const campaign of sandbox.a.state.campaigns) campaign.isActive = false;
	const { output, error } = await runOperation(sandbox.a, 'campaign.getAllLegacy', {
		returnAll: true,
	});
	expect(error).toBeUndefined();
	expect(output[0]).toEqual([]);
	expect(sandbox.a.requests.map(({ status }) => status)).toEqual([404]);
});

test('an empty first page of a list that states records is asked for twice, and then an error', async () => {
	answerA(1, 0, 0, { total: 50 });
	const { error } = await onItsOwnClock(async () => await customers());
	expect(error?.message).toContain('counts 50 records, but lists only 0');
	expect(sandbox.a.requests).toHaveLength(2);
});

test('a page in the middle that is once not found comes the second time', async () => {
	sandbox.a.settings.maxLimit = 20;
	sandbox.a.seedCustomers(96);
	const kind = { status: 404, body: { code: 404, message: 'Not found', data: null } };
	sandbox.a.faults.add({ when: ({ query }) => query.page === '3', kind });
	const found = ids(await onItsOwnClock(async () => await customers()));
	expect(new Set(found).size).toBe(100);
});

test('a list whose pages equal each other since one page was added comes out whole', async () => {
	const { a } = sandbox;
	a.settings.maxLimit = 20;
	a.seedCustomers(96);
	const before = ids(await customers());
	const addPage = () => {
		const isSecond = a.requests.at(-1)?.query.page === '2';
		if (isSecond && a.state.customers.size === 100) a.seedCustomers(20);
		return false;
	};
	a.faults.add({ times: Infinity, when: addPage, kind: 'reset-before' });
	const result = await customers();
	expect(result.error).toBeUndefined();
	expect(ids(result)).toEqual(expect.arrayContaining(before));
});

describe('a service that ignores the page size', () => {
	const responses = (length: number) => Array.from({ length }, (_, i) => ({ id: `id${i}` }));
	const answerAll = (length: number, stated: object) => {
		const data = { subscribers: responses(length), ...stated };
		sandbox.a.faults.add({ times: Infinity, kind: { status: 200, body: { code: 200, data } } });
	};

	test.each([
		[500, { total: 500, limit: 20 }, 2],
		[1001, {}, 3],
	])('of %i records, and states %j, is read in %i requests', async (length, stated, requests) => {
		answerAll(length, stated);
		expect(ids(await customers())).toHaveLength(length);
		expect(sandbox.a.requests).toHaveLength(requests);
	});
});

describe('fewer records of Survey B than it counts', () => {
	const page = (number: number, results: object[], next: unknown, count: number, more = {}) =>
		sandbox.b.faults.add({
			when: ({ query }) => Number(query.page ?? 1) === number,
			times: Infinity,
			kind: { status: 200, body: { count, next, results } },
			...more,
		});
	const rows = (from: number, count: number) =>
		Array.from({ length: count }, (_, i) => ({ id: from + i }));
	const allPages = (next: unknown = null) => {
		for (const number of [1, 2, 3]) page(number, rows(number * 100, 100), next, 350);
		page(4, rows(400, 50), null, 350);
	};

	test('come out whole if the count is that of the page, and a link leads on', async () => {
		page(1, rows(100, 100), '/api/v2/feedback/?page=2', 100);
		page(2, rows(200, 50), null, 50);
		expect(new Set(ids(await feedback())).size).toBe(150);
	});

	test('are an error if the last page is shorter than the count says, with the limit that reads what is there', async () => {
		page(4, rows(400, 30), null, 350);
		allPages();
		const { error } = await onItsOwnClock(async () => await feedback());
		expect(error?.message).toContain('counts 350 records, but lists only 330');
		expect(error?.description).toContain('set a limit of 330 or less');
	});

	test.each([1, 2])(
		'come out whole if page 3 is empty %i times, and page 2 once',
		async (times) => {
			page(3, [], null, 350, { times });
			page(2, [], null, 350, { skip: 1, times: 1 });
			allPages();
			const result = await onItsOwnClock(feedback);
			expect(ids(result)).toHaveLength(350);
			expect(result.hints).toEqual([]);
		},
	);
});

const NOTHING = '={{ $json.missing }}';

test.each([
	['feedback.getAll', { campaignId: { mode: 'id', value: NOTHING } }, ['Campaign', 'End Date']],
	['metric.get', {}, ['End Date']],
])(
	'the error about filters of %s without a value names them as the editor does',
	async (...given) => {
		const [name, more, labels] = given;
		const filters = { ...more, postedBefore: NOTHING };
		const { error } = await runOperation(sandbox.b, name, { campaignId: '101', filters });
		for (const label of labels) expect(error?.message).toContain(`'${label}' is missing`);
		expect(sandbox.b.requests).toEqual([]);
	},
);
