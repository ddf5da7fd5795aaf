import { tryToParseDateTime } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { wordKey } from '../base/text';
import { contextIn } from './field';
import type { ReadContext } from './field';

// Dates in ISO 8601, UNIX time, and digits in the order that the user chose. Nothing is guessed.

export const DAY_MS = 24 * 60 * 60 * 1000;

const FIRST_YEAR = 1900;
const LAST_YEAR = 2100;

const HOW = 'Write it as 2026-11-21';
const OTHER_ORDER = `${HOW}, or change 'Date Order'`;

interface Time {
	millis: number;
	isMidnight: boolean;
	/** The time as it was written, `hh:mm:ss`, if it names no zone. */
	localClock?: string;
}

/**
 * A date that was given in a parameter. As a filter, a value with a time is a moment. In a date column, midnight is the day
 * that was written.
 * @internal
 */
export class GivenDate {
	constructor(
		/** The calendar day as it was written, `yyyy-mm-dd`. */
		private readonly day: string,
		private readonly zone: string,
		/** Absent for a bare day. */
		private readonly time?: Time,
	) {}

	/** A day without a time begins in UTC: no zone ever moves it. */
	toMillis(): number {
		return this.time?.millis ?? Date.parse(`${this.day}T00:00:00Z`);
	}

	/** `yyyy-mm-ddThh:mm:ss.sssZ` */
	isoTimestamp(): string {
		const { timeOfDay } = this;
		return timeOfDay ? new Date(timeOfDay.millis).toISOString() : `${this.day}T00:00:00.000Z`;
	}

	/** `yyyy-mm-dd` for a day, `yyyy-mm-ddThh:mm:ssZ` for a time, and without the Z for a time without a zone. */
	isoDate(): string {
		const { timeOfDay } = this;
		if (timeOfDay?.localClock !== undefined) return `${this.day}T${timeOfDay.localClock}`;
		return timeOfDay ? this.isoTimestamp().replace(/\.\d+/, '') : this.day;
	}

	/** `mm/dd/yyyy`; of a time, the day on which it falls in the workflow's zone. */
	monthDayYear(): string {
		const { timeOfDay } = this;
		if (timeOfDay) {
			const moment = new Date(timeOfDay.millis);
			return tryToParseDateTime(moment, this.zone).toFormat('MM/dd/yyyy');
		}
		const [year, month, date] = this.day.split('-');
		return `${month}/${date}/${year}`;
	}

	/** The time in a date column, in which midnight only stands for the day. */
	private get timeOfDay(): Time | undefined {
		return this.time?.isMidnight ? undefined : this.time;
	}
}

/**
 * Keeps records on or after a start and before an end: what a service rounds is asked for wider. A record whose date cannot be
 * read stays, since the service found it in the period.
 */
export function inPeriod(dateField: string, start?: GivenDate, end?: GivenDate) {
	if (start === undefined && end === undefined) return undefined;
	const from = start?.toMillis() ?? -Infinity;
	const until = end?.toMillis() ?? Infinity;
	return (record: IDataObject): boolean => {
		const moment = momentIn(record[dateField]);
		return moment === undefined || (moment >= from && moment < until);
	};
}

/**
 * Reads a date: ISO 8601, a Luxon or JavaScript date, UNIX seconds or milliseconds, and day, month and year in digits, in
 * the order of the option Date Order.
 *
 * @throws Failure for anything else, and for text that could mean several dates
 */
export function readDate(value: unknown, context: ReadContext): GivenDate {
	try {
		const [day, time] = partsOf(value, context);
		const year = Number(day.slice(0, 4));
		if (year >= FIRST_YEAR && year <= LAST_YEAR) return new GivenDate(day, context.zone, time);
		throw Failure.value(`is not a date between ${FIRST_YEAR} and ${LAST_YEAR}`, HOW);
	} catch (error) {
		throw Failure.from(error).with({ code: 'invalidDate' });
	}
}

/** Expressions return Luxon and JavaScript dates. */
export function isDateObject(value: unknown): boolean {
	return value instanceof Date || (isObject(value) && 'isLuxonDateTime' in value);
}

/** True for an object or a list, and not for a date. */
export function hasEntries(value: unknown): value is object {
	return typeof value === 'object' && value !== null && !isDateObject(value);
}

/**
 * `date` for a date object, ISO 8601, and what Date Order explains; `digits` for other dates in digits, also those that cannot
 * be read: they are dates beside one of the former.
 */
export function dateForm(value: unknown, hasDateOrder: boolean): 'date' | 'digits' | undefined {
	if (isDateObject(value)) return 'date';
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	const day = [YEAR_FIRST, YEAR_LAST, SHORT_YEAR].map((form) => text.match(form)).find(Boolean);
	const rest = day ? text.slice(day[0].length) : undefined;
	if (rest === undefined || (rest !== '' && !TIME.test(rest))) return undefined;
	if (hasDateOrder && YEAR_LAST.test(text)) return 'date';
	// An order number may look like a date.
	return ISO_DAY.test(text) && isReadable(text) ? 'date' : 'digits';
}

function isReadable(text: string): boolean {
	try {
		readDate(text, contextIn());
		return true;
	} catch {
		return false;
	}
}

type Parts = [day: string, time?: Time];

function partsOf(value: unknown, context: ReadContext): Parts {
	if (typeof value === 'string') return partsOfText(value.trim(), context);
	if (typeof value === 'number') return partsOfText(String(value), context);
	if (value instanceof Date && !Number.isNaN(value.getTime())) return ofDate(value, context);
	if (!isDateObject(value) || !isObject(value) || value.isValid !== true) {
		throw Failure.value('is not a date', HOW);
	}
	return ofDateTime(tryToParseDateTime(value));
}

/**
 * Database nodes read a calendar date as midnight in the zone of the process: midnight there, in the workflow's zone, or in
 * UTC is that day.
 */
function ofDate(date: Date, { zone }: ReadContext): Parts {
	const processZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
	const read = [processZone, zone].map((name) => ofDateTime(tryToParseDateTime(date, name)));
	return read.find(([, time]) => time?.isMidnight) ?? ofMillis(date.getTime());
}

function ofDateTime(read: ReturnType<typeof tryToParseDateTime>): Parts {
	const millis = read.toMillis();
	const isMidnight = read.startOf('day').toMillis() === millis;
	return [read.toFormat('yyyy-MM-dd'), { millis, isMidnight }];
}

/** The day of a moment is the one in UTC. */
function ofMillis(millis: number): Parts {
	const day = new Date(millis).toISOString().slice(0, 'yyyy-mm-dd'.length);
	return [day, { millis, isMidnight: millis % DAY_MS === 0 }];
}

// The forms of a day, which a time may follow.
const ISO_DAY = /^\d{4}-\d\d-\d\d(?!\d)/;
const YEAR_FIRST =
	/^(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?=[T\s,]|$)/i;
const WITHOUT_MARKS = /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?=T|$)/i;
const YEAR_LAST =
	/^(?<first>\d{1,2})(?<mark>[-/.])(?<second>\d{1,2})\k<mark>(?<year>\d{4})(?=[T\s,]|$)/i;
const DAYS = [YEAR_FIRST, WITHOUT_MARKS, YEAR_LAST];

/** A date in digits whose year may be of any century. */
const SHORT_YEAR = /^\d{1,2}([-/.])\d{1,2}\1\d{2}(?!\d)/;

const TIME =
	/^(?:T|,?\s)\s*(?<hour>[01]?\d|2[0-3])(?::?(?<minute>[0-5]\d)(?::?(?<second>[0-5]\d)(?:[.,](?<fraction>\d{1,9}))?)?)?\s*(?<half>[AP]M)?\s*(?<zone>Z|UTC|GMT|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$/i;

/** Digits that are UNIX time, and a date with its hour and maybe minutes, too. */
const DATE_AND_TIME =
	/^(?:19|20|21)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])(?:[0-5]\d)?$/;

function partsOfText(text: string, context: ReadContext): Parts {
	if (DATE_AND_TIME.test(text)) {
		throw Failure.value('could be UNIX time, or a date and a time', `${HOW}T10:00`);
	}
	const unix = text.match(/^(?:(\d{9,10}(?:\.\d{1,3})?)|(\d{12,13}))$/);
	if (unix) return ofMillis(unix[2] ? Number(unix[2]) : Math.round(Number(unix[1]) * 1000));
	const match = DAYS.map((form) => text.match(form)).find(Boolean);
	if (!match?.groups) {
		throw SHORT_YEAR.test(text) ? Failure.value('needs a year of four digits', HOW) : noDate();
	}
	const day = dayOf(match.groups, context);
	const rest = text.slice(match[0].length);
	return rest === '' ? [day] : [day, timeIn(day, rest, context)];
}

function dayOf(parts: Record<string, string>, context: ReadContext): string {
	const { year = '', month = '', day, first = '', second = '' } = parts;
	if (day !== undefined) return calendarDay(year, month, day, HOW);
	const order = wordKey(context.raw.dateOrder);
	if (order === 'dayfirst') return calendarDay(year, second, first, OTHER_ORDER);
	if (order === 'monthfirst') return calendarDay(year, first, second, OTHER_ORDER);
	throw Failure.value(
		'does not say whether the day or the month comes first',
		"Set Options → 'Date Order', or write it as 2026-11-21",
	);
}

function calendarDay(year: string, month: string, day: string, hint: string): string {
	const isMonth = Number(month) >= 1 && Number(month) <= 12;
	// Day 0 of the next month is the last one.
	const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
	if (isMonth && Number(day) >= 1 && Number(day) <= lastDay) {
		return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	}
	throw Failure.value('names a day that does not exist', hint);
}

function timeIn(day: string, rest: string, context: ReadContext): Time {
	const time = rest.match(TIME)?.groups;
	if (time === undefined) throw noDate();
	const { hour = '', minute = '00', second = '00', fraction = '0', half, zone } = time;
	const clock = `${hourOf(hour, half)}:${minute}:${second}`;
	const written = `${day}T${clock}.${fraction}`;
	return {
		millis: zone ? millisAt(written, zone) : tryToParseDateTime(written, context.zone).toMillis(),
		isMidnight: clock === '00:00:00' && !/[1-9]/.test(fraction),
		localClock: zone === undefined ? clock : undefined,
	};
}

/** Luxon takes several times as long for a time with its zone. */
function millisAt(written: string, zone: string): number {
	const [, hours, minutes = '00'] = zone.match(/([+-]\d{2}):?(\d{2})?/) ?? [];
	return Date.parse(written + (hours ? `${hours}:${minutes}` : 'Z'));
}

function hourOf(hour: string, half: string | undefined): string {
	if (half === undefined) return hour.padStart(2, '0');
	const number = Number(hour);
	if (number < 1 || number > 12) throw noDate();
	return String((number % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)).padStart(2, '0');
}

function noDate(): Failure {
	return Failure.value('is not a date', `${HOW}. A spreadsheet's serial number is no date`);
}

const RECORD_DATE =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))? ?(Z|[+-]\d\d:?\d\d)?$/i;

/** In ms; undefined unless it is ISO 8601, in UTC when it names no zone (contracts, Resources). */
export function momentIn(date: unknown): number | undefined {
	const match = typeof date === 'string' ? date.trim().match(RECORD_DATE) : undefined;
	if (!match) return undefined;
	const [, day, time = '00:00', zone = 'Z'] = match;
	const moment = Date.parse(`${day}T${time}${zone}`);
	return Number.isNaN(moment) ? undefined : moment;
}
