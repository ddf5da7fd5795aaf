// The service recognises a date by its form. Forms that it accepts: `yyyy-mm-dd`, `yyyy-mm-ddThh:mm`,
// `yyyy-mm-dd hh:mm`, `yyyy-mm-ddThh:mm:ss`, `yyyy-mm-ddThh:mm:ssZ` (contract, section Limits).

const ACCEPTED = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}|T\d{2}:\d{2}:\d{2}Z?)?$/;

/** A day, and perhaps a time: hours and minutes, seconds, a fraction, a zone. */
const DATE =
	/^(?<day>[\d/.-]+)(?:[T ](?<clock>\d{1,2}:\d{2})(?<seconds>:\d{2})?(?:\.\d+)?\s?(?<zone>Z|[+-]\d{2}:?\d{2})?)?$/i;

/** What a JavaScript date becomes inside a text. */
const SCRIPT_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d{2} \d{4} \d{2}:\d{2}:\d{2} GMT[+-]\d{4}/;

/**
 * Gives a date in a form that the service recognises.
 *
 * @param text an attribute's value
 * @returns undefined where the text is no date
 */
export function acceptedDate(text: string): string | undefined {
	if (ACCEPTED.test(text)) return text;
	if (SCRIPT_DATE.test(text)) return inUtc(text.slice(0, 33));
	const { day: written = '', clock, seconds = '', zone } = text.match(DATE)?.groups ?? {};
	const day = dayOf(written);
	if (day === undefined || clock === undefined) return day;
	const time = clock.padStart(5, '0');
	if (zone === undefined) return `${day}T${time}${seconds}`;
	const offset = zone.replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2').toUpperCase();
	return inUtc(`${day}T${time}${seconds || ':00'}${offset}`);
}

/** `2026-11-21T10:00:00.000Z` without its milliseconds. */
export function withoutMilliseconds(timestamp: string): string {
	return timestamp.replace(/\.\d+Z$/, 'Z');
}

/**
 * The day as `yyyy-mm-dd`. Two numbers and a year are month and day, unless the first one is above
 * 12; with dots they are day and month.
 */
function dayOf(written: string): string | undefined {
	const yearFirst = written.match(/^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/);
	if (yearFirst) return calendarDay(yearFirst[1], yearFirst[3], yearFirst[4]);
	const yearLast = written.match(/^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/);
	if (!yearLast) return undefined;
	const [, first, separator, second, year = ''] = yearLast;
	// With dots and a short year it may as well be the number of a version.
	if (separator === '.' && year.length === 2) return undefined;
	const dayFirst = separator === '.' || Number(first) > 12;
	return dayFirst
		? calendarDay(fullYear(year), second, first)
		: calendarDay(fullYear(year), first, second);
}

/** `26` is 2026 and `85` is 1985, as in POSIX. */
function fullYear(year: string): string {
	if (year.length === 4) return year;
	return Number(year) < 69 ? `20${year}` : `19${year}`;
}

/** Undefined for a day that no calendar has. */
function calendarDay(year = '', month = '', day = ''): string | undefined {
	const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	return inUtc(iso)?.startsWith(iso) ? iso : undefined;
}

function inUtc(timestamp: string): string | undefined {
	const date = new Date(timestamp);
	return Number.isNaN(date.getTime()) ? undefined : withoutMilliseconds(date.toISOString());
}
