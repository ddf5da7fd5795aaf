import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';

import { optionalChoice } from '../../../shared/parameters/choices';
import { each } from '../../../shared/operations/each';
import { entries, id } from '../../../shared/parameters/schemas';
import { post } from '../../../shared/http/request';
import { envelope } from '../../records/answers';
import { effectOf, feedbackId, mode, modeInput, opOf } from '../../parameters/feedback';
import { topicRecord } from '../../records/feedback';

const sentiment: INodeProperties = {
	displayName: 'Sentiment',
	name: 'sentiment',
	type: 'options',
	options: [
		{ name: 'Negative', value: 'negative' },
		{ name: 'Neutral', value: 'neutral' },
		{ name: 'Positive', value: 'positive' },
	],
	default: 'neutral',
};

/** `POST /api/v2/response/topics`: a topic without a sentiment counts as neutral. */
export const setTopics = each({
	name: 'Set Topics',
	action: 'Set topics of feedback',
	description:
		'Replace the topics of a feedback response, or add to them. Returns the feedback ID and the topics.',
	fields: [
		feedbackId,
		mode,
		{
			displayName: 'Topics',
			name: 'topics',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add topic',
			default: {},
			description: 'Topics to set. With Replace and no topics, all topics are removed.',
			options: [
				{
					displayName: 'Topic',
					name: 'topic',
					values: [
						{
							displayName: 'Name',
							name: 'name',
							type: 'string',
							default: '',
							placeholder: 'e.g. Pricing',
						},
						sentiment,
					],
				},
			],
		},
	],
	input: () => ({
		feedbackId: id,
		mode: modeInput,
		topics: entries('topic', z.object({ name: id, sentiment: optionalChoice(sentiment) })),
	}),
	writes: true,
	outputSchema: () =>
		z.object({
			feedbackId: z.string(),
			mode: z.string(),
			topics: z.array(topicRecord()),
		}),

	serializeBy: ({ feedbackId }) => feedbackId,
	request: ({ feedbackId, mode, topics }) =>
		post(effectOf(mode), '/api/v2/response/topics', { id: feedbackId, topics, op: opOf(mode) }),
	responseSchema: envelope,
	output: (_, { feedbackId, mode, topics }) => ({ feedbackId, mode, topics }),
});
