import { z } from 'zod/v4';
import type { Call } from '../core/routes';
import { read } from './input';
import { invalid } from './refusals';
import type { ContextB } from './state';

const whole = z
	.string()
	.regex(/^-?\d+$/, 'Enter a whole number.')
	.transform(Number);
const date = z.string().transform((text, context) => {
	const iso = text.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, '$3-$1-$2');
	const at = /^\d{4}-\d{2}-\d{2}$/.test(iso) ? Date.parse(`${iso}T00:00:00Z`) : Number.NaN;
	if (Number.isNaN(at)) context.addIssue('Enter a valid date.');
	return at;
});

const filters = z
	.object({
		email: z.string(),
		contact_list__id: whole,
		survey__contact__email: z.string(),
		score: whole,
		score_type: z.enum(['promoter', 'passive', 'detractor']),
		survey__campaign: whole,
		survey__campaign__status: z.string(),
		followup__type: z.enum(['REPLIED', 'FORWARDED']),
		status: z.enum(['OPEN', 'CLOSED']),
		posted_date_0: date,
		posted_date_1: date,
		posted_date_after: date,
		posted_date_before: date,
	})
	.partial();

/** Reads the filters of a request. Empty ones count as absent. */
export function filtersOf({ query }: Call): z.output<typeof filters> {
	return read(filters, Object.fromEntries([...query].filter(([, value]) => value !== '')));
}

/** Reads the dates of a request by the names that the settings accept, in milliseconds. `until` is exclusive. */
export function periodOf({ settings: { periodNames } }: ContextB, call: Call) {
	const filters = filtersOf(call);
	const numbered = { from: filters.posted_date_0, until: filters.posted_date_1 };
	const named = { from: filters.posted_date_after, until: filters.posted_date_before };
	if (periodNames === 'numbered') return numbered;
	if (periodNames === 'afterBefore') return named;
	return { from: numbered.from ?? named.from, until: numbered.until ?? named.until };
}

export type Period = Partial<ReturnType<typeof periodOf>>;

/** Returns true if a timestamp is in the period. Long lists have no time to read each timestamp without need. */
export function within({ from, until }: Period, timestamp: string): boolean {
	if (from === undefined && until === undefined) return true;
	const at = Date.parse(timestamp);
	return (from === undefined || at >= from) && (until === undefined || at < until);
}

/** Throws a Refusal for a filter by a record that does not exist, if the settings say so. */
export function requireKnown(
	{ settings }: ContextB,
	records: Array<{ id: number }>,
	wanted: number,
): void {
	if (settings.unknownFilter === 'emptyList' || records.some(({ id }) => id === wanted)) return;
	throw invalid({ non_field_errors: ['Select a valid choice.'] });
}
