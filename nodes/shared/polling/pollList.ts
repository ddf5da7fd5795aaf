import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isBlank } from '../base/text';
import type { ApiClient } from '../http/client';
import { pages } from '../paging/pages';
import type { NumberedPage } from '../paging/pages';
import type { EventState, Rest } from './memory';
import type { Dated, EventList } from './pollingTrigger';
import { Window } from './window';
import type { PollStart } from './window';

/** The result of a poll of one list. After a failure, it has the records that were read before it. */
interface EventPoll {
	list: EventList;
	/** The new records, the oldest first. */
	records: Dated[];
	/** How far the list was read: in the account of this poll, and in those before it. */
	states: EventState[];
	failure?: Failure;
	/** False if nothing could be read. */
	hasCome: boolean;
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

/** The accounts in which a place in the list is remembered, for somebody who tries another key and returns. */
const MOST_ACCOUNTS = 3;

/** Reads what is new in a list. */
export async function pollList(
	client: ApiClient,
	list: EventList,
	start: PollStart,
	states: EventState[] = [],
): Promise<EventPoll> {
	const readOn = async (state?: EventState) =>
		await new EventReader(client, list, start, state).read();
	const [newest] = states;
	const own = states.find(({ account }) => account === start.account);
	const readers = new Map<EventState | undefined, EventReader>();
	// An account may have several keys: the last one that read its records knows most.
	for (const state of states) {
		const reader = await readOn(state);
		if (own === newest || reader.window.knows(state)) return pollOf(reader, start, states);
		// Without the end of the window, nobody knows whether this is another account.
		if (reader.failure) return { ...reader.result(), records: [], states };
		readers.set(state, reader);
	}
	const reader = readers.get(own ?? newest) ?? (await readOn());
	if (newest && !own) reader.window.beginAt(newest.readAt);
	return pollOf(reader, start, states);
}

function pollOf(reader: EventReader, { account }: PollStart, states: EventState[]): EventPoll {
	const { state, ...result } = reader.result();
	const others = states.filter((other) => {
		return other.account !== account && !reader.window.knows(other);
	});
	return { ...result, states: state ? [state, ...others].slice(0, MOST_ACCOUNTS) : states };
}

/** Reads a list from its newest record back to the start of the window, and then what is left of the poll before. */
class EventReader {
	readonly window: Window;
	failure?: Failure;
	private hasDates = true;
	private readonly startedAt = Date.now();
	/** The next poll goes on here: after the newest records, or in the rest of the poll before. */
	private rest?: Rest;
	private isCut = true;
	private look?: EventState['look'];

	/** @param before how far earlier polls read; undefined before the first one */
	constructor(
		private readonly client: ApiClient,
		private readonly list: EventList,
		private readonly start: PollStart,
		private readonly before?: EventState,
	) {
		this.window = new Window(list, start, before);
		this.look = before?.look;
	}

	async read(): Promise<this> {
		try {
			await this.readNewest();
			this.isCut = this.rest !== undefined;
			this.rest ??= this.before?.rest;
			if (!this.isCut && this.rest) await this.readBack(this.rest);
		} catch (error) {
			this.failure = Failure.from(error);
		}
		return this;
	}

	result() {
		const { window, list, failure, hasDates } = this;
		const hasCome = !window.isEmpty;
		return { list, records: window.newRecords(), state: this.state(), failure, hasCome, hasDates };
	}

	/** The service's clock. */
	private get now(): number {
		return this.startedAt + this.client.clockAhead;
	}

	private async readNewest(): Promise<void> {
		const { window, startedAt, look, list } = this;
		const newest = { page: 1, before: Infinity, since: window.since };
		const isLook = list.waits && !(look && Math.abs(startedAt - look.at) < look.requests * LOOK);
		const size = isLook ? MANY : FEW;
		const requests = await this.readBack(
			{ ...newest, size },
			!isLook || window.isFirst,
			isLook ? MANY : 0,
		);
		if (window.isFirst) this.rest = undefined;
		if (this.rest && !isLook) await this.readBack({ ...newest, size: MANY });
		if (isLook && !this.rest) this.look = { at: startedAt, requests };
	}

	/**
	 * Reads pages back to a date, and leaves a rest if there are more than a poll may take.
	 *
	 * @param isOne reads one page only, unless it is the whole list
	 * @param least reads at least so many records
	 * @returns how many pages those were
	 */
	private async readBack(from: Rest, isOne = false, least = 0) {
		const { list, window } = this;
		const isDue = (record: IDataObject) => !list.waits || !isBlank(record[list.dateField]);
		let last: NumberedPage | undefined;
		let read = 0;
		let requests = 1;
		for await (const page of this.pagesFrom(from)) {
			const rows = window.take(page, this.now, last);
			if (page.number === 1) this.hasDates = rows.length > 0 || !page.records.some(isDue);
			const before = rows.at(-1)?.created ?? this.rest?.before ?? from.before;
			this.rest = { page: page.number + 1, size: page.size, before, since: from.since };
			last = page;
			if (read < least) requests = page.number;
			read += page.records.length;
			if (read >= least && this.isBack(rows, from.since)) break;
			if (isOne ? !window.isWhole : window.fresh.size >= MOST_POLLED) return requests;
		}
		this.rest = undefined;
		return requests;
	}

	/** Yields the pages that are left of a reading. Where records were removed, it begins at one that came before. */
	private async *pagesFrom({ page: next, size, before }: Rest): AsyncGenerator<NumberedPage> {
		const { client, window } = this;
		const { request, recordsKey, identity } = this.list;
		const list = { request, recordsKey, identity, pageSize: size };
		for (let back = 1; ; back *= 2) {
			const from = Math.max(1, next - back);
			let isJoined = from === 1;
			for await (const page of pages(client, list, { from, inFlight: 1 })) {
				isJoined ||= window.hasSeen(page, before);
				if (!isJoined) break;
				yield page;
			}
			if (isJoined) return;
		}
	}

	/** Returns whether everything since a date has come. */
	private isBack(rows: Dated[], since: number): boolean {
		// A survey created before one that was sent before the window is older than the window, too.
		if (this.list.waits) return rows.some(({ created }) => created < since);
		return (rows.at(-1)?.created ?? -Infinity) < since;
	}

	/** Returns how far the list was read by now. */
	private state(): EventState | undefined {
		const { window, before, start, rest, isCut, look, failure, now } = this;
		if (failure && window.isEmpty) return before;
		const mayWait = this.list.waits === true && look === before?.look;
		const next = window.next({ now, rest, isCut, mayWait });
		const isComplete = !failure && !next.rest;
		const readAt = isComplete ? now : (before?.readAt ?? start.startDate ?? now);
		return { account: start.account, ...next, readAt, look };
	}
}
