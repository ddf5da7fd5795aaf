import { HAS_ALL_CASES } from '../support/random.mts';
import { sayPastJest } from '../support/sayPastJest.mts';
import { clock, EVENTS, LISTS, SimulatedWorkflow } from './simulatedPolls';

// The requests of a trigger that listens to all four events and polls every minute, on the day after something large.

const MINUTE = 60_000;
const DAY = 24 * 60;

/** The most records that the service gives on a page. */
const PAGE = 1000;

/** The minutes of the polls that are tried, and the requests beside one for each event and poll. */
const TRIED = HAS_ALL_CASES ? DAY : DAY / 8;
const MOST_OTHERS = 6000 - 4 * DAY;

const realNow = Date.now;

beforeAll(() => void (Date.now = () => clock.time));
afterAll(() => void (Date.now = realNow));

/** An account whose lists only grow, the oldest record first. */
class GrowingAccount {
	readonly credential = {
		baseUrl: 'https://a.example',
		apiKey: 'example-key',
		requestsPerMinute: 0,
	};
	requests = 0;
	private readonly lists: Record<string, Array<{ id: string; createdDate: string }>> = {};

	constructor(feedback: number) {
		clock.time = Date.UTC(2027, 3, 5, 12);
		this.add('/api/v2/feedback', feedback, 90 * DAY * MINUTE);
		for (const path of Object.keys(LISTS)) this.add(path, 500, DAY * MINUTE);
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
		list.sort((one, other) => Date.parse(one.createdDate) - Date.parse(other.createdDate));
	}

	respond(url: string, { sort, limit, page }: Record<string, unknown>) {
		this.requests++;
		const path = new URL(url).pathname;
		expect(sort).not.toMatch(/^-/);
		const list = this.lists[path] ?? [];
		const size = Math.min(Number(limit), PAGE);
		const from = (Number(page) - 1) * size;
		const data = { [LISTS[path]?.key ?? '']: list.slice(from, from + size), total: list.length };
		return { status: 200, body: { code: 200, data } };
	}
}

/** Returns the requests of a day, and how many items came out. */
async function dayAfter(event: string, startDate?: string) {
	const account = new GrowingAccount(event === 'old feedback' ? 100_000 : 0);
	const workflow = new SimulatedWorkflow(account.credential);
	workflow.accounts = [account];
	await workflow.publish({
		events: [...EVENTS],
		routeBy: 'none',
		options: startDate === undefined ? {} : { startDate },
	});
	clock.time += MINUTE;
	if (event === 'an import') account.add('/api/v2/nps/customers', 50_000, MINUTE);
	if (event === 'a send') account.add('/api/v2/nps/outbox', 50_000, MINUTE);
	account.requests = 0;
	for (let minute = 0; minute < TRIED; minute++) {
		await workflow.poll();
		clock.time += MINUTE;
	}
	await workflow.deactivate();
	return { requests: account.requests, items: workflow.came.length };
}

test.each([
	['nothing', undefined, 0],
	['an import', undefined, 50_000],
	['a send', undefined, 50_000],
	['old feedback', '2020-01-01', 102_000],
] as const)(
	'on the day after %s an idle trigger makes at most 6,000 requests, with pages of 1,000',
	async (event, startDate, due) => {
		const { requests, items } = await dayAfter(event, startDate);
		sayPastJest(`The day after ${event}: ${requests} requests, ${items} items`);
		expect(requests).toBeLessThanOrEqual(4 * TRIED + MOST_OTHERS);
		expect(items).toBe(due);
	},
	600_000,
);
