import type { INodeParameters, IPollFunctions } from 'n8n-workflow';

import {
	DurablyPolledWorkflow,
	PolledWorkflow,
} from '../contract/surveyATrigger/polledWorkflow.mts';
import { randomFrom } from '../support/random.mts';

// Accounts of Survey A whose lists change between any two requests, and what a trigger owes. Knows nothing of a reader.

export const EVENTS = [
	'feedback.created',
	'customer.created',
	'company.created',
	'survey.sent',
] as const;
type Event = (typeof EVENTS)[number];

export const LISTS: Record<string, { event: Event; key: string }> = {
	'/api/v2/feedback': { event: 'feedback.created', key: 'responses' },
	'/api/v2/nps/customers': { event: 'customer.created', key: 'subscribers' },
	'/api/v2/companies': { event: 'company.created', key: 'companies' },
	'/api/v2/nps/outbox': { event: 'survey.sent', key: 'surveys' },
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** The records of an import, which have one date, and of a bulk removal. */
const PAGE = 100;

/** The most records on a page. */
const PAGES = [20, 50, PAGE, 1000];

/** How far the clock of the services is ahead of n8n's, in ms. */
const CLOCKS = [0, 0, 5 * MINUTE, -5 * MINUTE, 40 * MINUTE, -9 * 60 * MINUTE];

/** How many minutes after a score its comment comes, at most; and for how long the trigger waits for it. */
const COMMENT = 10;
const WAIT = 15;

/** The time of a history by n8n's clock, and how far the clock of the services is ahead. */
export const clock = { time: 0, ahead: 0 };

const serviceTime = () => clock.time + clock.ahead;

type Response = { status: number; body: object };

interface Row {
	id: string;
	event: Event;
	/** When the list says that it was created, by which it is sorted. */
	listedAt: number;
	/** The date in its record; undefined as long as a survey waits to be sent. */
	date?: number;
	/** True if it must come out, and false if it must not; undefined if both are right. */
	isDue?: boolean;
	isRemoved?: boolean;
	/** True if its date is ahead of the clock of the services. */
	isAhead?: boolean;
	/** When the customer writes the comment. */
	commentAt?: number;
}

/** One account. */
class Account {
	readonly rows: Row[] = [];
	/** Fails requests from this one on. */
	failsAfter = Infinity;
	/** The most requests for a list in one poll: a service may be so slow that each poll ends before it has read all. */
	mostRequests = Infinity;
	/** The requests for each list in this poll. */
	readonly requests = new Map<Event, number>();
	/** The probability of a page that is empty, or a 404, although the list has more. */
	sick = 0;
	/** By how many responses the totals are late. */
	lag = 0;
	/** True if the order of records of one date differs between requests. */
	hasLooseTies = false;
	/** How `limit` stands in responses. */
	limit: 'granted' | 'asked' | 'absent' = 'granted';
	/** The response to a page after the last one. */
	isEndMissing = false;
	/** For how long responses come from a cache, in ms. */
	cachedFor = 0;
	private readonly cache = new Map<string, { until: number; response: Response }>();
	/** True if no response states a total. */
	isSilent = false;
	/** The probability of a record that is dated ahead of the clock. */
	ahead = 0;
	/** True if a record that is dated ahead stands where its date puts it, and not where it was added. */
	isSortedByDate = false;
	/** The lists that the key has no right to read. */
	readonly denied = new Set<Event>();
	/** What happens between two requests. */
	meanwhile = () => {};
	/** True once a response had a date, which says where another account begins. */
	hasShownDates = false;
	private last = 0;
	private readonly totals: Record<string, number[]> = {};
	constructor(
		readonly name: string,
		private readonly random: () => number,
		private readonly pageSize: number,
	) {}

	get credential() {
		return { baseUrl: `https://${this.name}.example`, apiKey: 'example-key', requestsPerMinute: 0 };
	}

	add(event: Event, isDue: boolean | undefined): Row {
		const now = serviceTime();
		const dates = this.rows
			.filter((row) => row.event === event && !row.isAhead)
			.map(({ date = 0 }) => date);
		const newest = Math.max(0, ...dates);
		const kind = this.random();
		const back = kind < 0.2 ? Math.floor(this.random() * 9 * MINUTE) : 0;
		const date =
			kind > 0.9 ? Math.max(newest, now - 9 * MINUTE) : Math.max(now - back, newest - 9 * MINUTE);
		const row: Row = { id: `${this.name}${++this.last}`, event, listedAt: date, date, isDue };
		if (this.random() < this.ahead) {
			const later = date + MINUTE * (1 + Math.floor(this.random() * 300));
			Object.assign(row, { date: later, isAhead: true });
			if (this.isSortedByDate) row.listedAt = later;
		}
		if (event === 'feedback.created') {
			row.commentAt = date + Math.floor(this.random() * COMMENT * MINUTE);
		}
		if (event === 'survey.sent') {
			row.listedAt = now - (kind < 0.5 ? Math.floor(this.random() * 2 * DAY) : 0);
			if (!row.isAhead) row.date = kind < 0.2 ? undefined : now;
			if (isDue && (row.date === undefined || !this.isNear(row))) row.isDue = undefined;
		}
		return this.put(row);
	}

	/** Adds a survey that is sent as soon as it is listed, as most of a large campaign are. */
	addSent(isDue: boolean): Row {
		const now = serviceTime();
		const id = `${this.name}${++this.last}`;
		return this.put({ id, event: 'survey.sent', listedAt: now, date: now, isDue });
	}

	private put(row: Row): Row {
		this.rows.push(row);
		return row;
	}

	/** docs/reading.md: a record that appears behind the newest 1,000 may be missed. */
	isNear({ event, listedAt }: Row): boolean {
		const later = this.rows.filter((row) => row.event === event && row.listedAt >= listedAt);
		return later.length < 1000;
	}

	/** Sends the surveys that wait. */
	deliver(): void {
		for (const row of this.rows) {
			if (row.date !== undefined || row.listedAt < serviceTime() - 2.5 * DAY) continue;
			row.date = serviceTime();
			row.isDue = row.isRemoved || !this.isNear(row) ? undefined : true;
		}
	}

	remove(): void {
		const there = this.rows.filter(({ isRemoved }) => !isRemoved);
		const row = there[Math.floor(this.random() * there.length)];
		if (!row) return;
		row.isRemoved = true;
		if (row.isDue) row.isDue = undefined;
	}

	respond(url: string, qs: Record<string, unknown>): Response {
		this.meanwhile();
		const asked = `${url} ${JSON.stringify(qs)}`;
		const cached = this.cache.get(asked);
		if (cached && clock.time < cached.until) return cached.response;
		const response = this.freshResponse(url, qs);
		const isCached = this.cachedFor > 0 && this.sick === 0 && response.status === 200;
		if (isCached) this.cache.set(asked, { until: clock.time + this.cachedFor, response });
		return response;
	}

	private freshResponse(url: string, qs: Record<string, unknown>): Response {
		const list = LISTS[new URL(url).pathname];
		const requests = 1 + ((list && this.requests.get(list.event)) ?? 0);
		if (!list || --this.failsAfter < 0 || requests > this.mostRequests) {
			return { status: 403, body: { code: 403, message: 'Down' } };
		}
		this.requests.set(list.event, requests);
		if (this.denied.has(list.event)) return { status: 403, body: { code: 403, message: 'Denied' } };
		const rows = this.listOf(list.event);
		if (!String(qs.sort).startsWith('-')) rows.reverse();
		const size = Math.min(Number(qs.limit), this.pageSize);
		const from = (Number(qs.page) - 1) * size;
		const total = this.isSilent ? undefined : this.statedTotal(list.event, rows.length);
		const isSick = this.random() < this.sick;
		const isMissing = this.isEndMissing && from > 0 && from >= rows.length;
		if (isMissing || (isSick && this.random() < 0.5)) {
			return { status: 404, body: { code: 404, message: 'Not found' } };
		}
		const shown = isSick ? [] : rows.slice(from, from + size);
		this.hasShownDates ||= shown.some(({ date }) => date !== undefined);
		const page = shown.map(recordOf);
		const limit = { granted: size, asked: Number(qs.limit), absent: undefined }[this.limit];
		return { status: 200, body: { code: 200, data: { [list.key]: page, total, limit } } };
	}

	/** Returns the rows of a list, the newest first. */
	private listOf(event: Event): Row[] {
		const rows = this.rows
			.filter((row) => row.event === event && !row.isRemoved)
			.map((row) => ({ row, place: this.hasLooseTies ? this.random() : 0 }));
		rows.sort((one, other) => other.row.listedAt - one.row.listedAt || one.place - other.place);
		return rows.map(({ row }) => row);
	}

	private statedTotal(event: Event, length: number): number {
		const totals = (this.totals[event] ??= []);
		totals.push(length);
		return totals.at(-1 - this.lag) ?? totals[0] ?? length;
	}
}

/** Returns the date that the place of a row in its list shows: a reading may end before a date ahead. */
function placeOf({ date = 0, listedAt, isAhead }: Row): number {
	return isAhead ? listedAt : date;
}

function recordOf({ id, event, date, commentAt = Infinity }: Row): object {
	const text = date === undefined ? '' : new Date(date).toISOString();
	if (event === 'survey.sent') return { id, email: id, customerId: id, sentDate: text };
	const comment = commentAt <= serviceTime() ? 'Well' : '';
	return { id, email: id, createdDate: text, comment };
}

/** A service with the lists of one account. */
interface SimulatedAccount {
	readonly credential: { baseUrl: string };
	respond(url: string, qs: Record<string, unknown>): { status: number; body: object };
}

/** A workflow whose requests go to the accounts. */
export class SimulatedWorkflow extends PolledWorkflow {
	accounts: SimulatedAccount[] = [];

	protected pollFunctions(
		...parameters: Parameters<PolledWorkflow['pollFunctions']>
	): IPollFunctions {
		return answeredBy(this.accounts, super.pollFunctions(...parameters));
	}
}

/** The same with durable poll cursors. */
class DurablySimulatedWorkflow extends DurablyPolledWorkflow {
	accounts: SimulatedAccount[] = [];

	protected pollFunctions(
		...parameters: Parameters<DurablyPolledWorkflow['pollFunctions']>
	): IPollFunctions {
		return answeredBy(this.accounts, super.pollFunctions(...parameters));
	}
}

/** Lets accounts answer the requests of a poll. */
function answeredBy(accounts: SimulatedAccount[], functions: IPollFunctions): IPollFunctions {
	functions.helpers.httpRequestWithAuthentication = async (_, { url, qs = {} }) => {
		await Promise.resolve();
		const account = accounts.find(({ credential }) => url.startsWith(credential.baseUrl));
		const { status, body } = account?.respond(url, qs) ?? { status: 404, body: {} };
		const headers = {
			'content-type': 'application/json',
			date: new Date(serviceTime()).toUTCString(),
		};
		return { statusCode: status, headers, body: streamOf(JSON.stringify(body)) };
	};
	return functions;
}

function streamOf(text: string) {
	return {
		async *[Symbol.asyncIterator]() {
			yield Buffer.from(text);
		},
		destroy: () => undefined,
	};
}

/** One history of a trigger and two accounts. */
export class PollHistory {
	/** Events of the simulation beside polls and single records. */
	readonly story: string[] = [];
	private readonly random: () => number;
	private readonly accounts: [Account, Account];
	private readonly workflow: SimulatedWorkflow | DurablySimulatedWorkflow;
	private readonly credential: Account['credential'];
	private events: Event[];
	private current: Account;
	/** When the last poll of each list ended: one that failed may have read some lists, but none without the right to. */
	private readonly readAt = new Map<Event, number>();
	/** `readAt` at the last change of the credential: what is dated before may be left out. */
	private changedAt = new Map<Event, number>();
	/** True if the credential changed before any date was read. */
	private beginsAnew = false;
	/** Ends runs that will save the static data that they began with. */
	private runs: Array<() => void> = [];
	/** True while n8n's database has old data, which counts after a restart only. */
	private isStale = false;
	/** True if pages come empty now and then. */
	private readonly isSick: boolean;
	/** True if each poll ends after some requests. */
	private readonly isSlow: boolean;
	private readonly pageSize: number;
	/** How long feedback waits for its comment, in minutes. */
	private readonly wait: number;
	/** What may come out twice. */
	private readonly mayRepeat = new Set<string>();

	constructor(
		readonly seed: number,
		isDurable = false,
	) {
		this.random = randomFrom(seed * 7919 + 17);
		for (let i = 0; i < 5; i++) this.random();
		clock.time = Date.UTC(2027, 3, 5, 12);
		clock.ahead = CLOCKS[this.below(CLOCKS.length)] ?? 0;
		const pageSize = PAGES[this.below(PAGES.length)] ?? PAGE;
		this.pageSize = pageSize;
		this.wait = this.below(2) === 0 ? 0 : WAIT;
		const account = (name: string) => new Account(name, this.random, pageSize);
		this.accounts = [account('a'), account('b')];
		const lag = this.below(6) === 0 ? 1 + this.below(4) : 0;
		const hasLooseTies = this.below(6) === 0;
		const isSilent = this.below(5) === 0;
		// docs/reading.md: where the total is wrong or absent, an empty page or a 404 is the end.
		this.isSick = !isSilent && this.below(3) === 0 && lag === 0;
		const isSortedByDate = hasLooseTies || this.below(2) === 0;
		const ahead = this.below(3) === 0 ? 0.05 : 0;
		const limit = (['granted', 'asked', 'absent'] as const)[this.below(3)];
		const isEndMissing = this.below(3) === 0;
		const cachedFor = this.below(4) === 0 ? this.below(10) * SECOND : 0;
		const list = { lag, limit, isEndMissing, cachedFor, isSilent };
		const ways = { ...list, hasLooseTies, ahead, isSortedByDate };
		for (const one of this.accounts) Object.assign(one, ways);
		this.story.push(JSON.stringify({ ...ways, pageSize, isSick: this.isSick, wait: this.wait }));
		[this.current] = this.accounts;
		this.events = EVENTS.filter(() => this.random() < 0.4);
		if (this.events.length === 0) this.events = ['feedback.created'];
		// docs/reading.md: a poll reads on where the last one ended if the total is right and the order stays.
		// A seed keeps its history: this draws from numbers of its own.
		const slowness = randomFrom(seed);
		this.isSlow = slowness() < 1 / 3 && !isSilent && lag === 0 && !hasLooseTies;
		if (this.isSlow) {
			// docs/reading.md: the newest 1,000 surveys are read in one poll.
			const looked = this.events.includes('survey.sent') ? 1000 / pageSize : 0;
			const mostRequests = looked + 8 + Math.floor(slowness() * 8);
			for (const one of this.accounts) one.mostRequests = mostRequests;
			this.story.push(`at most ${mostRequests} requests a poll`);
		}
		this.credential = { ...this.current.credential };
		const Simulated = isDurable ? DurablySimulatedWorkflow : SimulatedWorkflow;
		this.workflow = new Simulated(this.credential);
		this.workflow.accounts = this.accounts;
	}

	/** Returns what is wrong: records that are missing, came twice, or should not have come. */
	async run(): Promise<string[]> {
		// The other account has nothing that is newer than what the trigger begins with.
		clock.time -= 6 * DAY;
		for (const account of [...this.accounts].reverse()) {
			clock.time += 2 * DAY;
			for (let i = this.below(150); i > 0; i--) {
				const row = account.add(this.event(), false);
				// Nobody can tell by its date that it was there before, if the publish did not read so far.
				if (row.isAhead) row.isDue = undefined;
			}
		}
		clock.time += 2 * DAY;
		if (this.event() === 'survey.sent' && this.below(4) === 0) this.send(false);
		await this.publish();
		for (let steps = 3 + this.below(25); steps > 0; steps--) await this.step();
		await this.settle();
		await this.workflow.deactivate();
		return this.mistakes();
	}

	private mistakes(): string[] {
		const counts = new Map<string, number>();
		for (const name of this.workflow.came) counts.set(name, (counts.get(name) ?? 0) + 1);
		return this.accounts.flatMap((account) =>
			account.rows.flatMap((row) => {
				const { id, event, isDue } = row;
				const count = counts.get(`${event} ${id}`) ?? 0;
				if (count > 1 && !this.mayRepeat.has(`${event} ${id}`))
					return `${event} ${id} came ${count} times`;
				// docs/reading.md: surveys behind the newest 1,000.
				const isBuried = event === 'survey.sent' && !account.isNear(row);
				if (isDue === true && count === 0 && !isBuried) return `${event} ${id} is missing`;
				if (count > 0 && this.wait > 0 && !this.hasComment(row))
					return `${event} ${id} came without its comment`;
				return isDue === false && count > 0 ? `${event} ${id} is old` : [];
			}),
		);
	}

	/** A date that is ahead says nothing about the time of a comment. */
	private hasComment({ id, event, isAhead }: Row): boolean {
		if (event !== 'feedback.created' || isAhead) return true;
		const items = this.workflow.runs.flat().map(({ json }) => Object(json.data));
		return items.some((data) => data.id === id && data.comment !== '');
	}

	private async step(): Promise<void> {
		const kind = this.below(20);
		if (kind < 5) return this.add(1 + this.below(3));
		if (kind === 5) return this.outage();
		if (kind === 6) return this.remove(this.below(5) === 0 ? PAGE : 1);
		if (kind === 7) return void (clock.time += SECOND * (1 + this.below(100_000)));
		if (kind < 13) return await this.poll();
		if (kind === 13) return await this.fail();
		if (kind === 14) return await this.restart();
		if (kind === 15) return await this.publish();
		if (kind === 16) return await this.drop();
		if (kind === 17) return void this.runs.push(this.workflow.beginRun());
		if (kind === 18) return await this.endRun();
		if (this.below(3) === 0) return this.deny();
		// docs/reading.md: with another key, a poll does not read on where the last one ended.
		if (!this.isSlow) this.changeCredential();
	}

	private add(count: number): void {
		clock.time += SECOND * (1 + this.below(60));
		for (let i = 0; i < count; i++) this.addRow(this.event());
		this.current.deliver();
	}

	private addRow(event: Event): void {
		const row = this.current.add(event, true);
		if (row.date !== undefined && placeOf(row) <= this.changeOf(event)) row.isDue = undefined;
	}

	private remove(count: number): void {
		for (let i = 0; i < count; i++) this.current.remove();
	}

	private import(count: number): void {
		const event = this.event();
		for (let i = 0; i < count; i++) this.addRow(event);
	}

	/** A campaign is sent to many people within a minute. */
	private send(isDue: boolean): void {
		const count = 1000 + this.below(1600);
		for (let i = 0; i < count; i++) {
			clock.time += 20;
			const row = this.current.addSent(isDue);
			if (isDue && serviceTime() <= this.changeOf('survey.sent')) row.isDue = undefined;
		}
		this.story.push(`${count} surveys sent`);
	}

	/** Nobody polls, while records come and go, in whole pages or one by one. */
	private outage(): void {
		const event = this.event();
		if (event === 'survey.sent' && this.below(4) === 0) return this.send(true);
		const isImport = this.below(3) === 0;
		const added = isImport ? PAGE * (1 + this.below(3)) : 95 + this.below(20);
		for (let count = added; count > 0; count--) {
			if (!isImport) clock.time += SECOND * this.below(60);
			this.addRow(event);
		}
		const removed = isImport ? 0 : this.below(16);
		this.remove(removed);
		this.story.push(`${added} added, ${removed} removed`);
	}

	private async poll(): Promise<void> {
		clock.time += SECOND;
		this.current.meanwhile = () => {
			clock.time += 100;
			if (this.random() < 0.1) this.addRow(this.event());
			if (this.random() < 0.02) this.import(PAGE);
			// docs/reading.md: without a total, or with a late one, a removal during a poll may hide others.
			if (this.current.isSilent || this.current.lag > 0) return;
			if (this.random() < 0.1) this.current.remove();
			if (this.random() < 0.02) this.remove(PAGE);
		};
		this.current.sick = this.isSick ? 0.1 : 0;
		const before = this.workflow.runs.length;
		await this.pollOnce().catch((error: Error) => this.excuse(error));
		this.current.meanwhile = () => {};
		this.current.sick = 0;
		if (this.workflow.runs.length > before) this.isStale = false;
	}

	/** @throws an error that says neither that pages contradict each other nor that the key lacks a right, or that nothing explains */
	private excuse(error: Error): void {
		if (error.message.includes('Denied') && this.current.denied.size > 0) return;
		if (error.message.includes('Down') && this.isSlow) return;
		const isSaid = / has none of them|^Not found|faster than it can be read/.test(error.message);
		const { lag, cachedFor } = this.current;
		if (!isSaid || !(this.isSick || lag > 0 || cachedFor > 0)) throw error;
	}

	private async fail(): Promise<void> {
		this.current.failsAfter = this.below(5);
		await this.pollOnce().catch(() => undefined);
		this.current.failsAfter = Infinity;
	}

	private async publish(): Promise<void> {
		clock.time += SECOND;
		const options = { waitForComment: this.wait };
		const parameters = { events: this.events, routeBy: 'none', simplify: false, options };
		// A user who reads that a page or a right is missing publishes again, with a key that has it.
		for (let tries = 1; !(await this.publishesBy(parameters)); tries++) {
			if (tries > 5) throw new Error('Publishing fails again and again');
		}
		this.noteReading();
		this.isStale = false;
	}

	private async publishesBy(parameters: INodeParameters): Promise<boolean> {
		this.current.requests.clear();
		try {
			await this.workflow.publish(parameters);
			return true;
		} catch (error) {
			this.excuse(error instanceof Error ? error : new Error(String(error)));
			this.current.denied.clear();
			clock.time += 10 * SECOND;
			return false;
		}
	}

	private async restart(): Promise<void> {
		this.story.push('restarted');
		clock.time += SECOND;
		// Only the process knew better than a run that saved old data.
		if (this.isStale) for (const name of this.workflow.came) this.mayRepeat.add(name);
		this.current.requests.clear();
		await this.workflow.restart();
		this.noteReading();
		this.isStale = false;
	}

	/** Publishes during a poll, whose items n8n drops. */
	private async drop(): Promise<void> {
		this.story.push('published during a poll');
		this.current.requests.clear();
		await this.workflow.pollInVain().catch((error: Error) => this.excuse(error));
		await this.publish();
	}

	private async endRun(): Promise<void> {
		const end = this.runs.shift();
		if (!end) return;
		end();
		this.story.push('a run saved old data');
		this.isStale = !(this.workflow instanceof DurablyPolledWorkflow);
		if (this.below(2) === 0) await this.publish();
	}

	/** The key loses the right to read a list. */
	private deny(): void {
		const event = this.event();
		this.current.denied.add(event);
		this.story.push(`no right to read ${event}`);
	}

	/** Replaces the key of the account, or uses the other account. */
	private changeCredential(): void {
		this.story.push('credential changed');
		this.beginsAnew ||= !this.accounts.some(({ hasShownDates }) => hasShownDates);
		this.changedAt = new Map([...this.readAt].map(([event, at]) => [event, at + clock.ahead]));
		if (this.below(2) === 0) {
			this.credential.apiKey += '1';
			this.current.denied.clear();
		} else this.changeAccount();
		// docs/reading.md: if no known record is there, only those come out that are dated after the last poll of their event.
		for (const row of this.current.rows) {
			if (placeOf(row) <= this.changeOf(row.event)) row.isDue &&= undefined;
		}
		clock.time += SECOND;
	}

	private changeAccount(): void {
		for (const row of this.current.rows) row.isDue &&= undefined;
		this.current = this.current === this.accounts[0] ? this.accounts[1] : this.accounts[0];
		Object.assign(this.credential, this.current.credential);
		for (const row of this.current.rows) {
			if ((row.date ?? 0) <= this.changeOf(row.event)) continue;
			// It was there, and is dated ahead of the last poll.
			if (row.isDue === false) row.isDue = undefined;
		}
	}

	private changeOf(event: Event): number {
		return this.changedAt.get(event) ?? 0;
	}

	/** Polls until nothing can be pending. docs/reading.md: a look for surveys that waited may take ten minutes for each of its requests. */
	private async settle(): Promise<void> {
		this.current.denied.clear();
		this.current.deliver();
		const look = this.events.includes('survey.sent') ? 1000 / this.pageSize + 1 : 0;
		const often = this.isSlow ? 200 : 30;
		const minutes = Math.max(this.wait + 10 * (2 + look), this.isSlow ? often : 0);
		for (let minute = 0; minute <= minutes; minute += minute < often ? 1 : 10) {
			await this.pollOnce().catch((error: Error) => this.excuse(error));
			clock.time += MINUTE * (minute < often ? 1 : 10);
		}
	}

	private async pollOnce(): Promise<void> {
		const { workflow } = this;
		this.current.requests.clear();
		const isTwice = workflow instanceof DurablyPolledWorkflow && this.below(4) === 0;
		const polling = isTwice ? workflow.pollTwice() : workflow.poll();
		await polling.finally(() => this.noteReading());
	}

	/** docs/reading.md: if nothing was read before a change of the credential, the first poll after it is the start. */
	private noteReading(): void {
		for (const event of EVENTS) {
			if (!this.current.denied.has(event)) this.readAt.set(event, clock.time);
		}
		if (!this.beginsAnew) return;
		for (const row of this.current.rows) row.isDue &&= undefined;
		this.beginsAnew = false;
	}

	private event(): Event {
		return this.events[this.below(this.events.length)] ?? 'feedback.created';
	}

	private below(end: number): number {
		return Math.floor(this.random() * end);
	}
}
