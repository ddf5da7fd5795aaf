import { tryToParseDateTime } from 'n8n-workflow';

import type { ReadContext, Warning } from './context';
import { InvalidValue } from './values';

// Dates in text and numbers. A form is read only where it says one thing; all others are told.

/** A date as it was read: a day, and the moment where a time stands beside it. */
export interface DateParts {
	/** The calendar day as it was written, `yyyy-mm-dd`. */
	day: string;
	/** Milliseconds since 1970; undefined for a day without a time. */
	millis?: number;
	/** True where the time is midnight as it was written. */
	isMidnight?: boolean;
	/** True where the time names its zone. */
	hasZone?: boolean;
}

/** How to write a date. */
export const HOW = 'Write it as 2026-11-21';
const TIME =
	/^(?:T|\s)\s*(?<hour>\d{1,2})(?::?(?<minute>\d{2})(?::?(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?)?\s*(?<half>[AP]M)?\s*(?<zone>Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/** The forms of a day, each with a time behind it or none. The first that fits counts. */
const DAYS: Array<[RegExp, (parts: string[], context: ReadContext) => string[]]> = [
	[/^(\d{4})-(\d{2})-(\d{2})(?=[T\s]|$)/i, ([y = '', m = '', d = '']) => [y, m, d]],
	[/^(\d{4})(\d{2})(\d{2})(?=T|$)/i, ([y = '', m = '', d = '']) => [y, m, d]],
	[/^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?=[T\s]|$)/i, ([y = '', , m = '', d = '']) => [y, m, d]],
	[/^(\d{1,2})\.(\d{1,2})\.(\d{4})(?=[T\s]|$)/i, ([d = '', m = '', y = '']) => [y, m, d]],
	[
		/^(\d{1,2})\/(\d{1,2})\/(\d{4})(?=[T\s]|$)/i,
		([first = '', second = '', y = ''], { dateOrder }) =>
			dateOrder === 'dayFirst' ? [y, second, first] : [y, first, second],
	],
];

/** ISO 8601's days by week and by number: `2026-W47-6`, `2026-325`. */
const ISO_DAY = /^(?:\d{4}-W\d{2}-\d|\d{4}W\d{3}|\d{4}-\d{3})(?=[T\s]|$)/i;

/** What a JavaScript date becomes inside a text, and the date of an email or of an HTTP header. */
const ENGLISH =
	/^[A-Z][a-z]{2},? (?:[A-Z][a-z]{2} \d{2}|\d{1,2} [A-Z][a-z]{2}) \d{4} (?:\d{4} )?\d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|Z|[+-]\d{4})/;

/** Ten digits that are UNIX seconds of the years 2030 to 2036, and a date with its hour, too. */
const DATE_AND_HOUR =
	/^(?:19|20|21)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])$/;

/**
 * Reads a date from text, or from a number as text.
 *
 * @throws InvalidValue where the text is no date, or one that could mean several
 */
export function parseDateText(text: string, context: ReadContext): DateParts {
	if (DATE_AND_HOUR.test(text)) {
		throw new InvalidValue('could be UNIX time, or a date and an hour', `${HOW}T10:00`);
	}
	const unix = text.match(/^(?:(\d{10}(?:\.\d{1,3})?)|(\d{13}))$/);
	if (unix) return momentOf(unix[2] ? Number(unix[2]) : Math.round(Number(unix[1]) * 1000));
	for (const [form, order] of DAYS) {
		const found = text.match(form);
		if (!found) continue;
		const [year = '', month = '', day = ''] = order(found.slice(1), context);
		const read = calendarDay(text, year, month, day);
		tellAmbiguous(found[0], read, context);
		return withTime(text, read, text.slice(found[0].length), context);
	}
	const isoDay = text.match(ISO_DAY)?.[0];
	if (isoDay) return withTime(text, dayOfIso(text, isoDay), text.slice(isoDay.length), context);
	if (ENGLISH.test(text)) return momentOf(millisOfEnglish(text));
	throw noDate(text);
}

/** Reads it as JavaScript does, which takes February 31 for March 3 and passes over the weekday. */
function millisOfEnglish(text: string): number {
	const millis = Date.parse(text);
	if (Number.isNaN(millis)) throw noDate(text);
	const [day = ''] = text.match(/^.+? \d{4}/) ?? [];
	const read = new Date(`${day} UTC`).toUTCString().slice(0, 'Sat, 21 Nov 2026'.length);
	if (wordsOfDay(read) === wordsOfDay(day)) return millis;
	throw new InvalidValue('names a day that does not exist', HOW);
}

/** The weekday, the day, the month and the year, in whatever order. */
function wordsOfDay(day: string): string {
	const words = day.replace(',', '').split(' ');
	return words
		.map((word) => word.padStart(2, '0'))
		.sort()
		.join(' ');
}

/** A moment that names its zone. */
export function momentOf(millis: number): DateParts {
	return { day: new Date(millis).toISOString().slice(0, 10), millis, hasZone: true };
}

/** `yyyy-mm-dd` of a day that the calendar has. */
function calendarDay(text: string, year: string, month: string, day: string): string {
	const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	const date = new Date(`${iso}T00:00:00Z`);
	if (!Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso)) return iso;
	throw new InvalidValue('names a day that does not exist', otherOrder(text, month));
}

/** What to do about `31/12/2024` where the month comes first, or the other way round. */
function otherOrder(text: string, month: string): string {
	if (!/^\d+\//.test(text) || Number(month) <= 12) return HOW;
	return text.startsWith(month)
		? "If the day comes first, set 'Date Order' to Day First"
		: "If the month comes first, set 'Date Order' to Month First";
}

function dayOfIso(text: string, written: string): string {
	try {
		return tryToParseDateTime(written, 'UTC').toFormat('yyyy-MM-dd');
	} catch {
		throw noDate(text);
	}
}

const ambiguousDates: Warning = (count, [first]) =>
	`Dates were read month first: ${first} (dates that could be either: ${count}). If the day comes first, set 'Date Order' to Day First`;

/** Warns about a day that would be another one in the other order. */
function tellAmbiguous(written: string, day: string, context: ReadContext): void {
	const [, first, second] = written.match(/^(\d{1,2})\/(\d{1,2})\//) ?? [];
	if (first === undefined || second === undefined || Number(first) === Number(second)) return;
	if (context.dateOrder === undefined && Number(first) <= 12 && Number(second) <= 12) {
		context.warnings.add(ambiguousDates, `${written} as ${day}`);
	}
}

function withTime(text: string, day: string, rest: string, context: ReadContext): DateParts {
	if (rest === '') return { day };
	const {
		hour = '',
		minute = '00',
		second = '00',
		fraction = '',
		half,
		zone,
	} = rest.match(TIME)?.groups ?? {};
	if (hour === '') throw noDate(text);
	const clock = `${hourOf(text, hour, half)}:${minute}:${second}`;
	const written = `${day}T${clock}${fraction && `.${fraction.slice(0, 3)}`}`;
	const isMidnight = /^(00|24):00:00$/.test(clock) && !/[1-9]/.test(fraction);
	const millis = zone ? inOwnZone(text, written, zone) : inZoneOf(text, written, context);
	return { day, millis, isMidnight: isMidnight && clock.startsWith('00'), hasZone: !!zone };
}

/** The hour on a clock of 24. */
function hourOf(text: string, hour: string, half: string | undefined): string {
	if (half === undefined) return hour.padStart(2, '0');
	const number = Number(hour);
	if (number < 1 || number > 12) throw noDate(text);
	return String((number % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)).padStart(2, '0');
}

function inOwnZone(text: string, written: string, zone: string): number {
	const offset = zone.replace(/^([+-]\d{2})(?::?(\d{2}))?$/, (_, hours, minutes = '00') => {
		return `${hours}:${minutes}`;
	});
	const millis = Date.parse(`${written}${offset.toUpperCase()}`);
	if (Number.isNaN(millis)) throw noDate(text);
	return millis;
}

/** Returns the moment in the workflow's zone. Times that daylight saving skips in spring are invalid. */
function inZoneOf(text: string, written: string, context: ReadContext): number {
	const { zone } = context;
	// Read as if in UTC first: that tells an impossible time from one that this zone leaves out.
	const inUtc = inOwnZone(text, written, 'Z');
	const read = tryToParseDateTime(written, zone);
	const back = read.toMillis() + read.offset * 60_000;
	// Zones of long ago have offsets of odd seconds.
	if (Math.abs(back - inUtc) < 60_000) return firstOf(read.getPossibleOffsets(), text, context);
	// Some zones leave out the first hour of a day, by which the editor writes the day.
	if (/T00:00:00(\.0+)?$/.test(written)) return read.startOf('day').toMillis();
	throw new InvalidValue(
		`names an hour that the clocks of ${zone} leave out`,
		'Write another hour',
	);
}

const repeatedTimes: Warning = (count, [first]) =>
	`Times that occur twice when daylight saving ends were read as the first one: ${first} (times: ${count}). To choose, write the UTC offset, for example +01:00`;

/** Returns the first of the two moments of a time that daylight saving repeats in autumn. */
function firstOf(
	moments: Array<{ toMillis(): number }>,
	text: string,
	{ warnings }: ReadContext,
): number {
	if (moments.length > 1) warnings.add(repeatedTimes, text);
	return Math.min(...moments.map((moment) => moment.toMillis()));
}

/** Why a text is no date, and how to write it. */
function noDate(text: string): InvalidValue {
	if (/^\d{1,5}([.,]\d+)?$/.test(text)) {
		return new InvalidValue(
			'is not a date',
			`If it is a spreadsheet's serial number, format the column as a date. ${HOW}`,
		);
	}
	if (/^[+-]?\d+([.,]\d+)?$/.test(text)) {
		return new InvalidValue(
			'is not a date',
			`${HOW}. UNIX time has 10 digits in seconds, 13 in milliseconds`,
		);
	}
	if (/^\d{1,2}[-/.]\d{1,2}[-/.]\d{2}(?!\d)/.test(text)) {
		return new InvalidValue('has a year of two digits', HOW);
	}
	if (/^\d{1,2}:\d{2}/.test(text)) {
		return new InvalidValue('is a time without a date', `${HOW}T10:00`);
	}
	return new InvalidValue('is not a date', HOW);
}
