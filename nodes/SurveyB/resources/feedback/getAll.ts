import { list } from '../../../shared/operations/list';
import { choice, collection, integer, openChoice } from '../../../shared/fields/fields';
import { dateOrder } from '../../../shared/fields/sharedFields';
import { get } from '../../../shared/http/request';
import { campaignById } from '../../campaigns';
import {
	campaignFilter,
	emailFilter,
	optionalStatus,
	postedAfter,
	postedBefore,
	postedQuery,
} from '../../parameters/fields';
import { feedbackFromResponse, feedback } from '../../records/feedback';

const filters = collection('Filters', {
	campaignId: campaignFilter,
	campaignStatus: openChoice({
		displayName: 'Campaign Status',
		options: [
			{ name: 'Active', value: 'ACTIVE' },
			{ name: 'Complete', value: 'COMPLETE' },
		],
		description:
			'Only return feedback of campaigns with this status. Use an expression for another status.',
	}),
	email: emailFilter,
	followupType: choice({
		displayName: 'Follow-Up Type',
		options: [
			{ name: 'Forwarded', value: 'FORWARDED' },
			{ name: 'Replied', value: 'REPLIED' },
		],
		default: 'REPLIED',
		description: 'Only return feedback with this type of follow-up',
	}),
	postedAfter,
	postedBefore,
	score: integer({
		displayName: 'Score',
		min: 0,
		max: 10,
		description: 'Only return feedback with exactly this score, from 0 to 10',
	}),
	scoreType: choice({
		displayName: 'Score Type',
		options: [
			{ name: 'Detractor', value: 'detractor' },
			{ name: 'Passive', value: 'passive' },
			{ name: 'Promoter', value: 'promoter' },
		],
		description: 'Only return feedback of this score type',
	}),
	status: optionalStatus,
});

/** `GET /api/v2/feedback/`: 100 a page. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many feedback',
	description:
		'Get feedback responses with score, comment, contact and campaign, by contact, campaign, score or date',
	fields: { filters },
	options: { dateOrder },
	sortHere: [
		{ name: 'Campaign Name', value: 'campaign.name' },
		{ name: 'Created', value: 'created' },
		{ name: 'Email', value: 'contact.email' },
		{ name: 'Score', value: 'score' },
		{ name: 'Status', value: 'status' },
	],
	record: feedback,

	async complete({ filters, ...input }, run) {
		const { campaignId } = filters;
		const found = campaignId && (await campaignById(run, campaignId));
		return { ...input, filters: { ...filters, campaignId: found } };
	},
	request: ({ filters }) =>
		get('/api/v2/feedback/', {
			survey__contact__email: filters.email,
			score: filters.score,
			score_type: filters.scoreType,
			survey__campaign: filters.campaignId?.value,
			survey__campaign__status: filters.campaignStatus,
			followup__type: filters.followupType,
			status: filters.status,
			...postedQuery(filters),
			// Later revisions' names of the same dates: a server ignores the names that it does not know.
			posted_date_after: filters.postedAfter?.utcDay(),
			posted_date_before: filters.postedBefore?.utcDay(),
		}),
	rowsKey: 'results',
	pageSize: 100,
	output: feedbackFromResponse,
});
