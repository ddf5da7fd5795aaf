import { tryToParseDateTime } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { isBlank } from '../base/text';
import type { ReadContext } from './field';
import { wordKey } from './values';

// Dates in ISO 8601, UNIX time, and digits in the order that the user chose. Nothing is guessed.

/** A day of 24 hours, in ms. */
export const DAY_MS = 24 * 60 * 60 * 1000;

const FIRST_YEAR = 1900;
const LAST_YEAR = 2100;

const HOW = 'Write it as 2026-11-21';
const HOW_ELSE = 'write it as 2026-11-21';
const OTHER_ORDER = `${HOW}, or change 'Date Order'`;

interface Time {
	/** Milliseconds since 1970. */
	millis: number;
	isMidnight: boolean;
	/** The time as it was written, `hh:mm:ss`, if it names no zone: then it is in the workflow's. */
	localClock?: string;
}

/** A date that was given in a parameter, in the forms in which services take it. @internal */
export class GivenDate {
	constructor(
		/** The calendar day as it was written, `yyyy-mm-dd`. */
		private readonly day: string,
		private readonly zone: string,
		private readonly time?: Time,
	) {}

	/** Returns milliseconds since 1970. A day without a time begins in UTC: no zone ever moves it. */
	toMillis(): number {
		return this.time?.millis ?? Date.parse(`${this.day}T00:00:00Z`);
	}

	/** Returns `yyyy-mm-ddThh:mm:ss.sssZ`. Midnight, in whichever zone, is the day that was written. */
	isoTimestamp(): string {
		const moment = this.moment;
		return moment ? new Date(moment.millis).toISOString() : `${this.day}T00:00:00.000Z`;
	}

	/** Returns `yyyy-mm-dd` for a day, `yyyy-mm-ddThh:mm:ssZ` for a time, and without the Z for a time without a zone. */
	isoDate(): string {
		const moment = this.moment;
		if (moment?.localClock !== undefined) return `${this.day}T${moment.localClock}`;
		return moment ? this.isoTimestamp().replace(/\.\d+/, '') : this.day;
	}

	/** Returns `mm/dd/yyyy`; of a time, the day on which it falls in the workflow's zone. */
	monthDayYear(): string {
		const moment = this.moment;
		const day = moment ? this.inZone(moment).toFormat('yyyy-MM-dd') : this.day;
		const [year, month, date] = day.split('-');
		return `${month}/${date}/${year}`;
	}

	/** Returns `yyyy-mm-dd`, the day in UTC. */
	utcDay(): string {
		return this.isoTimestamp().slice(0, 'yyyy-mm-dd'.length);
	}

	unixSeconds(): number {
		return Math.floor(this.toMillis() / 1000);
	}

	/**
	 * Returns the last second that belongs to the date, in seconds since 1970. A day without a time is meant whole, and
	 * so is midnight without a zone or of a date object, which is what the editor and `$today` make of a day.
	 */
	lastUnixSecond(): number {
		const { time } = this;
		if (time === undefined) return this.unixSeconds() + DAY_MS / 1000 - 1;
		if (!time.isMidnight || time.localClock === undefined) return this.unixSeconds();
		const inZone = this.inZone(time);
		const isOfZone = inZone.startOf('day').toMillis() === time.millis;
		const end = isOfZone ? inZone.endOf('day').toMillis() : time.millis + DAY_MS - 1;
		return Math.floor(end / 1000);
	}

	/** True if it has a time, and not midnight, which only stands for the day. */
	get hasTime(): boolean {
		return this.moment !== undefined;
	}

	/** The time, unless it is midnight, which only stands for the day. */
	private get moment(): Time | undefined {
		return this.time?.isMidnight ? undefined : this.time;
	}

	private inZone({ millis }: Time) {
		return tryToParseDateTime(new Date(millis), this.zone);
	}
}

/**
 * Reads a date: ISO 8601, a Luxon or JavaScript date, UNIX seconds or milliseconds, and day, month and year in digits, in
 * the order of the option Date Order.
 *
 * @throws Failure for anything else, and for text that could mean several dates
 */
export function readDate(value: unknown, context: ReadContext): GivenDate {
	try {
		return givenDate(partsOf(value, context), context);
	} catch (error) {
		throw Failure.from(error).with({ code: 'invalidDate' });
	}
}

function givenDate([day, time]: Parts, { zone }: ReadContext): GivenDate {
	const year = Number(day.slice(0, 4));
	if (year >= FIRST_YEAR && year <= LAST_YEAR) return new GivenDate(day, zone, time);
	throw Failure.value(`is not a date between ${FIRST_YEAR} and ${LAST_YEAR}`, HOW);
}

/** Returns whether a value is a Luxon or JavaScript date, as expressions return them. */
export function isDateObject(value: unknown): boolean {
	return value instanceof Date || (isObject(value) && 'isLuxonDateTime' in value);
}

/** A date in digits, of which Date Order says which part is the day. */
const IN_DIGITS = /^\s*\d{1,2}([-/.])\d{1,2}\1\d{4}/;

/**
 * Returns whether a value is a date: a date object, `yyyy-mm-dd` with or without a time, and with Date Order also day, month and
 * year in digits.
 */
export function isDateText(value: unknown, context: ReadContext): boolean {
	const { dateOrder } = context.raw;
	const isLikely =
		typeof value === 'string' &&
		(/^\s*\d{4}-\d\d-\d\d/.test(value) || (!isBlank(dateOrder) && IN_DIGITS.test(value)));
	if (!isLikely && !isDateObject(value)) return false;
	try {
		readDate(value, context);
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
 * Returns a JavaScript date. Database nodes read a calendar date as midnight in the zone of the process: midnight there, in
 * the workflow's zone, or in UTC is that day.
 */
function ofDate(date: Date, { zone }: ReadContext): Parts {
	const processZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
	const read = [processZone, zone, 'UTC'].map((one) => ofDateTime(tryToParseDateTime(date, one)));
	return read.find(([, time]) => time?.isMidnight) ?? ofMillis(date.getTime());
}

function ofDateTime(read: ReturnType<typeof tryToParseDateTime>): Parts {
	const millis = read.toMillis();
	const isMidnight = read.startOf('day').toMillis() === millis;
	return [
		read.toFormat('yyyy-MM-dd'),
		{ millis, isMidnight, localClock: isMidnight ? '00:00:00' : undefined },
	];
}

/** Returns a moment, whose day is the one in UTC. */
function ofMillis(millis: number): Parts {
	const day = new Date(millis).toISOString().slice(0, 'yyyy-mm-dd'.length);
	return [day, { millis, isMidnight: false }];
}

/** The forms of a day, which a time may follow. */
const DAYS = [
	/^(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?=[T\s,]|$)/i,
	/^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?=T|$)/i,
	/^(?<first>\d{1,2})(?<mark>[-/.])(?<second>\d{1,2})\k<mark>(?<year>\d{4})(?=[T\s,]|$)/i,
];

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
	const found = DAYS.map((form) => text.match(form)).find(Boolean);
	if (!found?.groups) {
		throw SHORT_YEAR.test(text) ? Failure.value('needs a year of four digits', HOW) : noDate();
	}
	const day = dayOf(found.groups, context);
	const rest = text.slice(found[0].length);
	return rest === '' ? [day] : [day, timeIn(day, rest, context)];
}

function dayOf(parts: Record<string, string>, context: ReadContext): string {
	const { year = '', month = '', day, first = '', second = '' } = parts;
	if (day !== undefined) return calendarDay(year, month, day, HOW);
	switch (wordKey(context.raw.dateOrder)) {
		case 'dayfirst':
			return calendarDay(year, second, first, OTHER_ORDER);
		case 'monthfirst':
			return calendarDay(year, first, second, OTHER_ORDER);
		default:
			throw Failure.value(
				withoutOrder(first, second),
				`Set Options → 'Date Order', or ${HOW_ELSE}`,
			);
	}
}

/** 25/3 shows its order, but 4/3 in the next row does not. So Date Order is needed for both. */
function withoutOrder(first: string, second: string): string {
	const [day] = [first, second].filter((part) => Number(part) > 12);
	if (day === undefined) return 'does not say whether the day or the month comes first';
	return `needs 'Date Order': ${day} is a day, but other dates of the column may not show it`;
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
	const isMidnight = clock === '00:00:00' && !/[1-9]/.test(fraction);
	const written = `${day}T${clock}.${fraction}`;
	const millis = zone ? millisAt(written, zone) : millisInZone(written, isMidnight, context);
	const isWithoutZone =
		zone === undefined || (isMidnight && isTodayOfN8n(fraction, millis, context));
	return { millis, isMidnight, localClock: isWithoutZone ? clock : undefined };
}

/**
 * Returns whether a midnight is what n8n makes of `$today`: text with milliseconds, in the workflow's zone. It stands for
 * the day, as a date object does.
 */
function isTodayOfN8n(fraction: string, millis: number, { zone }: ReadContext): boolean {
	const start = tryToParseDateTime(new Date(millis), zone).startOf('day');
	return fraction.length === 3 && start.toMillis() === millis;
}

function hourOf(hour: string, half: string | undefined): string {
	if (half === undefined) return hour.padStart(2, '0');
	const number = Number(hour);
	if (number < 1 || number > 12) throw noDate();
	return String((number % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)).padStart(2, '0');
}

function millisAt(written: string, zone: string): number {
	const [, hours, minutes = '00'] = zone.match(/([+-]\d{2}):?(\d{2})?/) ?? [];
	return Date.parse(written + (hours ? `${hours}:${minutes}` : 'Z'));
}

/** Returns the moment in the workflow's zone. Times that daylight saving skips or repeats have none. */
function millisInZone(written: string, isMidnight: boolean, { zone }: ReadContext): number {
	const read = tryToParseDateTime(written, zone);
	const back = read.toMillis() + read.offset * 60_000;
	const { length } = read.getPossibleOffsets();
	// Zones of long ago have offsets of odd seconds.
	const exists = Math.abs(back - Date.parse(`${written}Z`)) < 60_000;
	if (exists && length === 1) return read.toMillis();
	// Some zones skip or repeat the first hour of a day, by which the editor writes the day.
	if (isMidnight) return read.startOf('day').toMillis();
	throw Failure.value(
		exists
			? `exists twice in ${zone} (the clocks go back)`
			: `does not exist in ${zone} (the clocks go forward)`,
		'Write the UTC offset, for example +01:00',
	);
}

function noDate(): Failure {
	return Failure.value('is not a date', `${HOW}. A spreadsheet's serial number is no date`);
}

const RECORD_DATE =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))? ?(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Returns the time of a record's date in ms; undefined unless it is ISO 8601, in UTC when it names no zone (contracts,
 * Resources), or UNIX time.
 */
export function momentIn(date: unknown): number | undefined {
	const text = typeof date === 'string' || typeof date === 'number' ? String(date).trim() : '';
	if (/^\d{10}$/.test(text)) return Number(text) * 1000;
	if (/^\d{13}$/.test(text)) return Number(text);
	const found = text.match(RECORD_DATE);
	if (!found) return undefined;
	const [, day, time = '00:00', zone = 'Z'] = found;
	const moment = Date.parse(`${day}T${time}${zone}`);
	return Number.isNaN(moment) ? undefined : moment;
}
