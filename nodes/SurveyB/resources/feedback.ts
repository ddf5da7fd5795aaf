import { emptyBody, objectsIn, objectWith, valueAt } from '../../shared/base/json';
import { inPeriod } from '../../shared/fields/dates';
import {
	choice,
	choicesOf,
	collection,
	emailAddress,
	emailList,
	filters,
	id,
	integer,
	locator,
	openChoice,
	entries,
	text,
} from '../../shared/fields/kinds';
import { dateOrder } from '../../shared/fields/common';
import { get, path, post, put, remove } from '../../shared/http/request';
import { askedFor, notSaved } from '../../shared/http/response';
import { recordsIn } from '../../shared/http/service';
import { list } from '../../shared/operations/list';
import type { Resource } from '../../shared/operations/operation';
import { single, write } from '../../shared/operations/write';
import { boolean, numeric, record, string } from '../../shared/records';
import { ASSUMED, basic, numericId, postedQuery } from '../parameters/common';
import { feedback } from '../records';
import { otherEmail, removalBy } from '../responses';
import { surveyB } from '../service';

const { campaignFilter, email, emailFilter, feedbackId, period } = basic;

const statusSettings = { displayName: 'Status', options: choicesOf('CLOSED', 'OPEN') };

const feedbackFilters = filters({
	campaignId: campaignFilter,
	campaignStatus: openChoice({
		displayName: 'Campaign Status',
		options: choicesOf('ACTIVE', 'COMPLETE'),
	}),
	email: emailFilter,
	followupType: choice({
		displayName: 'Follow-Up Type',
		options: choicesOf('FORWARDED', 'REPLIED'),
	}),
	postedAfter: period.startDate,
	postedBefore: period.endDate,
	score: integer({
		displayName: 'Score',
		min: 0,
		max: 10,
		default: null,
		description: 'From 0 to 10',
	}),
	scoreType: choice({
		displayName: 'Score Type',
		options: choicesOf('detractor', 'passive', 'promoter'),
	}),
	status: choice(statusSettings),
});

const fromUser = emailAddress({
	displayName: 'From User',
	required: true,
	placeholder: 'e.g. support@example.com',
	description: 'Email of the organization member to send as',
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

const addresses = {
	placeholder: 'e.g. nathan@example.com',
	description: 'Email addresses separated by commas',
};

export const feedbackResource: Resource = {
	/** `GET /api/v2/feedback/`: 100 a page. */
	getAll: list({
		action: 'Get many feedback',
		description: 'Get feedback by contact, campaign, score or date',
		fields: { filters: feedbackFilters },
		options: { dateOrder },
		record: feedback,

		request({ filters }) {
			const posted = postedQuery(filters);
			return get('/api/v2/feedback/', {
				survey__contact__email: filters.email,
				score: filters.score,
				score_type: filters.scoreType,
				survey__campaign: filters.campaignId,
				survey__campaign__status: filters.campaignStatus,
				followup__type: filters.followupType,
				status: filters.status,
				...posted,
				// Later revisions' names of the same dates: a server ignores the names that it does not know.
				posted_date_after: posted.posted_date_0,
				posted_date_before: posted.posted_date_1,
			});
		},
		keeps: ({ filters }) => inPeriod('created', filters.postedAfter, filters.postedBefore),
		pageSize: 100,
	}),

	get: single({
		action: 'Get feedback',
		description: 'Get feedback by ID',
		fields: { feedbackId },
		record: feedback,

		request: ({ feedbackId }) => get(path`/api/v2/feedback/${feedbackId}/`),
		readBody: objectWith('id'),
		output: (response, { feedbackId }) =>
			askedFor(surveyB, [response], feedbackId, ['id'], 'Not found.'),
	}),

	reply: write({
		action: 'Reply to feedback',
		description: 'Reply by email to the contact; once only',
		details:
			'This cannot be undone. A second reply fails (alreadyReplied), as when a later comment starts the workflow again',
		irreversible: true,
		fields: {
			feedbackId,
			fromUser,
			message: text({
				displayName: 'Message',
				required: true,
				typeOptions: { rows: 4 },
				hint: 'For a saved text, put Common Reply → Get Many before this node',
			}),
			additionalFields: collection('Additional Fields', {
				bcc: emailList({ displayName: 'BCC', ...addresses }),
				cc: emailList({ displayName: 'CC', ...addresses }),
			}),
		},
		outputSchema: record({ id: numeric, replied: boolean }),

		request: ({ feedbackId, fromUser, message, additionalFields: { cc, bcc } }) =>
			post(
				'notIdempotent',
				path`/api/v2/feedback/${feedbackId}/reply/`,
				{ from_user: fromUser, message, cc, bcc },
				'whether the feedback response has a reply in Survey B',
			),
		readBody: emptyBody,
		output: (_response, { feedbackId: id }) => ({ id: numericId(id), replied: true }),
	}),

	forward: write({
		action: 'Forward feedback',
		description: 'Forward feedback by email',
		details:
			'This cannot be undone. Fails after a reply (alreadyReplied), and once the feedback is complete (refused)',
		irreversible: true,
		fields: {
			feedbackId,
			fromUser,
			to: emailAddress({
				displayName: 'To',
				required: true,
				placeholder: 'e.g. nathan@example.com',
				description: 'Email of the recipient',
			}),
		},
		outputSchema: record({ id: numeric, forwarded: boolean }),

		request: ({ feedbackId, fromUser, to }) =>
			post(
				'notIdempotent',
				path`/api/v2/feedback/${feedbackId}/forward/`,
				{ from_user: fromUser, to },
				'whether the feedback response was forwarded in Survey B',
			),
		readBody: emptyBody,
		output: (_response, { feedbackId: id }) => ({ id: numericId(id), forwarded: true }),
	}),

	/** `POST /api/v2/feedback/{feedback_id}/tag/`: one tag a request. */
	addTag: write({
		action: 'Add tag to feedback',
		description: 'Add a tag to feedback, whose ID comes back',
		fields: {
			feedbackId,
			tagName: locator({
				displayName: 'Tag Name',
				required: true,
				search: 'searchTags',
				by: { name: 'pricing' },
				description:
					'Choose By Name for a new tag. If the feedback response has it, nothing changes and alreadyTagged is true.',
			}),
			tagCategory: choice({
				displayName: 'Tag Category',
				...tagCategorySettings,
				description: 'Detractor is negative, Promoter positive',
			}),
		},
		outputSchema: record({
			id: numeric,
			name: string,
			category: string,
			alreadyTagged: boolean,
		}),

		request: ({ feedbackId, tagName, tagCategory }) =>
			post(
				'notIdempotent',
				path`/api/v2/feedback/${feedbackId}/tag/`,
				{ name: tagName, category: tagCategory },
				'the tags of the feedback response in Survey B',
			),
		readBody: objectWith('name'),
		// Tag names are unique: a tag that the feedback response had before may keep its category.
		output: (tag, { feedbackId, tagName, tagCategory }) =>
			notSaved('Tag Name', tagName, tag.name) ??
			notSaved('Tag Category', tagCategory, tag.category) ?? { ...tag, id: numericId(feedbackId) },
		// A refusal may mean that the feedback response has the tag. No contract shows its message.
		lookUp: {
			isFor: ({ kind }) => kind === 'refused' || kind === 'failed',
			request: ({ feedbackId }) => get(path`/api/v2/feedback/${feedbackId}/`),
			readBody: recordsIn(surveyB, ['id']),
			output([response], { feedbackId, tagName }) {
				const tag = objectsIn(response?.tags).find(({ name }) => name === tagName);
				return tag && { ...tag, id: numericId(feedbackId), alreadyTagged: true };
			},
		},
	}),

	updateStatus: write({
		action: 'Update feedback status',
		description: 'Close or reopen feedback',
		fields: {
			feedbackId,
			status: choice({ ...statusSettings, required: true, default: 'CLOSED' }),
		},
		record: feedback,

		request: ({ feedbackId, status }) => put(path`/api/v2/feedback/${feedbackId}/`, { status }),
		readBody: objectWith('id'),
		output: (response, { feedbackId, status }) =>
			notSaved('Feedback ID', feedbackId, response.id) ??
			notSaved('Status', status, response.status) ??
			response,
	}),

	/** `POST /api/v2/feedback/`. The contract shows neither method, path nor parameter names: they are assumed. */
	create: write({
		action: 'Create feedback',
		description: 'Create feedback, and its contact if new',
		notice: ASSUMED,
		fields: {
			campaignId: basic.campaign,
			email,
			score: integer({
				displayName: 'Score',
				required: true,
				min: 0,
				max: 10,
				default: null,
				description: 'Score from 0 to 10',
			}),
			additionalFields: collection('Additional Fields', {
				comment: text({ displayName: 'Comment', typeOptions: { rows: 4 } }),
				status: choice({
					...statusSettings,
					description: 'Without this option, it is open',
				}),
				tags: entries({ displayName: 'Tags', key: 'tag', description: 'Tags to add' }, 'Tag', {
					category: choice({ displayName: 'Category', ...tagCategorySettings }),
					name: id({ displayName: 'Name', required: true, placeholder: 'e.g. pricing' }),
				}),
			}),
		},
		record: feedback,

		request: ({ campaignId, email, score, additionalFields: { status, comment, tags = [] } }) =>
			post(
				'notIdempotent',
				'/api/v2/feedback/',
				{
					score,
					email,
					campaign_id: numericId(campaignId),
					status,
					comment,
					tags: tags.length > 0 ? tags : undefined,
				},
				"this contact's feedback in Survey B",
			),
		readBody: objectWith('id'),
		output: (response, { campaignId, score, email, additionalFields: { status } }) =>
			notSaved('Campaign', campaignId, valueAt(response, 'campaign.id')) ??
			notSaved('Score', score, response.score) ??
			notSaved('Status', status, response.status) ??
			otherEmail(email, response.contact) ??
			response,
	}),

	delete: write({
		action: 'Delete feedback',
		description: 'Delete feedback permanently',
		details: 'This cannot be undone',
		fields: { feedbackId },
		...removalBy('feedbackId'),

		request: ({ feedbackId }) => remove(path`/api/v2/feedback/${feedbackId}/`),
	}),
};
