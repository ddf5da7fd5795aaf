const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))? ?(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * Returns the time of a record's date in ms; undefined unless it is ISO 8601, in UTC when it names no zone (contracts,
 * Resources), or UNIX time.
 */
export function momentIn(date: unknown): number | undefined {
	const text = typeof date === 'string' || typeof date === 'number' ? String(date).trim() : '';
	if (/^\d{10}$/.test(text)) return Number(text) * 1000;
	if (/^\d{13}$/.test(text)) return Number(text);
	const found = text.match(ISO);
	if (!found) return undefined;
	const [, day, time = '00:00', zone = 'Z'] = found;
	const moment = Date.parse(`${day}T${time}${zone}`);
	return Number.isNaN(moment) ? undefined : moment;
}
