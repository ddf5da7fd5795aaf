import type { IDataObject } from 'n8n-workflow';

import { list } from '../../../shared/operations/list';
import { choice, collection, integer } from '../../../shared/fields/fields';
import { dateOrder } from '../../../shared/fields/sharedFields';
import { hasEmail } from '../../../shared/fields/emails';
import { get, path } from '../../../shared/http/request';
import { scoreOf, scoreTypeOf, feedback } from '../../records/feedback';
import { momentIn } from '../../records/moment';
import {
	campaignFilter,
	customerFilter,
	emailFilter,
	endDate,
	sortByDate,
	sortQuery,
	startDate,
} from '../../parameters/fields';

const filters = collection('Filters', {
	campaignId: campaignFilter,
	customerId: customerFilter,
	email: emailFilter,
	endDate,
	score: integer({
		displayName: 'Score',
		min: 0,
		max: 10,
		description:
			'Only return feedback with exactly this score. Survey A has no such filter: the node reads all feedback and keeps what matches.',
	}),
	scoreType: choice({
		displayName: 'Score Type',
		options: [
			{ name: 'Detractor', value: 'detractor', description: 'NPS scores 0 to 6' },
			{ name: 'Passive', value: 'passive', description: 'NPS scores 7 and 8' },
			{ name: 'Promoter', value: 'promoter', description: 'NPS scores 9 and 10' },
		],
		description:
			'Only return NPS feedback of this type. Survey A has no such filter: the node reads all feedback and keeps what matches.',
	}),
	startDate,
});

type Filters = ReturnType<typeof filters.read>;

/** `GET /api/v2/feedback`, or `GET /api/v2/feedback/{campaignId}` for the feedback of a campaign. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many feedback',
	description:
		'Get feedback responses with score, comment, customer and campaign, by customer, campaign, score or date',
	fields: { filters },
	options: { dateOrder },
	sort: sortByDate,
	record: feedback,

	request: ({ filters, sort }) =>
		get(filters.campaignId ? path`/api/v2/feedback/${filters.campaignId}` : '/api/v2/feedback', {
			...query(filters),
			...sortQuery(sort),
		}),
	rowsKey: 'responses',
	pageSize: 1000,
	// The contract shows no filters on a campaign's feedback: a server may ignore them.
	keeps: ({ filters: { campaignId, score, scoreType, ...others } }) =>
		matchesAll({ ...(campaignId === undefined ? {} : others), score, scoreType }),
	// It shows no paging there either: a server that does not page is asked for all feedback.
	fallback: ({ filters, sort }) =>
		filters.campaignId === undefined
			? undefined
			: {
					request: get('/api/v2/feedback', { ...query(filters), ...sortQuery(sort) }),
					keeps: (feedback) =>
						feedback.campaignId === filters.campaignId && matches(feedback, filters),
				},
});

function query({ email, customerId, startDate, endDate }: Filters): IDataObject {
	return {
		email,
		customerId,
		startDate: startDate?.unixSeconds(),
		endDate: endDate?.lastUnixSecond(),
	};
}

function matchesAll(wanted: Filters) {
	if (Object.values(wanted).every((value) => value === undefined)) return undefined;
	return (feedback: IDataObject) => matches(feedback, wanted);
}

function matches(
	feedback: IDataObject,
	{ email, customerId, startDate, endDate, score, scoreType }: Filters,
): boolean {
	// In whole seconds, as the bounds are. Feedback without a readable date is kept.
	const time = Math.floor((momentIn(feedback.createdDate) ?? NaN) / 1000);
	return (
		(email === undefined || hasEmail(email)(feedback)) &&
		(customerId === undefined || feedback.customerId === customerId) &&
		(score === undefined || scoreOf(feedback.score) === score) &&
		(scoreType === undefined || scoreTypeOf(feedback) === scoreType) &&
		!(startDate !== undefined && time < startDate.unixSeconds()) &&
		!(endDate !== undefined && time > endDate.lastUnixSecond())
	);
}
