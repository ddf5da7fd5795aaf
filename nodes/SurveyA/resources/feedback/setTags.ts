import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';

import { each } from '../../../shared/operations/each';
import { id, neededList, stringList } from '../../../shared/parameters/schemas';
import { currentRules } from '../../../shared/parameters/rules';
import { issueOf, Unusable } from '../../../shared/parameters/values';
import type { Operation } from '../../../shared/operations/operation';
import { post } from '../../../shared/http/request';
import { envelope } from '../../records/answers';
import { effectOf, feedbackId, mode, modeInput, opOf } from '../../parameters/feedback';

const tags: INodeProperties = {
	displayName: 'Tags',
	name: 'tags',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. pricing, churn risk',
	description:
		'Tags separated by commas, or an array of tags from an expression. With Replace, an empty array removes all tags.',
};

const FORGOTTEN = new Unusable('is missing', 'To remove all tags, use an empty array');

type Texts = Pick<Operation, 'name' | 'action' | 'description' | 'fields'>;

/**
 * `POST` to `path`: what both forms of the endpoint take and do.
 *
 * @param required false where the endpoint takes a body without tags. With Replace it may remove all of
 *   them by that, so that only a field that is left empty sends one, and no expression without a value
 */
export function settingTags(path: string, texts: Texts, required = true) {
	// Empty text is a forgotten value; an empty array is meant.
	const tagsInput = required ? neededList : stringList;
	return each({
		...texts,
		fields: [...texts.fields, feedbackId, mode, { ...tags, required: required || undefined }],
		input: () => ({ feedbackId: id, mode: modeInput, tags: tagsInput }),
		refine({ mode, tags }, context) {
			if (tags !== undefined || mode === 'append' || !currentRules().isExpression?.('tags')) return;
			context.addIssue({ ...issueOf(FORGOTTEN), path: ['tags'] });
		},
		writes: true,
		outputSchema: () =>
			z.object({ feedbackId: z.string(), mode: z.string(), tags: z.array(z.string()) }),

		serializeBy: ({ feedbackId }) => feedbackId,
		request: ({ feedbackId, mode, tags }) =>
			post(effectOf(mode), path, { id: feedbackId, tags, op: opOf(mode) }),
		responseSchema: envelope,
		output: (_, { feedbackId, mode, tags }) => ({ feedbackId, mode, tags }),
	});
}

/** `POST /api/v2/response/tags`. */
export const setTags = settingTags('/api/v2/response/tags', {
	name: 'Set Tags',
	action: 'Set tags of feedback',
	description:
		'Replace the tags of a feedback response, or add to them. Returns the feedback ID and the tags.',
	fields: [],
});
