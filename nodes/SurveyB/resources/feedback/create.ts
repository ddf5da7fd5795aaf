import { z } from 'zod/v4';

import { choice, optionalChoice } from '../../../shared/parameters/choices';
import { each } from '../../../shared/operations/each';
import {
	collection,
	id,
	optionalId,
	optionalText,
	entries,
} from '../../../shared/parameters/schemas';
import { anyObject } from '../../../shared/http/json';
import { post } from '../../../shared/http/request';
import { normalizeEmail } from '../../../shared/parameters/emails';
import {
	feedbackFromAnswer,
	simplifyFeedback,
	simplifiedFeedbackRecord,
} from '../../records/feedback';
import { campaignById } from '../../campaigns';
import { campaignId, campaignInput } from '../../parameters/campaign';
import {
	assumedPath,
	email,
	numberOf,
	pathInput,
	status,
	tagCategory,
} from '../../parameters/fields';
import { integerFrom } from '../../../shared/parameters/numbers';
import { needed } from '../../../shared/parameters/values';

const PATH = '/api/v2/feedback/';

/** Create feedback. The contract shows neither path nor parameter names: they are assumed. */
export const create = each({
	name: 'Create',
	action: 'Create feedback',
	description:
		'Create a feedback response, and its contact if there is none yet. Sends no email. Returns the feedback response.',
	fields: [
		campaignId,
		email,
		{
			displayName: 'Score',
			name: 'score',
			type: 'number',
			typeOptions: { minValue: 0, maxValue: 10 },
			required: true,
			default: null,
			description: 'Score from 0 to 10',
		},
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: [
				{
					displayName: 'Comment',
					name: 'comment',
					type: 'string',
					typeOptions: { rows: 4 },
					default: '',
				},
				{ ...status, default: 'OPEN' },
				{
					displayName: 'Tags',
					name: 'tags',
					type: 'fixedCollection',
					typeOptions: { multipleValues: true },
					placeholder: 'Add tag',
					default: {},
					options: [
						{
							displayName: 'Tag',
							name: 'tag',
							values: [
								{ ...tagCategory, displayName: 'Category', name: 'category' },
								{
									displayName: 'Name',
									name: 'name',
									type: 'string',
									default: '',
									placeholder: 'e.g. pricing',
								},
							],
						},
					],
				},
			],
		},
	],
	options: [
		assumedPath(
			PATH,
			'The API documentation shows no path and no parameter names for creating feedback. This path and the names score, email, campaign_id, status, comment and tags are assumed.',
		),
	],
	input: () => ({
		campaignId: campaignInput,
		email: id,
		score: needed(integerFrom(0, 10)),
		additionalFields: collection({
			comment: optionalText,
			status: optionalChoice(status),
			tags: entries('tag', z.object({ name: optionalId, category: choice(tagCategory) })),
		}),
		options: collection({ path: pathInput }),
	}),
	rowName: 'email',
	writes: true,
	outputSchema: simplifiedFeedbackRecord,
	simplify: simplifyFeedback,

	// Two at once could create a new contact twice.
	serializeBy: ({ email }) => normalizeEmail(email),
	resolve: async (input, run) => ({
		...input,
		campaignId: await campaignById(run, input.campaignId),
	}),
	request: ({ campaignId, email, score, additionalFields, options }) =>
		post('notIdempotent', options.path ?? PATH, {
			score,
			email,
			campaign_id: numberOf(campaignId.value),
			status: additionalFields.status,
			comment: additionalFields.comment,
			tags: tagsOf(additionalFields.tags),
		}),
	responseSchema: anyObject,
	output: feedbackFromAnswer,
});

/** Tags that have a name; undefined where none has. */
function tagsOf<Tag extends { name?: string }>(rows: Tag[]): Tag[] | undefined {
	const tags = rows.filter(({ name }) => name !== undefined);
	return tags.length > 0 ? tags : undefined;
}
