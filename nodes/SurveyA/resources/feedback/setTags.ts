import { each } from '../../../shared/operations/each';
import type { Operation } from '../../../shared/operations/operationSpec';
import { list } from '../../../shared/fields/fields';
import { post } from '../../../shared/http/request';
import { record, string, strings } from '../../../shared/records';
import { envelope } from '../../records/responses';
import { effectOf, feedbackId, mode, opOf, removeAll, requireSome } from '../../parameters/fields';

const tags = list({
	displayName: 'Tags',
	placeholder: 'e.g. pricing, churn risk',
	description: 'Tags separated by commas, or an array of tags from an expression',
});

type Texts = Pick<Operation, 'name' | 'action' | 'description'> & { notice?: string };

/** Returns the operation for one of the endpoints that take tags. */
export function settingTags(path: string, texts: Texts) {
	return each({
		...texts,
		fields: { feedbackId, mode, tags },
		options: { removeAll: removeAll('tags') },
		check: ({ mode, tags, options }) => requireSome('Tags', tags, mode, options.removeAll),
		writes: true,
		outputSchema: record({ feedbackId: string, mode: string, tags: strings }),

		serializeBy: ({ feedbackId }) => feedbackId,
		request: ({ feedbackId, mode, tags = [] }) =>
			post(effectOf(mode), path, { id: feedbackId, tags, op: opOf(mode) }),
		responseSchema: envelope,
		output: (_, { feedbackId, mode, tags = [] }) => ({ feedbackId, mode, tags }),
	});
}

/** `POST /api/v2/response/tags`. */
export const setTags = settingTags('/api/v2/response/tags', {
	name: 'Set Tags',
	action: 'Set tags of feedback',
	description:
		'Add tags to a feedback response, or replace its tags. Returns the feedback ID and the tags.',
});
