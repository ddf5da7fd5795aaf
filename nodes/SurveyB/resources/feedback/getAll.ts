import type { INodeProperties } from 'n8n-workflow';

import { collection, optionalId } from '../../../shared/parameters/schemas';
import { optionalChoice } from '../../../shared/parameters/choices';
import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import {
	feedbackFromAnswer,
	simplifyFeedback,
	simplifiedFeedbackRecord,
} from '../../records/feedback';
import { campaignById } from '../../campaigns';
import { campaignFilter, optionalCampaignInput } from '../../parameters/campaign';
import {
	emailFilter,
	postedFilters,
	postedInput,
	postedQuery,
	status,
} from '../../parameters/fields';
import { integerFrom } from '../../../shared/parameters/numbers';
import { optional } from '../../../shared/parameters/values';
import { dateOrderField } from '../../../shared/parameters/fields';

const campaignStatus: INodeProperties = {
	displayName: 'Campaign Status',
	name: 'campaignStatus',
	type: 'options',
	options: [
		{ name: 'Active', value: 'ACTIVE' },
		{ name: 'Complete', value: 'COMPLETE' },
	],
	default: 'ACTIVE',
};

const followupType: INodeProperties = {
	displayName: 'Follow-Up Type',
	name: 'followupType',
	type: 'options',
	options: [
		{ name: 'Forwarded', value: 'FORWARDED' },
		{ name: 'Replied', value: 'REPLIED' },
	],
	default: 'REPLIED',
	description: 'Only return feedback with this type of follow-up',
};

const scoreType: INodeProperties = {
	displayName: 'Score Type',
	name: 'scoreType',
	type: 'options',
	options: [
		{ name: 'Detractor', value: 'detractor' },
		{ name: 'Passive', value: 'passive' },
		{ name: 'Promoter', value: 'promoter' },
	],
	default: 'detractor',
};

/** `GET /api/v2/feedback/`: 100 a page. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many feedback',
	description:
		'Get feedback responses with score, comment, contact and campaign, by contact, campaign, score or date',
	fields: [
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options: [
				campaignFilter,
				campaignStatus,
				emailFilter,
				followupType,
				...postedFilters,
				{
					displayName: 'Score',
					name: 'score',
					type: 'number',
					typeOptions: { minValue: 0, maxValue: 10 },
					default: 0,
					description: 'Only return feedback with exactly this score, from 0 to 10',
				},
				scoreType,
				{ ...status, default: 'OPEN' },
			],
		},
	],
	options: [dateOrderField],
	input: () => ({
		filters: collection({
			email: optionalId,
			score: optional(integerFrom(0, 10)),
			scoreType: optionalChoice(scoreType),
			campaignId: optionalCampaignInput,
			campaignStatus: optionalChoice(campaignStatus),
			followupType: optionalChoice(followupType),
			status: optionalChoice(status),
			...postedInput,
		}),
	}),
	outputSchema: simplifiedFeedbackRecord,
	simplify: simplifyFeedback,

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
			// Later revisions' names of the same: a server that does not know a name ignores it.
			posted_date_after: filters.postedAfter,
			posted_date_before: filters.postedBefore,
		}),
	rowsKey: 'results',
	pageSize: 100,
	output: feedbackFromAnswer,
});
