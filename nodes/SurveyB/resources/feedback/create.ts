import { each } from '../../../shared/operations/each';
import { collection, id, integer, rows, text } from '../../../shared/fields/fields';
import { normalizeEmail } from '../../../shared/fields/emails';
import { objectWith } from '../../../shared/http/json';
import { post } from '../../../shared/http/request';
import { campaignById } from '../../campaigns';
import {
	assumedPath,
	campaignId,
	category,
	email,
	numericId,
	optionalStatus,
} from '../../parameters/fields';
import { feedbackFromResponse, feedback } from '../../records/feedback';

const PATH = '/api/v2/feedback/';

/** `POST /api/v2/feedback/`. The contract shows neither method, path nor parameter names: they are assumed. */
export const create = each({
	name: 'Create',
	action: 'Create feedback',
	description:
		'Create a feedback response, and its contact if there is none yet. Returns the feedback response.',
	notice: `The API documentation shows no method, path or parameter names for creating feedback. POST ${PATH} with score, email, campaign_id, status, comment and tags is assumed; Options → Path changes the path.`,
	fields: {
		campaignId,
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
			status: optionalStatus,
			tags: rows({ displayName: 'Tags', key: 'tag' }, 'Tag', {
				category,
				name: id({ displayName: 'Name', placeholder: 'e.g. pricing' }),
			}),
		}),
	},
	options: { path: assumedPath(PATH, 'Path to use in place of the assumed one') },
	rowName: 'email',
	writes: true,
	record: feedback,

	// Two requests at once could create a new contact twice.
	serializeBy: ({ email }) => normalizeEmail(email),
	resolve: async (input, run) => ({
		...input,
		campaignId: await campaignById(run, input.campaignId),
	}),
	request: ({ campaignId, email, score, additionalFields, options }) =>
		post('notIdempotent', options.path ?? PATH, {
			score,
			email,
			campaign_id: numericId(campaignId.value),
			status: additionalFields.status,
			comment: additionalFields.comment,
			tags: named(additionalFields.tags),
		}),
	responseSchema: objectWith('id'),
	output: feedbackFromResponse,
});

function named<Tag extends { name?: string }>(rows: Tag[] = []): Tag[] | undefined {
	const tags = rows.filter(({ name }) => name !== undefined);
	return tags.length > 0 ? tags : undefined;
}
