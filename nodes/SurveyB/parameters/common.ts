import { DAY_MS } from '../../shared/fields/dates';
import type { GivenDate } from '../../shared/fields/dates';
import { commonFields, PER_ROW } from '../../surveys/people';

const LISTED = 'The list shows campaigns with feedback; enter others by ID';

export const basic = commonFields({
	feedbackId: '2001',
	campaignId: '101',
	listed: LISTED,
	sendable: { description: `${LISTED}. ${PER_ROW}` },
});

/** The notice of a request that the contract does not show. */
export const ASSUMED = 'This may not work in your account: the API documentation does not show it.';

type Posted = Partial<Record<'postedAfter' | 'postedBefore', GivenDate>>;

/** The service takes no times: ask for the days in UTC around them. */
export function postedQuery({ postedAfter, postedBefore }: Posted) {
	return {
		posted_date_0: dayAt(postedAfter, Math.floor),
		posted_date_1: dayAt(postedBefore, Math.ceil),
	};
}

function dayAt(date: GivenDate | undefined, round: (days: number) => number): string | undefined {
	if (date === undefined) return undefined;
	const midnight = new Date(round(date.toMillis() / DAY_MS) * DAY_MS);
	return midnight.toISOString().slice(0, 'yyyy-mm-dd'.length);
}

/** The contract's examples show numeric IDs as numbers in bodies. */
export function numericId(id: string): number | string {
	return /^(0|[1-9]\d{0,14})$/.test(id) ? Number(id) : id;
}
