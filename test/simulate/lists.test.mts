import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../nodes/shared/base/failure';
import { get } from '../../nodes/shared/http/request';
import type { ApiRequest } from '../../nodes/shared/http/request';
import type { BodyReader } from '../../nodes/shared/base/json';
import { readAll } from '../../nodes/shared/paging/readAll';
import type { ListToRead } from '../../nodes/shared/paging/readAll';
import { surveyA } from '../../nodes/SurveyA/service';
import { SEED, SIMULATED_SEQUENCES } from '../support/random.mts';
import { sayPastJest } from '../support/sayPastJest.mts';
import { SimulatedList } from './simulatedList';
import { TimedList } from './timedList.mts';
import type { TimedOptions } from './timedList.mts';

// Return All against a list that changes at random. `SIMULATE_RUNS=20000` tries more.

const RUNS = SIMULATED_SEQUENCES * 200;

// A page that is missing is asked for again without waiting.
jest.mock('../../nodes/shared/http/retry', () => ({
	...jest.requireActual('../../nodes/shared/http/retry'),
	backoff: () => 0,
}));

/** Returns a client of a service that answers each request for a page with a body. */
function answeringWith(bodyOf: (page: number) => object) {
	return {
		service: surveyA,
		async send<Response>({ query }: ApiRequest, readBody: BodyReader<Response>) {
			const read = readBody({ data: bodyOf(Number(query?.page ?? 1)) });
			if (read === undefined) throw new RangeError('the page cannot be read');
			return read;
		},
	};
}

function clientOf(simulation: SimulatedList) {
	return {
		service: surveyA,
		async send<Response>({ query }: ApiRequest, readBody: BodyReader<Response>) {
			await simulation.travel();
			const limit = query?.limit === undefined ? undefined : Number(query.limit);
			const { status, body } = simulation.respond({ page: Number(query?.page ?? 1), limit });
			await simulation.travel();
			if (status >= 400) throw new Failure('refused', String(body.message), { status });
			const read = readBody(body);
			if (read === undefined) throw new Failure('failed', 'Unreadable');
			return read;
		},
	};
}

async function readIn(simulation: SimulatedList) {
	const list = {
		request: get('/api/v2/feedback'),
		recordsKey: 'responses',
		pageSize: 1000,
		// As of sent surveys, which have no ID.
		identity: simulation.oddity === 'twins' ? ({ id }: IDataObject) => id : undefined,
		output: ({ id }: IDataObject) => ({ id }),
	};
	try {
		const { records } = await readAll(clientOf(simulation), list);
		return { ids: records.map(({ id }) => String(id)) };
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		return { ids: [], told: error.message.replace(/\d+/g, 'N') };
	}
}

/** The conditions that docs/reading.md states for a record that did not come. */
const CONDITIONS = ['hidden change', 'wrong count', 'changing order', 'all says so'] as const;

/** Returns the condition that excuses that records did not come; undefined if there is none. */
function conditionOf(
	simulation: SimulatedList,
	came: number,
): (typeof CONDITIONS)[number] | undefined {
	const { hasMiscounted, hasStaleStart, hasChanged, ties, totals, hasHiddenChange } = simulation;
	if (hasHiddenChange) return 'hidden change';
	// A page from a cache counts what there was before, as if the others were added after it.
	const seemsToGrow = hasChanged || hasMiscounted || hasStaleStart;
	if (ties > 1 && seemsToGrow) return 'changing order';
	const isContradicted = totals === 'contradicted' || hasStaleStart;
	if (hasMiscounted && (hasChanged || isContradicted)) return 'wrong count';
	if (hasStaleStart && hasChanged) return 'wrong count';
	return simulation.firstCount === came ? 'all says so' : undefined;
}

test('Return All returns each record that exists from start to end once [return-all]', async () => {
	const lost = { 'hidden change': 0, 'wrong count': 0, 'changing order': 0, 'all says so': 0 };
	const wrong: string[] = [];
	const kinds = new Map<string, number>();
	let requests = 0;
	let failed = 0;
	for (let run = 0; run < RUNS; run++) {
		const simulation = new SimulatedList(SEED + run);
		const { ids, told } = await readIn(simulation);
		const isTold = told !== undefined;
		requests += simulation.requests;
		const came = new Set(ids);
		const missing = [...simulation.lasting].filter((id) => !came.has(id)).length;
		// Equal records are counted each.
		const condition = conditionOf(simulation, ids.length);
		if (isTold) kinds.set(told, (kinds.get(told) ?? 0) + 1);
		if (isTold && simulation.isCalm) wrong.push(`${SEED + run} is told`);
		if (isTold && missing > 0 && simulation.isCountedTruly) failed++;
		if (!isTold && missing > 0 && !condition) wrong.push(`${SEED + run} lacks ${missing}`);
		if (!isTold && missing > 0 && condition) lost[condition]++;
		if (simulation.hasWrongCopies(ids))
			wrong.push(`${SEED + run} has a wrong number of equal records`);
	}
	const excused = JSON.stringify(lost);
	sayPastJest(
		`${RUNS} lists: errors ${JSON.stringify([...kinds])} (${failed} of lists that count truly), ${requests} requests, ${wrong.length} wrong; readings that lost a record by a condition: ${excused}`,
	);
	expect(wrong.slice(0, 20)).toEqual([]);
	// A list whose totals are right is read although it changes, unless it does so all the time.
	expect(failed).toBeLessThanOrEqual(RUNS / 100);
}, 3_600_000);

/** A list of records with the IDs `total` to 1, to which one is added every second. */
class GrowingList {
	readonly service = surveyA;
	requests = 0;
	/** The most requests that were in flight at a time. */
	most = 0;
	private inFlight = 0;

	constructor(
		public total: number,
		readonly pageSize: number,
	) {}

	async send<Response>({ query }: ApiRequest, readBody: BodyReader<Response>) {
		this.most = Math.max(this.most, ++this.inFlight);
		// A second has about eight responses, several at once.
		if (++this.requests % 8 === 0) this.total++;
		await new Promise((resolve) => setImmediate(resolve));
		this.inFlight--;
		const { pageSize, total } = this;
		const newest = total - (Number(query?.page) - 1) * pageSize;
		const ids = Array.from({ length: pageSize }, (_, i) => newest - i).filter((id) => id > 0);
		const read = readBody({ data: { responses: ids.map((id) => ({ id })), total } });
		if (read === undefined) throw new RangeError('the page cannot be read');
		return read;
	}

	async read(more: Partial<ListToRead> = {}) {
		const list = { request: get('/api/v2/feedback'), recordsKey: 'responses', ...more };
		const { records } = await readAll(this, { pageSize: this.pageSize, ...list });
		return records.map(({ id }) => Number(id));
	}
}

test('a list of 2,000 pages to which a record is added every second comes out whole, with a hundred more requests at most', async () => {
	const list = new GrowingList(20_000, 10);
	const ids = await list.read();
	const came = new Set(ids);
	expect(came.size).toBe(ids.length);
	expect(Array.from({ length: 20_000 }, (_, i) => i + 1).filter((id) => !came.has(id))).toEqual([]);
	expect(list.requests).toBeLessThan(list.total / 10 + 100);
});

test.each([
	[10, 32],
	[1000, 20],
])('pages of %i records are read %i at a time', async (pageSize, most) => {
	const list = new GrowingList(40 * pageSize, pageSize);
	await list.read();
	expect(list.most).toBe(most);
});

test('a page of more than 10,000 records is an error', async () => {
	const client = answeringWith(() => ({ responses: Array.from({ length: 10_001 }, () => ({})) }));
	const list = { request: get('/api/v2/feedback'), recordsKey: 'responses', pageSize: 1000 };
	await expect(readAll(client, list)).rejects.toThrow('sent 10001 records on one page of the list');
});

test('a list that ends at 10,000 records says how to read fewer', async () => {
	const client = answeringWith((page) => {
		if (page > 2) throw new Failure('refused', 'Result window is too large', { status: 400 });
		const responses = Array.from({ length: 10 }, (_, i) => ({ id: page * 10 + i }));
		return { responses, total: 50 };
	});
	const list = { request: get('/api/v2/feedback'), recordsKey: 'responses', pageSize: 10 };
	await expect(readAll(client, list)).rejects.toMatchObject({
		hint: 'Narrow the list by a filter, or set a lower limit',
	});
});

test('a limit counts only records that come out', async () => {
	const keeps = ({ id }: IDataObject) => Number(id) % 1000 === 0;
	const ids = await new GrowingList(20_000, 10).read({ keeps, limit: 12 });
	expect(ids).toHaveLength(12);
});

test('a last page that comes again in place of one past the end is asked for once', async () => {
	const asked: number[] = [];
	const client = answeringWith((page) => {
		asked.push(page);
		const last = Math.min(page, 4);
		const responses = [1, 2, 3].map((id) => ({ id: 3 * last + id }));
		return { responses, total: 12 };
	});
	const list = { request: get('/api/v2/feedback'), recordsKey: 'responses', pageSize: 3 };
	expect((await readAll(client, list)).records).toHaveLength(12);
	expect(asked).toEqual([1, 2, 3, 4, 5]);
});

test('a last page that comes again in place of one that was added meanwhile is not taken for that one', async () => {
	// Four pages are requested together: the service sees the request for the last one before two pages are added.
	const asked = new Map<number, number>();
	const client = answeringWith((page) => {
		const times = (asked.get(page) ?? 0) + 1;
		asked.set(page, times);
		const isBefore = page === 1 || (page === 4 && times === 1);
		const total = isBefore ? 6 : 10;
		const last = Math.min(page, total / 2);
		// The added records stand at the start.
		const ids = [1, 2].map((place) => (last - 1) * 2 + place - (isBefore ? 0 : 4));
		return { responses: ids.map((id) => ({ id: `id${id}` })), total };
	});
	const list = { request: get('/api/v2/feedback'), recordsKey: 'responses', pageSize: 2 };
	const ids = (await readAll(client, list)).records.map(({ id }) => id);
	expect(ids).toEqual(expect.arrayContaining(['id1', 'id2', 'id3', 'id4', 'id5', 'id6']));
});

test('a list that shows a record on two pages, and another one on none, fails and says what it counts', async () => {
	const pages = [
		[1, 2],
		[2, 3],
	];
	const client = answeringWith((page) => {
		return { responses: (pages[page - 1] ?? []).map((id) => ({ id })), total: 4 };
	});
	const list = { request: get('/api/v2/feedback'), recordsKey: 'responses', pageSize: 2 };
	await expect(readAll(client, list)).rejects.toThrow('counts 4 records, but lists only 3');
});

test('a list whose pages never end fails after 5,000 pages [endless-list]', async () => {
	let id = 0;
	const client = answeringWith(() => ({ responses: [{ id: id++ }] }));
	const list = { request: get('/api/v2/feedback'), recordsKey: 'responses', pageSize: 1 };
	await expect(readAll(client, list)).rejects.toThrow(
		/^Survey A changes the list faster than it can be read$/,
	);
	expect(id).toBe(5000);
});

test.each([
	['oldest', 1, 'is read'],
	['oldest', 10, 'fails'],
	['oldest', 30, 'fails'],
	['newest', 1, 'is read'],
	['newest', 5, 'is read'],
	['newest', 30, 'fails'],
])(
	'a list with the %s first that grows by %i records a request, in pages of 10, %s after a bounded number of requests',
	async (first, growth, ends) => {
		let total = 400;
		let requests = 0;
		const client = answeringWith((page) => {
			requests++;
			total += growth;
			const places = Array.from({ length: 10 }, (_, i) => (page - 1) * 10 + i);
			const responses = places
				.filter((place) => place < total)
				.map((place) => ({ id: first === 'oldest' ? place : total - place }));
			return { responses, total };
		});
		const list = { request: get('/api/v2/feedback'), recordsKey: 'responses', pageSize: 10 };
		const reading = readAll(client, list);
		if (ends === 'is read') await reading;
		else await expect(reading).rejects.toThrow('changes the list faster than it can be read');
		expect(requests).toBeLessThan(6000);
	},
);

test.each([
	[1000, 2],
	[100, 8],
])(
	'20,000 records in pages of %i take as long as %i responses, one after another',
	async (pageSize, waits) => {
		const list = new TimedList({ records: 20_000, pageSize, latency: [100, 100] }, SEED);
		expect(await readInTime(list)).toBe(0);
		expect(Math.round(list.elapsed / 100)).toBe(waits);
	},
);

/** Reads a list while time passes. Returns the number of records that were there all the time and did not come. */
async function readInTime(list: TimedList) {
	const reading = readAll(list, {
		request: get('/api/v2/feedback'),
		recordsKey: 'responses',
		pageSize: 1000,
	});
	const { records } = await list.while(reading);
	const ids = records.map(({ id }) => Number(id));
	const came = new Set(ids);
	expect(came.size).toBe(ids.length);
	return [...list.lasting].filter((id) => !came.has(id)).length;
}

test.each<[string, Omit<TimedOptions, 'records' | 'latency'>, number]>([
	['1,000 a page', { pageSize: 1000, addEvery: 3, removeEvery: 60 }, 700],
	['100 a page', { pageSize: 100, addEvery: 3, removeEvery: 60 }, 7000],
	['100 a page, four added a second', { pageSize: 100, addEvery: 0.25, removeEvery: 3 }, 10_000],
])(
	'a list of 300,000 records that gets and loses some meanwhile comes whole: %s',
	async (_, options, most) => {
		const list = new TimedList({ records: 300_000, latency: [80, 300], ...options }, SEED);
		expect(await readInTime(list)).toBe(0);
		expect(list.requests).toBeLessThan(most);
	},
);

test.each<[string, Partial<TimedOptions>]>([
	['one is removed every ten seconds', { removeEvery: 10 }],
	['one is added and one removed a minute', { addEvery: 60, removeEvery: 60 }],
	['one is added a second, one removed every ten', { addEvery: 1, removeEvery: 10 }],
])('a list of 20,000 records on a slow network comes whole while %s', async (_, changes) => {
	for (let run = 0; run < 10; run++) {
		const options = { records: 20_000, pageSize: 100, ...changes };
		const list = new TimedList({ latency: [300, 1500], ...options }, SEED + run);
		expect(await readInTime(list)).toBe(0);
		expect(list.requests).toBeLessThan(1000);
	}
});
