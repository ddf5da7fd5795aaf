import { each } from '../../../shared/operations/each';
import { id, openChoice, rows } from '../../../shared/fields/fields';
import { post } from '../../../shared/http/request';
import { listOf, record, string } from '../../../shared/records';
import { envelope } from '../../records/responses';
import { topicRecord } from '../../records/feedback';
import { effectOf, feedbackId, mode, opOf, removeAll, requireSome } from '../../parameters/fields';

const topics = rows(
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
			options: [
				{ name: 'Negative', value: 'negative' },
				{ name: 'Neutral', value: 'neutral' },
				{ name: 'Positive', value: 'positive' },
			],
			default: 'neutral',
		}),
	},
);

/** `POST /api/v2/response/topics`. */
export const setTopics = each({
	name: 'Set Topics',
	action: 'Set topics of feedback',
	description:
		'Add topics to a feedback response, or replace its topics. Returns the feedback ID and the topics.',
	fields: { feedbackId, mode, topics },
	options: { removeAll: removeAll('topics') },
	check: ({ mode, topics, options }) => requireSome('Topics', topics, mode, options.removeAll),
	writes: true,
	outputSchema: record({ feedbackId: string, mode: string, topics: listOf(topicRecord) }),

	serializeBy: ({ feedbackId }) => feedbackId,
	request: ({ feedbackId, mode, topics }) =>
		post(effectOf(mode), '/api/v2/response/topics', { id: feedbackId, topics, op: opOf(mode) }),
	responseSchema: envelope,
	output: (_, { feedbackId, mode, topics }) => ({ feedbackId, mode, topics }),
});
