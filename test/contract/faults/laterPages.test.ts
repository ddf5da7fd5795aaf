import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';

import { onItsOwnClock } from '../../support/clock.mts';
import { holdNext, whatCanGoOn } from '../../support/hold.mts';
import type { NodeResult } from '../../support/engine';
import { runOperation } from '../../support/runOperation';
import { serviceOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// A failure of a later page must never make a list look complete.

const sandbox = useSandbox();

beforeEach(() => {
	sandbox.a.settings.maxLimit = 20;
	sandbox.a.seedCustomers(96);
	sandbox.b.settings.pageSize = 20;
	sandbox.b.seedFeedback(80);
});

const LISTS = { surveyA: 'customer.getAll', surveyB: 'feedback.getAll' };

const readList = (
	node: 'surveyA' | 'surveyB',
	parameters: INodeParameters = { returnAll: true },
	onError?: OnError,
	name = LISTS[node],
) => runOperation(serviceOf(sandbox, node), name, parameters, { onError });

const recordsOf = ({ items, error }: NodeResult): IDataObject[] => {
	expect(error).toBeUndefined();
	return items;
};

describe.each(['surveyA', 'surveyB'] as const)('%s: a later page that always fails', (node) => {
	describe.each([
		['the second page', 2],
		['the middle page', 3],
		['the last page', 5],
	])('%s', (_, page) => {
		test.each([400, 401, 403, 405, 410, 500, 503])('with %i fails the item', async (status) => {
			const service = serviceOf(sandbox, node);
			service.faults.add({
				when: ({ query }) => Number(query.page) === page,
				times: Infinity,
				kind: { status, body: { code: status, message: 'Not this page', data: null } },
			});
			const { items } = await onItsOwnClock(() =>
				readList(node, { returnAll: true }, 'continueRegularOutput'),
			);
			const message = expect.stringContaining(`Not this page (HTTP ${status})`);
			expect(items).toEqual([{ error: message, details: expect.anything() }]);
			// The pages before it do not come again, for example in another size.
			const firstPages = service.requests.filter(({ query }) => Number(query.page ?? 1) === 1);
			expect(firstPages).toHaveLength(1);
		});
	});

	test('is not requested if Limit needs fewer rows', async () => {
		const service = serviceOf(sandbox, node);
		const kind = { status: 403, body: { code: 403, message: 'Not this page', data: null } };
		service.faults.add({ when: ({ query }) => Number(query.page) > 2, times: Infinity, kind });
		expect(recordsOf(await readList(node, { limit: 40 }))).toHaveLength(40);
		expect(service.requests).toHaveLength(2);
	});

	test('that is answered with a web page and 404 fails the item', async () => {
		const service = serviceOf(sandbox, node);
		const kind = { status: 404, body: '<html>Not found</html>' };
		service.faults.add({ when: ({ query }) => Number(query.page) === 5, times: Infinity, kind });
		const { error } = await onItsOwnClock(() => readList(node));
		expect(error?.message).toContain('refused the request (HTTP 404)');
	});
});

test('a list comes out in the order of its pages, although later pages of Survey B come before the second', async () => {
	const { faults, requests } = sandbox.b;
	const usual = recordsOf(await readList('surveyB'));
	const held = holdNext(faults, { when: ({ query }) => query.page === '2' });
	const reading = readList('surveyB');
	await held.arrived;
	await whatCanGoOn();
	expect(requests.at(-1)?.query.page).toBe('5');
	held.release();
	expect(recordsOf(await reading)).toEqual(usual);
});

test('a record that changes and moves by several pages, while others are deleted, comes out once', async () => {
	const emails = recordsOf(await readList('surveyA')).map(({ email }) => String(email));
	const { customers } = sandbox.a.state;
	const held = holdNext(sandbox.a.faults, { when: ({ query }) => query.page === '5' });
	const reading = readList('surveyA');
	await held.arrived;
	await whatCanGoOn();
	// The first pages have come, and the last records move to the second page.
	emails.slice(0, 60).forEach((one) => customers.delete(one));
	customers.forEach((one) => (one.tags = ['changed']));
	held.release();
	const found = recordsOf(await reading).map(({ email }) => email);
	expect(found).toEqual(expect.arrayContaining(emails.slice(60)));
	expect(new Set(found).size).toBe(found.length);
});

describe('identical rows without an ID', () => {
	const copies = (count: number) => {
		const { outbox } = sandbox.a.state;
		sandbox.a.state.outbox = outbox.slice(0, 1).flatMap((one) => new Array(count).fill({ ...one }));
	};

	test.each([1, 3, 20])('all come out if a page has %i of them', async (count) => {
		copies(count);
		const found = recordsOf(
			await readList('surveyA', { returnAll: true }, undefined, 'outbox.getAll'),
		);
		expect(found).toHaveLength(count);
	});

	test('all come out if the record type has no identifying field', async () => {
		sandbox.a.faults.add({
			kind: {
				status: 200,
				body: { code: 200, data: { surveys: [{ n: 1 }, { n: 1 }, { n: 2 }], total: 3 } },
			},
		});
		const parameters = { returnAll: true, simplify: false };
		const found = recordsOf(await readList('surveyA', parameters, undefined, 'outbox.getAll'));
		expect(found).toEqual([{ n: 1 }, { n: 1 }, { n: 2 }]);
	});
});

test('records whose ID is empty come out from all pages of a list without a total', async () => {
	const companies = [1, 2, 3, 4].map((number) => ({ id: '', companyName: `Company ${number}` }));
	for (const page of [1, 2, 3]) {
		const data = { companies: companies.slice((page - 1) * 2, page * 2), limit: 2 };
		sandbox.a.faults.add({
			when: ({ query }) => Number(query.page) === page,
			times: Infinity,
			kind: { status: 200, body: { code: 200, data } },
		});
	}
	const read = await readList('surveyA', { returnAll: true }, undefined, 'company.getAll');
	expect(recordsOf(read)).toMatchObject(companies);
});

describe('a list whose next links have a cursor', () => {
	const CURSORS = ['first', 'second', 'third', 'fourth'];

	/** Serves each page at its cursor only. A request by page number gets the first page. */
	beforeEach(() => {
		CURSORS.forEach((cursor, i) => {
			const next = CURSORS[i + 1];
			const link = next ? `${sandbox.b.url}/api/v2/feedback/?cursor=${next}&size=20` : null;
			const results = Array.from({ length: 20 }, (_, row) => ({ id: 1 + i * 20 + row }));
			sandbox.b.faults.add({
				when: ({ query }) => (query.cursor ?? 'first') === cursor,
				times: Infinity,
				kind: { status: 200, body: { count: 80, next: link, previous: null, results } },
			});
		});
	});

	const lines = () => sandbox.b.requests.map(({ url }) => url);

	test('is read to its end', async () => {
		const found = recordsOf(await readList('surveyB'));
		expect(found.map(({ id }) => id)).toEqual(Array.from({ length: 80 }, (_, i) => i + 1));
		expect(lines()).toEqual([
			'/api/v2/feedback/',
			'/api/v2/feedback/?cursor=second&size=20',
			'/api/v2/feedback/?cursor=third&size=20',
			'/api/v2/feedback/?cursor=fourth&size=20',
		]);
	});

	test('is read with its filters on every page', async () => {
		await readList('surveyB', { returnAll: true, filters: { email: 'ada@acme.example' } });
		expect(lines()).toHaveLength(4);
		for (const line of lines()) expect(line).toContain('email=ada%40acme.example');
	});
});
