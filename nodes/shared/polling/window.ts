// Which records of a list are new. docs/reading.md has the rule: a record that was not seen, and that is not older than a date.

/** The state of a list between polls. All dates are in ms, by the service's clock. */
export interface Window {
	/** From this date on, all records were read, but those of `rest`. */
	since: number;
	/** The dates of the records that were read and are not older than the window, by their keys. */
	seen: ReadonlyMap<string, number>;
	rest?: Rest;
}

/** A page to go on from. */
export interface Place {
	page: number;
	/** The page size to ask for. */
	size: number;
}

/** A part of the list that a poll left to the next one: from where it ended back to a date. */
export interface Rest extends Place {
	/** The date of the last record that came. */
	before: number;
	since: number;
}

/** The records that a poll read. */
interface Reading {
	/** The dates of the records that came, by their keys. */
	came: ReadonlyMap<string, number>;
	/** A poll ends on its first page if the window begins here; absent if that page was the whole list. */
	edge?: number;
	/** The place at which the poll ended, if that is not the end of the window. */
	rest?: Rest;
	/** True if the newest records did not come to the end of the window, so that `rest` begins where they ended. */
	isCut?: boolean;
	/** True if records may be hidden, so that the window has to be read again. */
	isTorn?: boolean;
	/** The date up to which records start runs: the service's clock, or earlier for those that wait for their comment. */
	clock: number;
	/** By how much a record may be late, in ms. */
	late: number;
}

/** A date before all others, which JSON can write. */
export const EVER = Number.MIN_SAFE_INTEGER;

/** A record may also be late if it is among so many newest ones. */
// docs/reading.md: among the newest 50
const NEWEST = 50;

/** The most records in a window, apart from those of one date. */
// docs/reading.md: the newest 2,000
const MOST_IN_WINDOW = 2000;

/** Returns the date from which on a record that was not seen is new. */
export function newSince({ since, rest }: Window): number {
	return rest?.since ?? since;
}

/** Returns the window of the next poll. */
export function nextWindow(window: Window, reading: Reading): Window {
	const { came, rest, isCut, clock } = reading;
	const seen = new Map([...window.seen, ...came]);
	// Newer records than the clock still change.
	if (rest && isCut && rest.before > clock) return { ...window, seen };
	const dates = [...seen.values()].sort((one, other) => other - one);
	const since = Math.max(floorOf(window, reading), nextSince(dates, reading));
	const oldest = newSince({ since, seen, rest });
	return { since, seen: new Map([...seen].filter(([, date]) => date >= oldest)), rest };
}

/** Returns the date from which on everything was read. */
function floorOf(window: Window, { rest, isCut }: Reading): number {
	// Records of the same date may be on the next page.
	if (rest && isCut) return Math.max(window.since, rest.before + 1);
	return rest ? window.since : newSince(window);
}

/** Returns the start of the next window. The clock alone would miss records that are dated by a slow clock. */
function nextSince(newest: number[], { clock, late, edge = EVER, isTorn }: Reading): number {
	const most = newest[MOST_IN_WINDOW - 1] ?? EVER;
	// An import has one date, and its end is before the edge. Without that, each poll would read all of it.
	const byRecords = Math.max(newest[NEWEST] ?? EVER, edge);
	return isTorn ? most : Math.min(Math.max(clock - late, most), byRecords, clock);
}
