import { tryToParseDateTime } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../http/json';
import type { ReadContext, Warning } from './context';

// Dates in any form that n8n users have at hand. Only unambiguous forms are accepted.

const FIRST_YEAR = 1900;
const LAST_YEAR = 2100;

const HOW = 'Write it as 2026-11-21';

interface DateParts {
	/** The calendar day as it was written, `yyyy-mm-dd`. */
	day: string;
	/** Milliseconds since 1970; undefined for a day without a time. */
	millis?: number;
	/** True where the time is midnight as it was written. */
	isMidnight?: boolean;
	/** True where the time names its zone. */
	hasZone?: boolean;
}

/** A date that was given in a parameter, in the forms in which services take it. @internal */
export class GivenDate {
	constructor(
		private readonly parts: DateParts,
		/** The workflow's zone. */
		private readonly zone: string,
	) {}

	/** Returns milliseconds since 1970. A day without a time begins in UTC: no zone ever moves it. */
	toMillis(): number {
		return this.parts.millis ?? Date.parse(`${this.parts.day}T00:00:00Z`);
	}

	/** Returns `yyyy-mm-ddThh:mm:ss.sssZ`. */
	isoTimestamp(): string {
		return new Date(this.toMillis()).toISOString();
	}

	/** Returns `yyyy-mm-dd` for a day, `yyyy-mm-ddThh:mm:ssZ` for a time. */
	isoDate(): string {
		if (this.parts.millis === undefined) return this.parts.day;
		return this.isoTimestamp().replace(/\.\d+Z$/, 'Z');
	}

	/** Returns `mm/dd/yyyy`; of a time, the day on which it falls in the workflow's zone. Midnight is the day that was written. */
	monthDayYear(): string {
		const { millis, day, isMidnight } = this.parts;
		const isDay = millis === undefined || isMidnight;
		const local = isDay ? day : this.inZone(millis).toFormat('yyyy-MM-dd');
		const [year, month, date] = local.split('-');
		return `${month}/${date}/${year}`;
	}

	/** Returns `yyyy-mm-dd`, the day in UTC. Midnight means the day that was written, whichever zone it names. */
	utcDay(): string {
		const { day, millis, isMidnight } = this.parts;
		return millis === undefined || isMidnight ? day : this.isoTimestamp().slice(0, 10);
	}

	/** Returns seconds since 1970. */
	unixSeconds(): number {
		return Math.floor(this.toMillis() / 1000);
	}

	/**
	 * Returns the last second that belongs to the date, in seconds since 1970. A day without a time is meant whole, and
	 * so is midnight without a zone, which is what the editor makes of a day.
	 */
	lastUnixSecond(): number {
		const { millis, isMidnight, hasZone } = this.parts;
		if (millis === undefined) return this.unixSeconds() + 24 * 3600 - 1;
		if (!isMidnight || hasZone) return this.unixSeconds();
		return Math.floor(this.inZone(millis).endOf('day').toMillis() / 1000);
	}

	private inZone(millis: number) {
		return tryToParseDateTime(new Date(millis), this.zone);
	}
}

/**
 * Reads a date: ISO 8601, a Luxon or JavaScript date, UNIX seconds or milliseconds, month/day/year, day.month.year.
 *
 * @throws Failure for anything else, and for text that could mean several dates
 */
export function readDate(value: unknown, context: ReadContext): GivenDate {
	const parts = partsOf(value, context);
	const year = Number(parts.day.slice(0, 4));
	if (year >= FIRST_YEAR && year <= LAST_YEAR) return new GivenDate(parts, context.zone);
	throw Failure.value(`is not a date between ${FIRST_YEAR} and ${LAST_YEAR}`, HOW);
}

/** Returns whether a value is a Luxon or JavaScript date, as expressions return them. */
export function isDateObject(value: unknown): boolean {
	return value instanceof Date || (isObject(value) && 'isLuxonDateTime' in value);
}

/** Returns whether the calendar has a day, `yyyy-mm-dd`. */
export function isCalendarDay(day: string): boolean {
	const date = new Date(`${day}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

function partsOf(value: unknown, context: ReadContext): DateParts {
	if (typeof value === 'string') return partsOfText(value.trim(), context);
	if (typeof value === 'number') return partsOfText(String(value), context);
	if (value instanceof Date && !Number.isNaN(value.getTime()))
		return partsOfMillis(value.getTime());
	if (!isDateObject(value) || !isObject(value) || value.isValid !== true) {
		throw Failure.value('is not a date', HOW);
	}
	const read = tryToParseDateTime(value, 'UTC');
	const isMidnight = read.startOf('day').toMillis() === read.toMillis();
	return { day: read.toFormat('yyyy-MM-dd'), millis: read.toMillis(), isMidnight, hasZone: true };
}

function partsOfMillis(millis: number): DateParts {
	return { day: new Date(millis).toISOString().slice(0, 10), millis, hasZone: true };
}

const TIME =
	/^(?:T|\s)\s*(?<hour>\d{1,2})(?::?(?<minute>\d{2})(?::?(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?)?\s*(?<half>[AP]M)?\s*(?<zone>Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/** The forms of a day, which a time may follow, and the order of their parts. The first form that fits counts. */
const DAYS: Array<[RegExp, 'ymd' | 'dmy' | 'slashes']> = [
	[/^(\d{4})-(\d{1,2})-(\d{1,2})(?=[T\s]|$)/i, 'ymd'],
	[/^(\d{4})\/(\d{1,2})\/(\d{1,2})(?=[T\s]|$)/i, 'ymd'],
	[/^(\d{4})\.(\d{1,2})\.(\d{1,2})(?=[T\s]|$)/i, 'ymd'],
	[/^(\d{4})(\d{2})(\d{2})(?=T|$)/i, 'ymd'],
	[/^(\d{1,2})\.(\d{1,2})\.(\d{4})(?=[T\s]|$)/i, 'dmy'],
	[/^(\d{1,2})\/(\d{1,2})\/(\d{4})(?=[T\s]|$)/i, 'slashes'],
];

/** ISO 8601's days by week and by number: `2026-W47-6`, `2026-325`. */
const ISO_DAY = /^(?:\d{4}-W\d{2}-\d|\d{4}W\d{3}|\d{4}-\d{3})(?=[T\s]|$)/i;

/** The text of a JavaScript date, and the date of an email or an HTTP header. */
const ENGLISH =
	/^[A-Z][a-z]{2},? (?:[A-Z][a-z]{2} \d{2}|\d{1,2} [A-Z][a-z]{2}) \d{4} (?:\d{4} )?\d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|Z|[+-]\d{4})/;

/** Ten digits that are UNIX seconds of the years 2030 to 2036, and a date with its hour, too. */
const DATE_AND_HOUR =
	/^(?:19|20|21)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])$/;

function partsOfText(text: string, context: ReadContext): DateParts {
	if (DATE_AND_HOUR.test(text)) {
		throw Failure.value('could be UNIX time, or a date and an hour', `${HOW}T10:00`);
	}
	const unix = text.match(/^(?:(\d{10}(?:\.\d{1,3})?)|(\d{13}))$/);
	if (unix) return partsOfMillis(unix[2] ? Number(unix[2]) : Math.round(Number(unix[1]) * 1000));
	for (const [form, order] of DAYS) {
		const found = text.match(form);
		if (!found) continue;
		const day = dayOf(text, found, order, context);
		warnIfAmbiguous(found[0], day, context);
		return withTime(text, day, text.slice(found[0].length), context);
	}
	const isoDay = text.match(ISO_DAY)?.[0];
	if (isoDay) return withTime(text, dayOfIso(text, isoDay), text.slice(isoDay.length), context);
	if (ENGLISH.test(text)) return partsOfMillis(millisOfEnglish(text));
	throw noDate(text);
}

function dayOf(
	text: string,
	[, first = '', second = '', third = '']: RegExpMatchArray,
	order: 'ymd' | 'dmy' | 'slashes',
	{ dateOrder }: ReadContext,
): string {
	const isDayFirst = order === 'dmy' || dateOrder === 'dayFirst';
	const [month, day] = isDayFirst ? [second, first] : [first, second];
	return order === 'ymd'
		? calendarDay(text, first, second, third)
		: calendarDay(text, third, month, day);
}

function calendarDay(text: string, year: string, month: string, day: string): string {
	const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	if (isCalendarDay(iso)) return iso;
	throw Failure.value('names a day that does not exist', otherOrder(text, month));
}

/** Returns the hint for `31/12/2024` where the month comes first, or the other way round. */
function otherOrder(text: string, month: string): string {
	if (!/^\d{1,2}\//.test(text) || Number(month) <= 12) return HOW;
	return text.startsWith(month)
		? "If the day comes first, set 'Date Order' to Day First"
		: "If the month comes first, set 'Date Order' to Month First";
}

const ambiguousDates: Warning = (count, [first]) =>
	`Dates were read month first: ${first} (dates that could be either: ${count}). If the day comes first, set 'Date Order' to Day First`;

/** Warns about a day that would be another one in the other order. */
function warnIfAmbiguous(written: string, day: string, context: ReadContext): void {
	const [, first, second] = written.match(/^(\d{1,2})\/(\d{1,2})\//)?.map(Number) ?? [];
	if (first === undefined || second === undefined || first === second) return;
	if (context.dateOrder === undefined && first <= 12 && second <= 12) {
		context.warnings.add(ambiguousDates, `${written} as ${day}`);
	}
}

function dayOfIso(text: string, written: string): string {
	try {
		return tryToParseDateTime(written, 'UTC').toFormat('yyyy-MM-dd');
	} catch {
		throw noDate(text);
	}
}

/** Returns the moment that JavaScript reads, unless it took February 31 for March 3 or ignored a wrong weekday. */
function millisOfEnglish(text: string): number {
	const millis = Date.parse(text);
	if (Number.isNaN(millis)) throw noDate(text);
	const [day = ''] = text.match(/^.+? \d{4}/) ?? [];
	const read = new Date(`${day} UTC`).toUTCString().slice(0, 'Sat, 21 Nov 2026'.length);
	if (sortedParts(read) === sortedParts(day)) return millis;
	throw Failure.value('names a day that does not exist', HOW);
}

/** Returns the weekday, day, month and year, in one order for all forms. */
function sortedParts(day: string): string {
	const parts = day.replace(',', '').split(' ');
	return parts
		.map((part) => part.padStart(2, '0'))
		.sort()
		.join(' ');
}

function withTime(text: string, day: string, rest: string, context: ReadContext): DateParts {
	if (rest === '') return { day };
	const time = rest.match(TIME)?.groups;
	if (time === undefined) throw noDate(text);
	const { hour = '', minute = '00', second = '00', fraction = '', half, zone } = time;
	const clock = `${hourOf(text, hour, half)}:${minute}:${second}`;
	const written = `${day}T${clock}${fraction && `.${fraction.slice(0, 3)}`}`;
	const isMidnight = clock === '00:00:00' && !/[1-9]/.test(fraction);
	const millis = zone ? millisAt(text, written, zone) : millisInZone(text, written, context);
	return { day, millis, isMidnight, hasZone: !!zone };
}

/** Returns the hour from 00 to 24. */
function hourOf(text: string, hour: string, half: string | undefined): string {
	if (half === undefined) return hour.padStart(2, '0');
	const number = Number(hour);
	if (number < 1 || number > 12) throw noDate(text);
	return String((number % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)).padStart(2, '0');
}

function millisAt(text: string, written: string, zone: string): number {
	const [, hours, minutes = '00'] = zone.match(/^([+-]\d{2}):?(\d{2})?$/) ?? [];
	const millis = Date.parse(written + (hours ? `${hours}:${minutes}` : zone.toUpperCase()));
	if (Number.isNaN(millis)) throw noDate(text);
	return millis;
}

const repeatedTimes: Warning = (count, [first]) =>
	`Times that occur twice when daylight saving ends were read as the first one: ${first} (times: ${count}). To choose, write the UTC offset, for example +01:00`;

/** Returns the moment in the workflow's zone. Times that daylight saving skips in spring are invalid. */
function millisInZone(text: string, written: string, { zone, warnings }: ReadContext): number {
	// Read as if in UTC first, which fails for times that no zone has.
	const inUtc = millisAt(text, written, 'Z');
	const read = tryToParseDateTime(written, zone);
	const back = read.toMillis() + read.offset * 60_000;
	// Zones of long ago have offsets of odd seconds.
	if (Math.abs(back - inUtc) < 60_000) {
		const moments = read.getPossibleOffsets();
		if (moments.length > 1) warnings.add(repeatedTimes, text);
		return Math.min(...moments.map((moment) => moment.toMillis()));
	}
	// Some zones skip the first hour of a day, by which the editor writes the day.
	if (/T00:00:00(\.0+)?$/.test(written)) return read.startOf('day').toMillis();
	throw Failure.value(`names an hour that the clocks of ${zone} leave out`, 'Write another hour');
}

/** Problems with text that is no date, and how to write it. The first form that fits counts. */
const NO_DATES: Array<[form: RegExp, message: string, hint: string]> = [
	[
		/^\d{1,5}([.,]\d+)?$/,
		'is not a date',
		`If it is a spreadsheet's serial number, format the column as a date. ${HOW}`,
	],
	[
		/^[+-]?\d+([.,]\d+)?$/,
		'is not a date',
		`${HOW}. UNIX time has 10 digits in seconds, 13 in milliseconds`,
	],
	[/^\d{1,2}[-/.]\d{1,2}[-/.]\d{2}(?!\d)/, 'has a year of two digits', HOW],
	[/^\d{1,2}:\d{2}/, 'is a time without a date', `${HOW}T10:00`],
];

function noDate(text: string): Failure {
	const [, message = 'is not a date', hint = HOW] =
		NO_DATES.find(([form]) => form.test(text)) ?? [];
	return Failure.value(message, hint);
}
