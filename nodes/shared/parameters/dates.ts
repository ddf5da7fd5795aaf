import type { DateTime } from 'luxon';
import { tryToParseDateTime } from 'n8n-workflow';
import { z } from 'zod';

import { given } from './schemas';

/** Below this a number is UNIX seconds, from here on milliseconds (1973 as milliseconds). */
const FIRST_MILLISECONDS = 100_000_000_000;

/**
 * A date in any form that n8n users have at hand: ISO 8601, a Luxon or JavaScript date, UNIX seconds
 * or milliseconds, month/day/year. Without a zone it is in `currentZone`; a bare day is in UTC.
 */
export const date = z.unknown().transform((value, context): DateTime => {
	try {
		return parse(value);
	} catch {
		context.addIssue({ code: 'custom', message: 'must be a date, such as 2026-11-21' });
		return z.NEVER;
	}
});

/** A date that may be left out. */
export const optionalDate = z.preprocess(given, z.union([z.undefined(), date]));

function parse(value: unknown): DateTime {
	const text = typeof value === 'object' ? '' : String(value).trim();
	if (/^\d{9,}$/.test(text)) {
		const number = Number(text);
		return parse(new Date(number < FIRST_MILLISECONDS ? number * 1000 : number));
	}
	const american = text.match(/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/);
	if (american) {
		const [, month = '', day = '', year = ''] = american;
		return parse(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
	}
	const isBareDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
	return tryToParseDateTime(value, isBareDay ? 'UTC' : currentZone());
}

/** `yyyy-mm-ddThh:mm:ss.sssZ`. */
export function isoTimestamp(date: DateTime): string {
	return date.toJSDate().toISOString();
}

/** `yyyy-mm-dd`, the day in UTC. */
export function utcDay(date: DateTime): string {
	return isoTimestamp(date).slice(0, 10);
}

/** Seconds since 1970. */
export function unixSeconds(date: DateTime): number {
	return Math.floor(date.toMillis() / 1000);
}

let current: string | undefined;

/**
 * Reads parameters with a time zone for dates that name none: that of the workflow. Without it they
 * would be taken to be in the zone of whichever workflow n8n worked on last.
 *
 * @param read must be done with when it returns
 */
export function inZone<Value>(zone: string, read: () => Value): Value {
	const outer = current;
	current = zone;
	try {
		return read();
	} finally {
		current = outer;
	}
}

/** The zone of dates that name none. */
function currentZone(): string | undefined {
	return current;
}
