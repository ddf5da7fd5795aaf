import { tryToParseDateTime } from 'n8n-workflow';

import { isObject } from '../http/json';
import { HOW, momentOf, parseDateText } from './dateText';
import type { DateParts } from './dateText';
import type { ReadContext } from './context';
import { InvalidValue } from './values';

const FIRST_YEAR = 1900;
const LAST_YEAR = 2100;

/** A date that was given in a parameter, and the forms in which services take it. @internal */
export class GivenDate {
	constructor(
		private readonly parts: DateParts,
		/** The workflow's zone. */
		private readonly zone: string,
	) {}

	/** Milliseconds since 1970. A day without a time begins in UTC: no zone ever moves it. */
	toMillis(): number {
		return this.parts.millis ?? Date.parse(`${this.parts.day}T00:00:00Z`);
	}

	/** `yyyy-mm-ddThh:mm:ss.sssZ`. */
	isoTimestamp(): string {
		return new Date(this.toMillis()).toISOString();
	}

	/** `yyyy-mm-dd` for a day, `yyyy-mm-ddThh:mm:ssZ` for a time. */
	isoDate(): string {
		if (this.parts.millis === undefined) return this.parts.day;
		return this.isoTimestamp().replace(/\.\d+Z$/, 'Z');
	}

	/** `mm/dd/yyyy`; of a time, the day on which it falls in the workflow's zone. */
	monthDayYear(): string {
		const { millis, day } = this.parts;
		const local = millis === undefined ? day : this.inZone(new Date(millis)).toFormat('yyyy-MM-dd');
		const [year, month, date] = local.split('-');
		return `${month}/${date}/${year}`;
	}

	/** `yyyy-mm-dd`, the day in UTC. Midnight is the day that was meant, whichever zone it names. */
	utcDay(): string {
		const { day, millis, isMidnight } = this.parts;
		return millis === undefined || isMidnight ? day : this.isoTimestamp().slice(0, 10);
	}

	/** Seconds since 1970. */
	unixSeconds(): number {
		return Math.floor(this.toMillis() / 1000);
	}

	/**
	 * Seconds since 1970 of the last second that belongs to it. A day without a time is meant whole,
	 * and so is midnight without a zone, which is what the editor makes of a day.
	 */
	lastUnixSecond(): number {
		const { millis, isMidnight, hasZone } = this.parts;
		if (millis === undefined) return this.unixSeconds() + 24 * 3600 - 1;
		if (!isMidnight || hasZone) return this.unixSeconds();
		return Math.floor(this.inZone(new Date(millis)).endOf('day').toMillis() / 1000);
	}

	private inZone(date: Date) {
		return tryToParseDateTime(date, this.zone);
	}
}

/**
 * Reads a date in any form that n8n users have at hand: ISO 8601, a Luxon or JavaScript date, UNIX
 * seconds or milliseconds, month/day/year, day.month.year.
 */
export function readDate(value: unknown, context: ReadContext): GivenDate {
	const parts = partsOf(value, context);
	const year = Number(parts.day.slice(0, 4));
	if (year >= FIRST_YEAR && year <= LAST_YEAR) return new GivenDate(parts, context.zone);
	throw new InvalidValue(`is not a date between ${FIRST_YEAR} and ${LAST_YEAR}`, HOW);
}

/** Whether a value is a Luxon or JavaScript date, as expressions give them. */
export function isDateObject(value: unknown): boolean {
	return (
		value instanceof Date ||
		(typeof value === 'object' && value !== null && 'isLuxonDateTime' in value)
	);
}

function partsOf(value: unknown, context: ReadContext): DateParts {
	if (isDateObject(value)) return partsOfObject(value);
	if (typeof value === 'string') return parseDateText(value.trim(), context);
	if (typeof value === 'number') return parseDateText(String(value), context);
	throw new InvalidValue('is not a date', HOW);
}

function partsOfObject(value: unknown): DateParts {
	if (!isValid(value)) throw new InvalidValue('is not a date', HOW);
	if (value instanceof Date) return momentOf(value.getTime());
	const read = tryToParseDateTime(value, 'UTC');
	const isMidnight = read.startOf('day').toMillis() === read.toMillis();
	return { day: read.toFormat('yyyy-MM-dd'), millis: read.toMillis(), isMidnight, hasZone: true };
}

/** Returns whether a date object holds a date: both kinds can be invalid. */
function isValid(value: unknown): boolean {
	if (value instanceof Date) return !Number.isNaN(value.getTime());
	return isObject(value) && value.isValid === true;
}
