import { HAS_ALL_CASES } from '../support/random.mts';
import { sayPastJest } from '../support/sayPastJest.mts';
import { clock, EVENTS, LISTS, SimulatedWorkflow } from './simulatedPolls';

// How many requests a trigger makes: when it is published, in a poll that brings nothing, and on a day.

const MINUTE = 60_000;
const DAY = 24 * 60;

/** The minutes of the polls that are tried, and the requests beside one for each event and poll. */
const TRIED = HAS_ALL_CASES ? DAY : DAY / 8;
const MOST_OTHERS = 6000 - 4 * DAY;

const realNow = Date.now;

beforeAll(() => void (Date.now = () => clock.time));
afterAll(() => void (Date.now = realNow));

type LimitStated = 'granted' | 'asked';

/** An account whose lists only grow. */
class GrowingAccount {
	readonly credential = {
		baseUrl: 'https://a.example',
		apiKey: 'example-key',
		requestsPerMinute: 0,
	};
	requests = 0;
	private readonly lists: Record<string, Array<{ id: string; createdDate: string }>> = {};

	constructor(
		private readonly pageSize = 1000,
		private readonly limit: LimitStated = 'granted',
	) {
		clock.time = Date.UTC(2027, 3, 5, 12);
	}

	/** Adds records that were created evenly over the last time, in ms. */
	add(path: string, count: number, time: number): void {
		const list = (this.lists[path] ??= []);
		for (let i = 1; i <= count; i++) {
			const date = new Date(clock.time - time + Math.floor((i * time) / count)).toISOString();
			const id = `${path} ${list.length}`;
			const record = { id, email: id, customerId: id, createdDate: date, sentDate: date };
			list.push(record);
		}
		list.sort((one, other) => Date.parse(other.createdDate) - Date.parse(one.createdDate));
	}

	addToAll(count: number, time: number): void {
		for (const path of Object.keys(LISTS)) this.add(path, count, time);
	}

	respond(url: string, { sort, limit, page }: Record<string, unknown>) {
		this.requests++;
		const path = new URL(url).pathname;
		expect(sort).toMatch(/^-/);
		const list = this.lists[path] ?? [];
		const size = Math.min(Number(limit), this.pageSize);
		const from = (Number(page) - 1) * size;
		const counts = { total: list.length, limit: this.limit === 'asked' ? Number(limit) : size };
		const data = { [LISTS[path]?.key ?? '']: list.slice(from, from + size), ...counts };
		return { status: 200, body: { code: 200, data } };
	}

	/** Returns the number of requests that work makes. */
	async requestsOf(work: () => Promise<unknown>): Promise<number> {
		const before = this.requests;
		await work();
		return this.requests - before;
	}
}

const CAPS = [20, 50, 100, 1000].flatMap((cap) =>
	[120, 3000, 50_000].flatMap((records) =>
		(['granted', 'asked'] as const).map((limit) => [cap, records, limit] as const),
	),
);

test.each(CAPS)(
	'publishing and each idle poll make one request an event, with pages of %i, in an account of %i, where limit is what was %s',
	async (cap, records, limit) => {
		const account = new GrowingAccount(cap, limit);
		account.addToAll(records, 30 * DAY * MINUTE);
		const workflow = new SimulatedWorkflow(account.credential);
		workflow.accounts = [account];
		const events = ['feedback.created', 'customer.created', 'company.created'];
		const published = await account.requestsOf(
			async () => await workflow.publish({ events, routeBy: 'none' }),
		);
		const polls: number[] = [];
		for (let poll = 0; poll < 4; poll++) {
			clock.time += 20 * MINUTE;
			polls.push(await account.requestsOf(async () => await workflow.poll()));
		}
		await workflow.deactivate();
		expect({ published, polls }).toEqual({ published: 3, polls: [3, 3, 3, 3] });
	},
);

/** Returns the requests of a day, and how many items came out. */
async function dayAfter(event: string, cap: number, startDate?: string) {
	const account = new GrowingAccount(cap);
	if (event === 'old feedback') account.add('/api/v2/feedback', 100_000, 90 * DAY * MINUTE);
	account.addToAll(500, DAY * MINUTE);
	const workflow = new SimulatedWorkflow(account.credential);
	workflow.accounts = [account];
	const options = startDate === undefined ? {} : { startDate };
	await workflow.publish({ events: [...EVENTS], routeBy: 'none', options });
	clock.time += MINUTE;
	if (event === 'an import') account.add('/api/v2/nps/customers', 50_000, MINUTE);
	if (event === 'a send') account.add('/api/v2/nps/outbox', 50_000, MINUTE);
	// The requests that bring the records themselves.
	for (let minute = 0; minute < 15; minute++) {
		await workflow.poll();
		clock.time += MINUTE;
	}
	account.requests = 0;
	for (let minute = 0; minute < TRIED; minute++) {
		await workflow.poll();
		clock.time += MINUTE;
	}
	await workflow.deactivate();
	return { requests: account.requests, items: workflow.came.length };
}

test.each([
	['nothing', 1000, undefined, 0],
	['nothing', 100, undefined, 0],
	['nothing', 50, undefined, 0],
	['nothing', 20, undefined, 0],
	['an import', 1000, undefined, 50_000],
	['a send', 1000, undefined, 50_000],
	['old feedback', 1000, '2020-01-01', 102_000],
] as const)(
	'on the day after %s an idle trigger makes at most 6,000 requests, with pages of %i',
	async (event, cap, startDate, due) => {
		const { requests, items } = await dayAfter(event, cap, startDate);
		sayPastJest(`The day after ${event}, pages of ${cap}: ${requests} requests, ${items} items`);
		expect(requests).toBeLessThanOrEqual(4 * TRIED + (MOST_OTHERS * TRIED) / DAY + 60);
		expect(items).toBe(due);
	},
	600_000,
);
