import { Failure } from '../base/failure';
import type { ApiClient } from '../http/client';
import { Walk } from '../paging/walk';
import type { WalkedPage } from '../paging/walk';
import { keysIn, MOST_SEEN, shortHash, START, storedKeys } from './memory';
import type { ListState } from './memory';
import { dated } from './pollingTrigger';
import type { Dated, EventList } from './pollingTrigger';

/** The facts with which a poll starts, besides the state of the list. */
interface PollStart {
	account: string;
	/** Start Date, in ms; 0 without one. */
	since: number;
	/** When the trigger last polled, in ms by n8n's clock. */
	lastAt?: number;
}

/** A page size that is enough for most polls, and the largest that services are known to accept. */
const FEW = 100;
const MANY = 1000;

/** How often a poll goes back over the newest records of a list in which some wait for their date, in ms. */
// docs/reading.md: every ten minutes
const LOOK = 10 * 60 * 1000;

/** The records after which a poll ends. The next poll returns the others. */
const MOST_POLLED = 10_000;

/** If at least this many more dates fall than rise, the list has its newest records first. */
const MANY_FALLS = 10;

/** A record that came, and its position in the list. */
type Positioned = Dated & { key: string; index: number };

/**
 * Reads what is new in a list. Old is what was read: the records before a position, and those whose keys are known. New ones
 * are at the end of the list, so they move nobody. Removals show as a smaller total, and records that appear late show as
 * known ones behind the position. What was read counts, also if a page fails: then there is a failure beside it.
 */
export class ListPoll {
	/** The new records, the oldest first. */
	records: Dated[] = [];
	failure?: Failure;
	/** False if the list has records, but none with a date that can be read. */
	hasDates = true;
	/** The number of records that appeared too far back in the list to be found. */
	missed = 0;
	private readonly startedAt = Date.now();
	/** The records that came, by their keys. */
	private readonly found = new Map<string, Positioned>();
	/** The keys of the newest records that earlier polls read, those that came longest ago first. */
	private known = new Set<string>();
	/** The keys of all records that came, also of those without a date. */
	private readonly keys = new Set<string>();
	private isSameAccount = true;
	/** True where a date alone says what is new. */
	private isByDate = false;
	private hasUnreadable = false;
	private isAtEnd = false;

	/** @param state how far earlier polls read, and afterwards this one; undefined before the first one */
	constructor(
		private readonly client: ApiClient,
		readonly list: EventList,
		private readonly start: PollStart,
		public state?: ListState,
	) {}

	async run(): Promise<this> {
		const { state, start } = this;
		try {
			if (state) await this.readOn(state, start.since);
			else if (start.since > 0) await this.readSince(start.since);
			else this.state = await this.beginAtEnd();
		} catch (error) {
			this.failure = Failure.from(error);
		}
		this.hasDates = this.found.size > 0 || !this.hasUnreadable;
		return this;
	}

	/** Counts all records of the list as read: by its first page, which says how long it is, and by its last. */
	private async beginAtEnd(): Promise<ListState> {
		const walk = this.walk(MANY);
		this.known.add(START);
		for (let page = await walk.next(); page; page = await walk.next()) {
			const { from, total = 0 } = page;
			const { length } = page.records;
			// One that waits may stand among the newest records; of other lists, the last page is enough.
			const next = this.list.waits ? total - MOST_SEEN : total - 1;
			if (from === 0 && total > 2 * length && next > length) {
				// Pages of equal length, so that the last one is not nearly empty.
				walk.goTo(next, Math.ceil(total / Math.ceil(total / length)));
				this.known.clear();
			} else this.take(page);
		}
		for (const key of this.found.keys()) this.known.add(key);
		// A response without records that states no total may be a passing fault. Where the order changes, some came twice and others not.
		const isUnsure = walk.total === undefined && this.keys.size === 0;
		if (isUnsure || this.keys.size < walk.position) this.known.delete(START);
		return this.stateAt(walk.position, this.serviceTime);
	}

	/** Reads what was created since a moment, in ms. */
	private async readSince(since: number): Promise<void> {
		this.state = await this.beginAt(since);
		await this.readOn(this.state, since, true);
	}

	/** Finds the first record of a date by halving the list. */
	private async beginAt(date: number): Promise<ListState> {
		const walk = this.walk(MANY);
		let page = await walk.next();
		const { length = 1 } = page?.records ?? {};
		for (let low = 0, high = Math.ceil((page?.total ?? 0) / length) - 1; low < high; ) {
			const middle = Math.ceil((low + high) / 2);
			walk.goTo(middle * length, length);
			const other = await walk.next();
			const [first] = this.datedIn(other);
			if (first && first.created < date) [low, page] = [middle, other];
			else high = middle - 1;
		}
		const rows = this.datedIn(page);
		const first = rows.find(({ created }) => created >= date);
		const end = first?.index ?? (page ? page.from + page.records.length : 0);
		const before = rows.filter(({ index }) => index < end).map(({ key }) => key);
		this.known = new Set(end === 0 ? [START] : before);
		return this.stateAt(end, date);
	}

	private stateAt(end: number, readAt: number): ListState {
		const { known, start } = this;
		return { account: start.account, end, seen: storedKeys(known), readAt };
	}

	/**
	 * Reads from the last known record on. If none is known, it is another account's list, or the newest records were removed: then
	 * what was created since it was last read is new.
	 */
	private async readOn(before: ListState, since: number, isByDate = false): Promise<void> {
		const { start, list, startedAt } = this;
		const { end } = before;
		this.known = keysIn(before.seen);
		this.isSameAccount = before.account === start.account;
		this.isByDate = isByDate;
		const isDue = isByDate || slotOf(start.lastAt ?? 0) !== slotOf(startedAt);
		const isLook = list.waits === true && isDue;
		const begin = Math.max(0, end - (isLook ? MOST_SEEN : 1));
		const few = end % FEW === 0 ? FEW - 1 : FEW;
		const walk = this.walk(isLook ? MANY : few, begin, end);
		try {
			await this.readPages(walk, end, isLook);
		} finally {
			if (!this.isLost) this.settle(walk, before, since);
		}
		// An empty list may be a passing fault.
		if (!this.isLost || (await this.walk(MANY).next()) === undefined) return;
		// The first records of an account may appear late, too.
		const late = this.isSameAccount && end === 0 ? LOOK : 0;
		await this.readSince(Math.max(since, before.readAt - late));
	}

	/** Reads to the end, or to the most records of a poll. Goes back once if known records are not where they were. */
	private async readPages(walk: Walk, end: number, isLook: boolean): Promise<void> {
		let hasLooked = isLook;
		// Only once: the service may refuse large pages.
		let mayGrow = true;
		for (let page = await walk.next(); ; page = await walk.next()) {
			if (page) this.take(page);
			const isOdd = page ? this.isMoved(walk, end) : this.isTorn(walk, end);
			if (isOdd && !hasLooked) {
				hasLooked = true;
				walk.goTo(Math.max(0, end - MOST_SEEN), MANY);
			} else if (!page) break;
			else if (this.isLost && walk.position >= end) return;
			else if (this.unknownCount >= MOST_POLLED) return;
			else if (mayGrow && walk.pageSize <= FEW && (walk.total ?? 0) - walk.position > FEW) {
				mayGrow = false;
				walk.goTo(walk.position, MANY);
			}
		}
		this.isAtEnd = true;
		// A shorter list was read whole.
		if (hasLooked && end > MOST_SEEN) this.missed = Math.max(0, this.shift(end));
	}

	/** True if records before a position were removed, or others appeared there. */
	private isMoved({ total = Infinity }: Walk, end: number): boolean {
		return this.isLost || this.shift(end) > 0 || this.unknownCount > total - end;
	}

	/**
	 * True at the end if records came or went while the pages were read, so that another one may lie between two pages: fewer
	 * came, without those removed, than the total says, or, without a total, the last known one is not where it was. Of surveys
	 * that wait, only a list without any known one is read further back.
	 */
	private isTorn({ total, removed }: Walk, end: number): boolean {
		const { unknownCount } = this;
		if (this.list.waits) return this.isLost;
		if (total !== undefined) return unknownCount > 0 && unknownCount - removed < total - end;
		const last = [...this.found.values()].find(({ index }) => index === end - 1);
		return end > 0 && !this.known.has(last?.key ?? '');
	}

	/** True if none of the known records came, and the list is not known from its start. */
	private get isLost(): boolean {
		if (this.isByDate) return false;
		return this.knownCount === 0 && !(this.isSameAccount && this.known.has(START));
	}

	private get unknownCount(): number {
		return this.found.size - this.knownCount;
	}

	private get knownCount(): number {
		return [...this.found.keys()].filter((key) => this.known.has(key)).length;
	}

	/** Returns how many records have appeared before a position and did not come: so many known ones more are behind it. */
	private shift(end: number): number {
		const found = [...this.found.values()];
		const behind = found.filter(({ key, index }) => index >= end && this.known.has(key));
		const before = found.filter(({ key, index }) => index < end && !this.known.has(key));
		return behind.length - before.length;
	}

	/** Takes the new records, and sets the state for the next poll. */
	private settle(walk: Walk, before: ListState, since: number): void {
		const { found, known, isAtEnd, isByDate } = this;
		if (found.size === 0 && !isAtEnd) return;
		const rows = [...found.values()].sort((one, other) => one.index - other.index);
		// Records in front of the known ones are old, unless only a date decides.
		const first = isByDate || known.has(START) ? -1 : rows.findIndex(({ key }) => known.has(key));
		const waiting = this.firstWaiting(rows, before);
		const oldest = before.readAt - LOOK;
		const read = rows.filter(
			({ created, index }, i) => i >= first || (index >= waiting && created >= oldest),
		);
		// promise: each-once
		const unknown = read.filter(({ key, created }) => !known.has(key) && created >= since);
		const mixed = this.mixedDates(rows);
		const fresh = unknown.filter(({ created }) => !mixed.has(created));
		this.records = fresh.sort(
			(one, other) => one.created - other.created || one.index - other.index,
		);
		this.remember(read);
		this.state = this.stateAt(walk.position, isAtEnd ? this.serviceTime : before.readAt);
	}

	/** Puts the known keys in the order of the list. One that did not come stays behind the same record. */
	private remember(read: Positioned[]): void {
		const others: string[] = [];
		const groups = new Map(read.map(({ key }) => [key, [key]]));
		let group = others;
		for (const key of this.known) {
			const own = groups.get(key);
			if (own) group = own;
			else group.push(key);
		}
		this.known = new Set([others, ...groups.values()].flat());
	}

	/**
	 * Returns the index from which on a record before all known ones may be a survey that got its date since the last look. Older
	 * records came out, and their keys were given up.
	 */
	private firstWaiting(rows: Positioned[], { end }: ListState): number {
		const { known, list } = this;
		if (!list.waits || known.size >= MOST_SEEN) return Infinity;
		const newest = rows.filter(({ key }) => known.has(key)).at(-1);
		return Math.max(end, (newest?.index ?? 0) + 1) - MOST_SEEN;
	}

	/**
	 * Returns the dates of known records if they come in another order than before. Then old records of these dates, whose keys
	 * are no longer known, may stand among the new ones.
	 */
	private mixedDates(rows: Positioned[]): Set<number> {
		const places = new Map([...this.known].map((key, place) => [key, place]));
		const known = rows.filter(({ key }) => places.has(key));
		const isMoved = known.some(
			({ key }, i) => (places.get(key) ?? 0) < (places.get(known[i - 1]?.key ?? '') ?? 0),
		);
		const isMixed = isMoved && !places.has(START);
		return new Set(isMixed ? known.map(({ created }) => created) : []);
	}

	private get serviceTime(): number {
		return this.startedAt + this.client.clockAhead;
	}

	private walk(pageSize: number, position?: number, total?: number): Walk {
		const { request, recordsKey, identity } = this.list;
		return new Walk(this.client, { request, recordsKey, identity, pageSize }, { position, total });
	}

	private take(page: WalkedPage): void {
		const rows = this.datedIn(page);
		this.hasUnreadable ||= rows.length === 0 && page.records.some(this.list.hasDate);
		this.checkOrder(rows);
		for (const row of rows) this.found.set(row.key, row);
		for (const key of page.keys) this.keys.add(key);
	}

	/** @throws Failure if the dates fall from record to record. A few do where some are dated ahead of the clock */
	private checkOrder(rows: Dated[]): void {
		if (this.list.waits) return;
		const steps = rows.map(({ created }, i) =>
			Math.sign(created - (rows[i - 1]?.created ?? created)),
		);
		const trend = steps.reduce((sum, step) => sum + step, 0);
		if (trend > -MANY_FALLS) return;
		const { name } = this.client.service;
		const message = `${name} does not list the oldest records of ${this.list.request.path} first`;
		throw new Failure('failed', message, { hint: 'The next poll tries again' });
	}

	private datedIn({ records, keys, from }: WalkedPage = NO_PAGE): Positioned[] {
		return records.flatMap((data, i) => {
			const row = dated(this.list, data);
			return row ? { ...row, key: shortHash(keys[i] ?? ''), index: from + i } : [];
		});
	}
}

const NO_PAGE: WalkedPage = { records: [], keys: [], from: 0, again: 0 };

function slotOf(time: number): number {
	return Math.floor(time / LOOK);
}
