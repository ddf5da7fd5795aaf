import { DAY_MS } from '../../shared/fields/dates';
import type { GivenDate } from '../../shared/fields/dates';
import { locator } from '../../shared/fields/kinds';
import { idOnly, nameFields } from '../../surveys/people';

export const { email, emailFilter, feedbackId } = nameFields('contact', '2001');

const campaignSettings = {
	displayName: 'Campaign',
	search: 'searchCampaigns',
	by: { id: '101' },
};

const LISTED = 'The list shows campaigns with feedback; enter the ID of another one';

const requiredCampaign = { ...campaignSettings, required: true, description: LISTED } as const;

export const campaignId = idOnly(locator(requiredCampaign));

export const sendableCampaign = idOnly(
	locator({
		...requiredCampaign,
		description: `${LISTED}. An expression that returns an ID chooses it per row, for example by language.`,
	}),
);

export const campaignFilter = idOnly(
	locator({
		...campaignSettings,
		description: 'Only return feedback of this campaign',
	}),
);

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
