import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import type { ApiClient } from '../http/client';
import { keyOf, pages } from '../paging/pages';
import type { NumberedPage } from '../paging/pages';
import { shortHash } from './memory';
import type { EventState } from './memory';
import type { EventList } from './pollingTrigger';
import { Window } from './window';
import type { PollStart } from './window';

// docs/reading.md has the rule: new is a record that was not seen, and that is not older than a date.

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

/** Reads what is new in a list, and returns how far it was read: in the account of this poll, and in those before it. */
export async function pollList(
	client: ApiClient,
	list: EventList,
	start: PollStart,
	states: EventState[] = [],
) {
	const { account } = start;
	const read = async (before?: EventState) => await readList(client, list, start, before);
	const resultOf = (reading: Awaited<ReturnType<typeof read>>) => {
		const { state } = reading;
		const others = states.filter((other) => other.account !== account && !reading.knows(other));
		return { ...reading, states: state ? [state, ...others].slice(0, MOST_ACCOUNTS) : states };
	};
	const [latest] = states;
	const own = states.find((state) => state.account === account);
	// An account may have several keys: the last one that read its records knows most.
	for (const state of own === latest ? [] : states) {
		const reading = await read(state);
		if (reading.knows(state)) return resultOf(reading);
		// Without the end of the window, nobody knows whether this is another account.
		if (reading.failure) return { ...reading, records: [], states };
	}
	const other = latest && {
		account,
		since: latest.readAt,
		readAt: latest.readAt,
		torn: 0,
		seen: {},
	};
	return resultOf(await read(own ?? other));
}

/**
 * Reads a list from its newest record back to a date.
 *
 * @param before how far earlier polls read; undefined before the first one
 */
async function readList(client: ApiClient, list: EventList, start: PollStart, before?: EventState) {
	const startedAt = Date.now();
	const window = new Window(list, start, before, () => startedAt + client.clockAhead);
	let look = before?.look;
	let isWhole = false;
	let failure: Failure | undefined;
	try {
		const isLook = list.waits && !(look && Math.abs(startedAt - look.at) < look.requests * LOOK);
		for (const pageSize of isLook ? [MANY] : [FEW, MANY]) {
			const requests = await readBack(client, window, pageSize, isLook ? MANY : 0);
			isWhole = requests > 0;
			if (isLook && isWhole) look = { at: startedAt, requests };
			if (isWhole) break;
		}
	} catch (error) {
		failure = Failure.from(error);
	}
	const { records, hasCome, hasDates } = window;
	// After a failure, the records that were read before it come out.
	const state = failure && !hasCome ? before : window.stateAfter(isWhole, look);
	const knows = (other: EventState) => window.knows(other);
	return { list, records, state, failure, hasCome, hasDates, knows };
}

/**
 * Reads pages back to the start of the window, or as many as a poll may take. A first poll, and one for few records, reads one,
 * unless that is the whole list.
 *
 * @param least reads at least so many records
 * @returns how many pages had the least records; 0 if the end of the window did not come
 */
async function readBack(client: ApiClient, window: Window, pageSize: number, least: number) {
	const { list, recent, isFirst } = window;
	// Hashing each record again would double the work of a poll that follows a whole one.
	const isRecent = (data: IDataObject) =>
		recent.size > 0 && recent.has(shortHash(keyOf(list, data)));
	const known = new KnownRecords(recent.size, isRecent);
	let read = 0;
	let requests = 1;
	const skip = (page: NumberedPage) => {
		const ahead = known.ahead(page);
		return read < least ? 0 : ahead;
	};
	for await (const page of pages(client, { ...list, pageSize }, { inFlight: 1, skip })) {
		if (!known.reach(page)) continue;
		const isPast = window.add(page);
		if (read < least) requests = page.number;
		// Pages that come again after a removal are no further ones.
		read = Math.max(read, (page.number - 1) * page.size + page.records.length);
		// A record that is older than the window ends it, also in the outbox: each one behind it was created before it.
		if (read >= least && isPast) return requests;
		const isOne = (isFirst || pageSize === FEW) && !window.isOnePage;
		if (isOne || window.fresh.size >= MOST_POLLED) return isFirst ? requests : 0;
	}
	return requests;
}

/**
 * The newest records that came in polls that were cut off: the pages behind them are read first. So each poll comes further than
 * the one before, wherever it is cut off.
 *
 * For example, pages 1 to 10 came, and 20 pages of new records were added. Pages 1 to 20 are new. Page 21 is known, and so
 * are 9 more: the next one is page 30. If that has a record that did not come, some were removed: the page in the middle
 * between the last one without a gap and that one is next.
 */
class KnownRecords {
	/** The number of them that came again, or were left out. */
	private met = 0;
	/** The page up to which all records came, now or then. */
	private last = 0;
	/** A page that was too far ahead. */
	private beyond?: number;

	/** @param count their number, unless some were removed since then */
	constructor(
		private readonly count: number,
		private readonly has: (record: IDataObject) => boolean,
	) {}

	/** Returns whether no record is missing between a page and those that came before it. */
	reach({ number, records }: NumberedPage): boolean {
		return number <= this.last + 1 || records.every(this.has);
	}

	/** Returns how many pages may be left out behind one; less than 0 to go back, where more was left out than is known. */
	ahead(page: NumberedPage): number {
		const { number, records, total = 0, size } = page;
		if (this.reach(page)) {
			const leftOut = Math.max(0, number - this.last - 1) * size;
			this.met += leftOut + records.filter(this.has).length;
			this.last = number;
		} else this.beyond = number;
		const { last, beyond } = this;
		const isAmong = records.slice(-1).some(this.has);
		const left = isAmong ? Math.min(this.count - this.met, total - number * size) : 0;
		const next = beyond ? (last + beyond) / 2 : number + left / size;
		return Math.max(last + 1, Math.floor(next)) - number - 1;
	}
}
