import { each } from '../../../shared/operations/each';
import { objectWith } from '../../../shared/http/json';
import { locator } from '../../../shared/fields/fields';
import { path, post } from '../../../shared/http/request';
import { record, string } from '../../../shared/records';
import { feedbackId, tagCategory } from '../../parameters/fields';

/** `POST /api/v2/feedback/{feedback_id}/tag/`: one tag a request. */
export const addTag = each({
	name: 'Add Tag',
	action: 'Add tag to feedback',
	description: 'Add a tag to a feedback response. Returns the tag.',
	fields: {
		feedbackId,
		tagName: locator({
			displayName: 'Tag Name',
			required: true,
			search: 'searchTags',
			by: [{ displayName: 'By Name', name: 'name', placeholder: 'e.g. pricing' }],
			description: 'A feedback response cannot have two tags with the same name',
		}),
		tagCategory,
	},
	writes: true,
	outputSchema: record({ feedbackId: string, name: string, category: string }),

	serializeBy: ({ feedbackId }) => feedbackId,
	request: ({ feedbackId, tagName, tagCategory }) =>
		post('notIdempotent', path`/api/v2/feedback/${feedbackId}/tag/`, {
			name: tagName,
			category: tagCategory,
		}),
	responseSchema: objectWith('name'),
	output: (tag, { feedbackId }) => ({ feedbackId, ...tag }),
});
