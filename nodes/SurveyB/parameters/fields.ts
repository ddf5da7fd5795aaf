import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import type { Field } from '../../shared/fields/field';
import { choice, date, filters, id, kind, locator } from '../../shared/fields/fields';
import { nameFields } from '../../shared/fields/sharedFields';
import { readId } from '../../shared/fields/values';

// Fields that several operations share.

export const { email, emailFilter, feedbackId } = nameFields('Survey B', 'contact', '2001');

export const fromUser = id({
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

export const commonReply = {
	displayName: 'Common Reply',
	search: 'searchCommonReplies',
	by: [{ displayName: 'By ID', name: 'id', placeholder: 'e.g. 301' }],
};

export const commonReplyId = locator({ ...commonReply, required: true });

const campaignSettings = {
	displayName: 'Campaign',
	search: 'searchCampaigns',
	by: [{ displayName: 'By ID', name: 'id', placeholder: 'e.g. 101' }],
};

export const campaignId = locator({
	...campaignSettings,
	required: true,
	description:
		'The list shows campaigns that have feedback or metrics. Enter the ID of any other campaign.',
});

export const campaignFilter = locator({
	...campaignSettings,
	description:
		'Only return feedback of this campaign; the list shows those that have feedback or metrics. Without this option, all are returned.',
});

/** The events that Survey B sends (contract: Events). */
export const events: Array<INodePropertyOptions & { value: string }> = [
	{
		name: 'Contact Unsubscribed',
		value: 'contact.unsubscribed',
		description: 'A contact unsubscribed from surveys',
	},
	{
		name: 'Feedback Added or Changed',
		value: 'feedback.added_or_changed',
		description:
			'A survey was answered; again when the answer changes, such as by a later comment. Sent 15 minutes after that.',
	},
	{
		name: 'Feedback Removed',
		value: 'feedback.removed',
		description: 'A feedback response was deleted',
	},
	{
		name: 'Feedback Status Changed',
		value: 'feedback.status_changed',
		description: 'A feedback response was closed or reopened',
	},
	{
		name: 'Feedback Tags Added or Changed',
		value: 'feedback.tags_added_or_changed',
		description: 'A tag on a feedback response was added, updated or removed',
	},
	{
		name: 'Score Changed',
		value: 'metric.score_changed',
		description: 'The NPS of a campaign changed',
	},
	{
		name: 'Tag Merged',
		value: 'tag.merged',
		description: 'A tag was merged into another tag of a campaign in tag management',
	},
	{
		name: 'Tag Removed',
		value: 'tag.removed',
		description: 'A tag was deleted from a campaign in tag management',
	},
	{
		name: 'Tag Renamed',
		value: 'tag.renamed',
		description: 'A tag was renamed in a campaign in tag management',
	},
];

/** The notice of a request that the contract does not show. */
export const ASSUMED = 'This may not work in your account: the API documentation does not show it.';

/** The paths of the contract's other operations. */
const OTHER_OPERATIONS =
	/^\/api\/(?:v\d+\/)?(?:contacts|survey|lists|metrics|replies|hooks|feedback\/\d)/;

/** Returns whether a request that writes must not go to a path, in whichever way that is written. */
function isPathOfOther(path: string): boolean {
	const decoded = path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
		String.fromCharCode(Number.parseInt(hex, 16)),
	);
	const plain = decoded.replace(/\/+/g, '/').toLowerCase();
	return !plain.startsWith('/api/') || OTHER_OPERATIONS.test(plain);
}

/**
 * Returns the option for a path that the contract does not show. It accepts only paths, never another host.
 *
 * @param placeholder what stands for an ID in the path
 */
export function assumedPath(preset: string, placeholder?: string): Field<string | undefined> {
	const read = (value: unknown) => {
		const path = readId(value);
		if (!/^\/[^?#\s]*$/.test(path))
			throw Failure.value('must begin with a slash and have no query');
		if (placeholder === undefined && isPathOfOther(path)) {
			throw Failure.value("must be a path below /api/ that is no other operation's");
		}
		if (placeholder === undefined || path.includes(placeholder)) return path;
		throw Failure.value(`must contain ${placeholder}`);
	};
	const description = `Path of the request, if yours is another one. Without this option, it is ${preset}.`;
	return kind('string', preset, read)({ displayName: 'Path', description, noDataExpression: true });
}

/** Returns the filters by the day on which feedback was posted. */
export function postedFilters(what: string, otherwise: string) {
	const start = `Only return ${what} posted on or after this day (UTC). Without this option, ${otherwise}.`;
	const end = `Only return ${what} posted before this day (UTC). Without this option, ${otherwise}.`;
	return {
		postedAfter: date({ displayName: 'Start Date', description: start }),
		postedBefore: date({ displayName: 'End Date', description: end }),
	};
}

export const metricFilters = filters(
	postedFilters('metrics of feedback', 'they cover the last 30 days'),
);

export function postedQuery({
	postedAfter,
	postedBefore,
}: ReturnType<typeof metricFilters.read>): IDataObject {
	return { posted_date_0: postedAfter?.utcDay(), posted_date_1: postedBefore?.utcDay() };
}

/** Returns an ID as a number, as the contract's examples show it in bodies; any other text unchanged. */
export function numericId(id: string): number | string {
	return /^(0|[1-9]\d{0,14})$/.test(id) ? Number(id) : id;
}
