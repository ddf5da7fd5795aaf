import { Failure } from '../base/failure';
import type { ApiClient } from '../http/client';
import { keyOf, pages } from '../paging/pages';
import type { ListPage } from '../paging/pages';
import { shortHash } from './memory';
import type { ListState } from './memory';
import { dated } from './pollingTrigger';
import type { Dated, EventList } from './pollingTrigger';
import { EVER, newSince, nextWindow } from './window';
import type { Place, Rest, Window } from './window';

/** The facts with which a poll of a list starts, besides how far it was read. */
interface PollStart {
	/** A hash of the base URL and the key. */
	account: string;
	/** Start Date, in ms. */
	startDate?: number;
	/** How long a record waits for its comment, in ms. */
	wait: number;
}

/** The result of a poll of one list. After a failure, it has the records that were read before it. */
export interface PolledList {
	list: EventList;
	/** The new records, the oldest first. */
	records: Dated[];
	/** How far the list was read: in the account of this poll, and in those before it. */
	states: ListState[];
	failure?: Failure;
	/** False if the list has records, but none with a date that can be read. */
	hasDates: boolean;
}

/** A page size that is enough for most polls, and the largest that services are known to accept. */
const FEW = 100;
const MANY = 1000;

/** The new records after which a poll ends. The next poll returns the others. */
// docs/reading.md: 10,000 records
const MOST_POLLED = 10_000;

/** How often a poll reads the newest 1,000 records of a list in which some wait for their date: as often as by one request in this time, in ms. */
// docs/reading.md: every ten minutes
const LOOK = 10 * 60 * 1000;

/** By how much a record may be late, in ms. */
// docs/reading.md: ten minutes
const LATE = 10 * 60 * 1000;

/** How long a record of an account that was empty may have been created before it is listed, in ms. */
const FIRST_LATE = 24 * 60 * 60 * 1000;

/** The accounts in which a place in the list is remembered, for somebody who tries another key and returns. */
const MOST_ACCOUNTS = 3;

/** Reads what is new in a list. */
export async function pollList(
	client: ApiClient,
	list: EventList,
	start: PollStart,
	states: ListState[] = [],
): Promise<PolledList> {
	const own = states.find(({ account }) => account === start.account);
	const readOn = async (state?: ListState) =>
		await new ListReader(client, list, start, state).read();
	let reader = await readOn(own ?? states[0]);
	if (!own && !reader.knows(states[0])) {
		const known = states.find((state) => reader.knows(state));
		if (known) reader = await readOn(known);
		// Without the end of the window, nobody knows whether this is another account.
		else if (reader.failure) return { ...reader.result(), records: [], states };
		else if (states[0]) reader.beginAt(states[0].readAt);
	}
	const others = states.filter((state) => state !== own && !reader.knows(state));
	const { state, ...result } = reader.result();
	return { ...result, states: state ? [state, ...others].slice(0, MOST_ACCOUNTS) : states };
}

/** A record with what identifies it. */
type Row = Dated & { key: string };

/** Reads a list from its newest record back to the start of the window, and then what is left of the poll before. */
class ListReader {
	failure?: Failure;
	private window: Window;
	private readonly startedAt = Date.now();
	/** The dates of the records that came, and those of them that are new. */
	private readonly came = new Map<string, number>();
	private readonly fresh = new Map<string, Dated>();
	private readonly isLook: boolean;
	private look: ListState['look'];
	private records = 0;
	private requests = 0;
	/** The records of the window on the pages that came, but those that came twice because others were added. */
	private listed = 0;
	private hasUnreadable = false;
	/** True if the first page is the whole list; otherwise `edge` is just after the date of the last record on it. */
	private isWhole = false;
	private edge?: number;
	/** How far the pages came that are being read. */
	private mark?: Place & { before: number };
	/** True until the end of the window came, and until the rest of the poll before came. */
	private isCut = true;
	private hasRest = false;

	/** @param before how far earlier polls read; undefined before the first one */
	constructor(
		private readonly client: ApiClient,
		private readonly list: EventList,
		private readonly start: PollStart,
		private readonly before?: ListState,
	) {
		const { since = start.startDate ?? EVER, seen = {}, rest, look } = before ?? {};
		this.window = { since, seen: new Map(Object.entries(seen)), rest };
		this.look = look;
		const isDue = !look || Math.abs(this.startedAt - look.at) >= look.requests * LOOK;
		this.isLook = list.waits === true && (this.isFirst || (before !== undefined && isDue));
	}

	async read(): Promise<this> {
		try {
			await this.readNewest();
			if (this.window.rest && !this.isCut) await this.readRest(this.window.rest);
		} catch (error) {
			this.failure = Failure.from(error);
		}
		return this;
	}

	/** Returns whether a record came that was seen before. */
	knows(state?: ListState): boolean {
		return [...this.came.keys()].some((key) => key in (state?.seen ?? {}));
	}

	/** Begins in another account. */
	beginAt(since: number): void {
		this.window = { since, seen: new Map() };
		this.hasRest = false;
	}

	result() {
		const { list, failure, hasUnreadable, came, start, isFirst } = this;
		const oldest = Math.max(newSince(this.window), start.startDate ?? EVER);
		const records = [...this.fresh.values()].filter(({ created }) => created >= oldest);
		// The list has the newest first, also among those of one date.
		const inOrder = records.reverse().sort((one, other) => one.created - other.created);
		const hasDates = came.size > 0 || !hasUnreadable;
		return { list, records: isFirst ? [] : inOrder, state: this.state(), failure, hasDates };
	}

	/** True for the poll from which on records are new. */
	private get isFirst(): boolean {
		return this.before === undefined && this.start.startDate === undefined;
	}

	private get serviceTime(): number {
		return this.startedAt + this.client.clockAhead;
	}

	private async readNewest(): Promise<void> {
		const { isLook, isFirst, startedAt } = this;
		const { since } = this.window;
		const size = isLook ? MANY : FEW;
		const isBack = await this.readBack(since, { page: 1, size }, isFirst || !isLook);
		const isAll = isBack || isFirst || (await this.readBack(since, { page: 1, size: MANY }));
		this.isCut = !isAll;
		if (isLook && isAll) this.look = { at: startedAt, requests: this.requests };
	}

	/** Reads the rest of the poll before. Goes back if records were removed, so that others moved to earlier pages. */
	private async readRest({ page, size, before, since }: Rest): Promise<void> {
		this.hasRest = true;
		this.mark = { page, size, before };
		let isBack: boolean | undefined;
		for (let step = 1; isBack === undefined; step *= 2) {
			isBack = await this.readBack(since, { page, size });
			page = Math.max(1, page - step);
		}
		this.hasRest = !isBack;
	}

	/**
	 * Reads pages back to a date. Returns false if there are more, and undefined if the first one is not next to what came.
	 *
	 * @param isOne reads one page only, unless it is the whole list
	 */
	private async readBack(since: number, { page: from, size }: Place, isOne = false) {
		const { client, list } = this;
		const { request, recordsKey, identity } = list;
		const paged = { request, recordsKey, identity, pageSize: size };
		let last: ListPage | undefined;
		if (from === 1) this.listed = 0;
		for await (const page of pages(client, paged, { from, inFlight: 1 })) {
			const rows = this.take(page);
			if (!last && page.number > 1 && !this.isNext(rows)) return undefined;
			this.mark = markAfter(page, rows, last) ?? this.mark;
			this.listed -= last ? Math.max(0, (page.total ?? 0) - (last.total ?? 0)) : 0;
			// If records were removed, the pages go back: one of them may have moved before this page.
			const hasFallen = (page.total ?? Infinity) < (last?.total ?? 0);
			last = page;
			if (!hasFallen && this.isBack(rows, since)) return true;
			const isFull = isOne ? !this.isWhole : this.fresh.size >= MOST_POLLED;
			if (isFull) return false;
		}
		return last || from === 1 ? true : undefined;
	}

	private take(page: ListPage): Row[] {
		const { list, window, came, fresh } = this;
		const rows = page.records.flatMap((data) => {
			const row = dated(list, data);
			return row ? { ...row, key: shortHash(keyOf(list, data)) } : [];
		});
		this.requests++;
		this.records += page.records.length;
		this.hasUnreadable ||= rows.length === 0 && page.records.some(list.hasDate);
		if (page.number === 1) this.noteFirst(page, rows);
		// Records that wait when the trigger begins are older than its start.
		const ready = rows.filter((row) => this.isFirst || !this.isWaiting(row));
		const inWindow = ready.filter(({ created }) => created >= newSince(window));
		for (const { key, created } of ready) came.set(key, created);
		// promise: each-once
		for (const row of inWindow) if (!window.seen.has(row.key)) fresh.set(row.key, row);
		this.listed += new Set(inWindow.map(({ key }) => key)).size;
		return rows;
	}

	/** A record that is dated further ahead has no date by which its comment could be awaited. */
	private isWaiting({ created }: Row): boolean {
		const age = this.serviceTime - created;
		return age < this.start.wait && age > -Math.min(this.start.wait, LATE);
	}

	/** Returns whether records may be hidden: others came twice in their place, as if their order differed between requests. */
	private get isTorn(): boolean {
		const { window, came, listed, fresh } = this;
		const inWindow = (dates: Iterable<number>) =>
			[...dates].filter((created) => created >= newSince(window)).length;
		// Removed records count as known, so that only a reading that brings nothing new is sure.
		if (inWindow(came.values()) < listed && fresh.size > 0) return true;
		return inWindow(new Map([...window.seen, ...came]).values()) < listed;
	}

	/** Notes what the first response says about the page with which later polls begin. */
	private noteFirst({ total, records }: ListPage, rows: Row[]): void {
		if (this.requests > 1) return;
		this.isWhole = total !== undefined && total <= records.length;
		// A date ahead says nothing about where the window may begin.
		const dates = rows.map(({ created }) => created).filter((date) => date <= this.serviceTime);
		if (this.list.waits) dates.sort((one, other) => other - one);
		const last = dates.at(-1);
		this.edge = this.isWhole || last === undefined ? undefined : last + 1;
	}

	/** Returns whether everything since a date has come. */
	private isBack(rows: Row[], since: number): boolean {
		const last = rows.at(-1)?.created;
		if (last === undefined || (this.isLook && this.records < MANY)) return false;
		// A survey created before one that was sent before the window is older than the window, too.
		return this.list.waits ? rows.some(({ created }) => created < since) : last < since;
	}

	/** Returns whether the records of a page are next to those that came. */
	private isNext([first]: Row[]): boolean {
		const { seen, rest } = this.window;
		return !first || seen.has(first.key) || first.created > (rest?.before ?? EVER);
	}

	/** The service's clock, or what it was when the youngest record came that waits no more. */
	private get clock(): number {
		return this.serviceTime - this.start.wait;
	}

	/** Returns how far the list was read by now. */
	private state(): ListState | undefined {
		const { before, start, came, mark, isCut, isTorn, edge, clock, look, startedAt, serviceTime } =
			this;
		if (this.failure && came.size === 0) return before;
		const window = before ? this.window : { ...this.window, since: this.firstSince() };
		const since = newSince(window);
		const left = isCut || this.hasRest ? mark : undefined;
		const rest = left && left.before >= since ? { ...left, since } : undefined;
		// A survey may have got its date since the last look.
		const late = LATE + startedAt - (look?.at ?? startedAt);
		const next = nextWindow(window, { came, edge, rest, isCut, isTorn, clock, late });
		const isComplete = !this.failure && !next.rest;
		const earlier = before?.readAt ?? start.startDate ?? serviceTime;
		const readAt = isComplete ? serviceTime : earlier;
		const seen = Object.fromEntries(next.seen);
		return { account: start.account, ...next, seen, readAt, look };
	}

	/** Returns from when on records are new if nothing is known of the list. */
	private firstSince(): number {
		const { came, start, serviceTime } = this;
		if (start.startDate !== undefined) return Math.min(start.startDate, serviceTime);
		if (this.isWhole) return EVER;
		if (this.records === 0) return serviceTime - FIRST_LATE;
		const dates = [...came.values()];
		const last = this.list.waits ? Math.max(...dates) : dates.at(-1);
		// Records of the same date may be on the next page.
		return Math.min((last ?? serviceTime) + 1, serviceTime);
	}
}

/** Returns where to go on after a page. If records were removed, others moved to the pages before it. */
function markAfter({ number, size, total }: ListPage, rows: Row[], last?: ListPage) {
	const before = rows.at(-1)?.created;
	if (before === undefined) return undefined;
	const fallen = Math.max(0, (last?.total ?? 0) - (total ?? Infinity));
	const moved = Math.max(0, (number - 1) * size - fallen);
	const page = fallen > 0 ? Math.floor(moved / size) + 1 : number + 1;
	return { page, size, before };
}
