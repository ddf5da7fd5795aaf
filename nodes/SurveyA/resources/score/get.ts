import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';

import { choice } from '../../../shared/parameters/choices';
import { each } from '../../../shared/operations/each';
import { anyObject } from '../../../shared/http/json';
import { get as read, path } from '../../../shared/http/request';
import { scoreRecord } from '../../records/score';

const metric: INodeProperties = {
	displayName: 'Metric',
	name: 'metric',
	type: 'options',
	options: [
		{ name: 'CES', value: 'ces', description: 'Customer Effort Score' },
		{ name: 'CSAT', value: 'csat', description: 'Customer Satisfaction' },
		{ name: 'NPS', value: 'nps', description: 'Net Promoter Score' },
		{ name: 'Stars', value: 'star', description: 'Star rating' },
	],
	default: 'nps',
};

/** `GET /api/v2/{metric}/score`: the headline stands under the metric's name, or under `score`. */
export const get = each({
	name: 'Get',
	action: 'Get score',
	description: 'Get the latest score of a metric for the whole account, with shares and counts',
	fields: [metric],
	input: () => ({ metric: choice(metric) }),
	outputSchema: () => scoreRecord().extend({ metric: z.string() }),

	request: ({ metric }) => read(path`/api/v2/${metric}/score`),
	responseSchema: z.object({ data: anyObject }),
	output: ({ data }, { metric }) => ({
		metric,
		...data,
		score: data[metric] ?? data.score ?? null,
	}),
});
