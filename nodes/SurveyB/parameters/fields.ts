import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { DAY_MS, momentIn } from '../../shared/fields/dates';
import { withRead } from '../../shared/fields/field';
import { choice, date, emailAddress, filters, locator } from '../../shared/fields/kinds';
import { campaignField, nameFields } from '../../surveys/fields';

// Fields that several operations share.

export const { email, emailFilter, feedbackId } = nameFields('Survey B', 'contact', '2001');

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
	default: 'OPEN',
	description: 'Status of the new response. Without this option, it is open.',
});

export const statusFilter = choice({
	...statusSettings,
	default: 'OPEN',
	description: 'Only return feedback with this status. Without this option, all are returned.',
});

const tagCategorySettings = {
	required: true as const,
	options: [
		{ name: 'Detractor', value: 'DETRACTOR' as const, description: 'Negative' },
		{ name: 'Passive', value: 'PASSIVE' as const, description: 'Neutral' },
		{ name: 'Promoter', value: 'PROMOTER' as const, description: 'Positive' },
	],
	default: 'DETRACTOR',
};

export const tagCategory = choice({ displayName: 'Tag Category', ...tagCategorySettings });

export const category = choice({ displayName: 'Category', ...tagCategorySettings });

const campaignSettings = {
	displayName: 'Campaign',
	search: 'searchCampaigns',
	by: [{ displayName: 'By ID', name: 'id', placeholder: 'e.g. 101' }],
};

export const campaignId = campaignField(
	locator({
		...campaignSettings,
		required: true,
		description:
			'The list shows campaigns that have feedback. Enter the ID of any other campaign. An expression that returns an ID chooses it per row, for example by language.',
	}),
);

export const campaignFilter = campaignField(
	locator({
		...campaignSettings,
		description: 'Only return feedback of this campaign. Without this option, all are returned.',
	}),
);

/** The notice of a request that the contract does not show. */
export const ASSUMED = 'This may not work in your account: the API documentation does not show it.';

/** The filters by the date on which feedback was posted. */
export const postedFilters = {
	postedAfter: date({
		displayName: 'Start Date',
		description:
			'Only return feedback posted on or after this date; a day begins in UTC. Without this option, all are returned.',
	}),
	postedBefore: date({
		displayName: 'End Date',
		description:
			'Only return feedback posted before this date; a day begins in UTC. Without this option, all are returned.',
	}),
};

/** Returns the field of a day: metrics are those of whole days in UTC. */
function day(settings: Parameters<typeof date>[0]): typeof postedFilters.postedAfter {
	const field = date(settings);
	return withRead(field, (value, context) => {
		const given = field.read(value, context);
		if (!given?.hasTime) return given;
		throw Failure.value('must be a day, since metrics have no times', 'Write it as 2026-11-21');
	});
}

export const metricFilters = filters({
	postedAfter: day({
		displayName: 'Start Date',
		description:
			'Only count feedback posted on or after this day (UTC). Without this option, the last 30 days count.',
	}),
	postedBefore: day({
		displayName: 'End Date',
		description:
			'Only count feedback posted before this day (UTC). Without this option, the last 30 days count.',
	}),
});

type Posted = ReturnType<typeof metricFilters.read>;

/** Returns the query for feedback posted between two dates: by the days in UTC around them, as the service takes no times. */
export function postedQuery({ postedAfter, postedBefore }: Posted) {
	const millis = postedBefore?.toMillis() ?? 0;
	const nextDay = new Date(Math.ceil(millis / DAY_MS) * DAY_MS).toISOString().slice(0, 10);
	return {
		posted_date_0: postedAfter?.utcDay(),
		posted_date_1: postedBefore?.hasTime ? nextDay : postedBefore?.utcDay(),
	};
}

/** Returns a filter for feedback posted between two dates if one of them has a time. Feedback without a date is kept. */
export function postedBetween({ postedAfter, postedBefore }: Posted) {
	if (!postedAfter?.hasTime && !postedBefore?.hasTime) return undefined;
	const from = postedAfter?.hasTime ? postedAfter.toMillis() : -Infinity;
	const until = postedBefore?.hasTime ? postedBefore.toMillis() : Infinity;
	return ({ created }: IDataObject): boolean => {
		const time = momentIn(created);
		return time === undefined || (time >= from && time < until);
	};
}

/** Returns an ID as a number, as the contract's examples show it in bodies; any other text unchanged. */
export function numericId(id: string): number | string {
	return /^(0|[1-9]\d{0,14})$/.test(id) ? Number(id) : id;
}
