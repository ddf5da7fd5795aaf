import { Failure } from '../../shared/base/failure';
import { DAY_MS } from '../../shared/fields/dates';
import type { GivenDate } from '../../shared/fields/dates';
import { withRead } from '../../shared/fields/field';
import { choice, date, emailAddress, filters, locator } from '../../shared/fields/kinds';
import { campaignField, nameFields } from '../../surveys/people';

export const { email, emailFilter, feedbackId } = nameFields('contact', '2001');

export const fromUser = emailAddress({
	displayName: 'From User',
	required: true,
	placeholder: 'e.g. support@example.com',
	description: 'Email of the organization member to send as',
});

const statusSettings = {
	displayName: 'Status',
	options: [
		{ name: 'Closed', value: 'CLOSED' as const },
		{ name: 'Open', value: 'OPEN' as const },
	],
};

export const status = choice({ ...statusSettings, required: true, default: 'CLOSED' });

export const optionalStatus = choice({
	...statusSettings,
	description: 'Without this option, it is open',
});

export const statusFilter = choice({
	...statusSettings,
});

const tagCategorySettings = {
	required: true as const,
	options: [
		{ name: 'Detractor', value: 'DETRACTOR' as const, description: 'Negative' },
		{ name: 'Passive', value: 'PASSIVE' as const, description: 'Neutral' },
		{ name: 'Promoter', value: 'PROMOTER' as const, description: 'Positive' },
	],
	default: 'DETRACTOR',
	description: 'Detractor is negative, Passive neutral, Promoter positive',
};

export const tagCategory = choice({ displayName: 'Tag Category', ...tagCategorySettings });

export const category = choice({ displayName: 'Category', ...tagCategorySettings });

const campaignSettings = {
	displayName: 'Campaign',
	search: 'searchCampaigns',
	by: { id: '101' },
};

const LISTED = 'The list shows campaigns with feedback; enter the ID of another one';

const requiredCampaign = { ...campaignSettings, required: true, description: LISTED } as const;

export const campaignId = campaignField(locator(requiredCampaign));

export const sendableCampaign = campaignField(
	locator({
		...requiredCampaign,
		description: `${LISTED}. An expression that returns an ID chooses it per row, for example by language.`,
	}),
);

export const campaignFilter = campaignField(
	locator({
		...campaignSettings,
		description: 'Only return feedback of this campaign',
	}),
);

/** The notice of a request that the contract does not show. */
export const ASSUMED = 'This may not work in your account: the API documentation does not show it.';

export const postedFilters = {
	postedAfter: date({
		displayName: 'Start Date',
		description:
			'Only return feedback posted on or after this moment; a date without a time begins in UTC',
	}),
	postedBefore: date({
		displayName: 'End Date',
		description: 'Only return feedback posted before this moment',
	}),
};

/** The service counts whole days in UTC, and no other window can be filtered here. */
function day(settings: Parameters<typeof date>[0]): typeof postedFilters.postedAfter {
	const field = date({ ...settings, typeOptions: { dateOnly: true } });
	return withRead(field, (value, context) => {
		const given = field.read(value, context);
		if (given === undefined || given.toMillis() % DAY_MS === 0) return given;
		const hint = "Write the day, such as 2026-11-21 or {{ $today.toFormat('yyyy-MM-dd') }}";
		throw Failure.value('must be a day: Survey B counts metrics by whole days in UTC', hint);
	});
}

export const metricFilters = filters({
	postedAfter: day({
		displayName: 'Start Date',
		description: 'First day (UTC). Without both dates, the last 30 days count.',
	}),
	postedBefore: day({
		displayName: 'End Date',
		description: 'Day (UTC) after the last one',
	}),
});

type Posted = ReturnType<typeof metricFilters.read>;

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
