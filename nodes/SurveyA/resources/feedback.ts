import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { titleOf } from '../../shared/base/text';
import { inPeriod } from '../../shared/fields/dates';
import {
	choice,
	choicesOf,
	entries,
	filters,
	flag,
	id,
	openChoice,
	textList,
} from '../../shared/fields/kinds';
import { isAddress } from '../../shared/fields/values';
import { dateOrder } from '../../shared/fields/common';
import { askedFor, namesSame } from '../../shared/http/response';
import { get, path, post } from '../../shared/http/request';
import { recordsIn } from '../../shared/http/service';
import { list } from '../../shared/operations/list';
import type { Resource, Texts } from '../../shared/operations/operation';
import { single, write } from '../../shared/operations/write';
import { fields, listOf, numeric, record, string, strings } from '../../shared/records';
import { basic, customerFilter, deprecatedFor, sortByDate } from '../parameters/common';
import { feedback, topicRecord } from '../records';
import { confirmed } from '../responses';
import { surveyA } from '../service';

const { campaignFilter, emailFilter, feedbackId, period } = basic;

const feedbackFilters = filters({
	...period,
	campaignId: campaignFilter,
	customerId: customerFilter,
	email: emailFilter,
});

type Filters = ReturnType<typeof feedbackFilters.read>;

const tags = textList({
	displayName: 'Tags',
	placeholder: 'e.g. pricing, churn risk',
	description: 'Tags separated by commas, or an array by an expression',
});

const update = choice({
	displayName: 'Update',
	required: true,
	options: [
		{ name: 'Append', value: 'append', description: 'Add to the existing ones' },
		{ name: 'Replace', value: 'replace', description: 'Replace the existing ones' },
	],
	default: 'append',
});

function removeAll(plural: string) {
	return flag({
		displayName: 'Remove All',
		displayOptions: { show: { '/update': ['replace'] } },
		description: `Whether Replace without ${plural} removes all ${plural}. Without this option, such a row fails.`,
	});
}

interface Setting {
	feedbackId: string;
	update: 'append' | 'replace';
	options: { removeAll?: boolean };
}

/**
 * The service replaces unless `op` says otherwise.
 *
 * @throws Failure for an item without entries, unless Remove All asks for it
 */
function setting(path: string, key: 'tags' | 'topics', entries: unknown[], item: Setting) {
	const { feedbackId, update, options } = item;
	const isReplaced = update === 'replace';
	const isMeant = entries.length > 0 || (isReplaced && options.removeAll === true);
	const label = titleOf(key);
	const hint = `Enter ${label}, or add Options → 'Remove All' to remove all of them`;
	// promise: all-tags
	if (!isMeant) throw Failure.at(label, undefined, Failure.missing(isReplaced ? hint : undefined));
	const body = { id: feedbackId, [key]: entries };
	if (isReplaced) return post('idempotent', path, body);
	// Repeating an append adds twice.
	const lookAt = 'the tags and topics of the feedback response in Survey A';
	return post('notIdempotent', path, { ...body, op: update }, lookAt);
}

function settingTags(path: string, texts: Texts) {
	return write({
		...texts,
		fields: { feedbackId, update, tags },
		options: { removeAll: removeAll('tags') },
		outputSchema: record({ id: string, update: string, tags: strings }),

		request: ({ tags = [], ...item }) => setting(path, 'tags', tags, item),
		readBody: confirmed,
		output: (_, { feedbackId, update, tags = [] }) => ({ id: feedbackId, update, tags }),
	});
}

const topics = entries(
	{
		displayName: 'Topics',
		key: 'topic',
		description: 'Topics to set. A topic without a sentiment counts as neutral.',
	},
	'Topic',
	{
		name: id({ displayName: 'Name', required: true, placeholder: 'e.g. Pricing' }),
		sentiment: openChoice({
			displayName: 'Sentiment',
			options: choicesOf('negative', 'neutral', 'positive'),
			default: 'neutral',
		}),
	},
);

export const feedbackResource: Resource = {
	/** `GET /api/v2/feedback`, or `GET /api/v2/feedback/{campaignId}` for the feedback of a campaign. */
	getAll: list({
		action: 'Get many feedback',
		description: 'Get feedback by customer, campaign or date',
		details: 'In NPS, scores of 0 to 6 are detractors, 9 and 10 promoters',
		fields: { filters: feedbackFilters, sort: sortByDate },
		options: { dateOrder },
		record: feedback,

		request({ filters, sort }) {
			const campaignId = onlyCampaign(filters, sort);
			return campaignId
				? get(path`/api/v2/feedback/${campaignId}`)
				: get('/api/v2/feedback', { ...query(filters), sort });
		},
		recordsKey: 'responses',
		pageSize: 1000,
		keeps({ filters, sort }) {
			const { startDate, endDate } = filters;
			const isInPeriod = inPeriod('createdDate', startDate, endDate);
			const wanted = onlyCampaign(filters, sort) ? undefined : filters.campaignId;
			if (wanted === undefined) return isInPeriod;
			return (record) => namesSame(record.campaignId, wanted) && isInPeriod?.(record) !== false;
		},
	}),

	/** `GET /api/v2/feedback/{feedbackId}`: the shape of the list. A campaign's ID lists its feedback. */
	get: single({
		action: 'Get feedback',
		description: 'Get feedback by ID',
		fields: { feedbackId },
		record: feedback,

		request: ({ feedbackId }) => get(path`/api/v2/feedback/${feedbackId}`),
		readBody: recordsIn(surveyA, ['id'], 'responses'),
		output: (responses, { feedbackId }) => {
			const own = responses.filter(({ campaignId }) => !namesSame(campaignId, feedbackId));
			return askedFor(surveyA, own, feedbackId, ['id'], 'Feedback record not found.');
		},
	}),

	setTags: settingTags('/api/v2/response/tags', {
		action: 'Set tags of feedback',
		description: 'Add or replace tags of feedback',
	}),

	setTopics: write({
		action: 'Set topics of feedback',
		description: 'Add or replace topics of feedback',
		fields: { feedbackId, update, topics },
		options: { removeAll: removeAll('topics') },
		outputSchema: record({ id: string, update: string, topics: listOf(topicRecord) }),

		request: ({ topics, ...item }) => setting('/api/v2/response/topics', 'topics', topics, item),
		readBody: confirmed,
		output: (_, { feedbackId, update, topics }) => ({ id: feedbackId, update, topics }),
	}),

	/** `GET /api/v2/nps/customers/response`: its records have no ID. */
	getAllLegacy: list({
		action: 'Get many feedback by deprecated endpoint',
		...deprecatedFor('Get Many'),
		fields: { filters: filters(period), sort: sortByDate },
		options: { dateOrder },
		outputSchema: record({
			...fields(string, 'email', 'firstName', 'lastName', 'companyName'),
			tags: strings,
			createdDate: string,
			score: numeric,
			comment: string,
			feedbackTags: strings,
		}),

		request: ({ filters, sort }) =>
			get('/api/v2/nps/customers/response', { ...query(filters), sort }),
		keeps: ({ filters: { startDate, endDate } }) => inPeriod('createdDate', startDate, endDate),
		recordsKey: 'responses',
		pageSize: 1000,
		identity: ({ email, createdDate, score, comment }) => [email, createdDate, score, comment],
	}),

	/** `POST /api/v2/nps/customers/response/tags`: the body of its successor. */
	setTagsLegacy: settingTags('/api/v2/nps/customers/response/tags', {
		action: 'Set tags of feedback by deprecated endpoint',
		...deprecatedFor('Set Tags'),
	}),
};

/** The contract does not say whether a period has its ends: ask for a second more. */
function query({ email, customerId, startDate, endDate }: Filters): IDataObject {
	// As in Get Customer, no ID is an email.
	const isEmail = email === undefined && isAddress(customerId ?? '');
	return {
		...(isEmail ? { email: customerId } : { email, customerId }),
		startDate: startDate && Math.floor(startDate.toMillis() / 1000) - 1,
		endDate: endDate && Math.ceil(endDate.toMillis() / 1000),
	};
}

/** The contract shows no other filter on the feedback of a campaign, and no order. */
function onlyCampaign({ campaignId, ...others }: Filters, sort?: string): string | undefined {
	const isOnly = Object.values({ ...others, sort }).every((value) => value === undefined);
	return isOnly ? campaignId : undefined;
}
