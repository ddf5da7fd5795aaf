import { z } from 'zod/v4';

import { isObject } from '../../shared/base/json';
import { choice } from '../../shared/fields/kinds';
import { get, path } from '../../shared/http/request';
import type { Resource } from '../../shared/operations/operation';
import { single } from '../../shared/operations/write';
import { fields, numeric, record, string } from '../../shared/records';

const metric = choice({
	displayName: 'Metric',
	required: true,
	options: [
		{ name: 'CES', value: 'ces', description: 'Customer Effort Score' },
		{ name: 'CSAT', value: 'csat', description: 'Customer Satisfaction' },
		{ name: 'NPS', value: 'nps', description: 'Net Promoter Score' },
		{ name: 'Stars', value: 'star', description: 'Star rating' },
	],
	default: 'nps',
});

export const scoreResource: Resource = {
	/**
	 * `GET /api/v2/{metric}/score`, without the empty object as body: n8n sends no body with GET. The headline is under the
	 * metric's name, or under `score`.
	 */
	get: single({
		action: 'Get score',
		description: 'Get the latest score of a metric',
		details:
			'score is that of the metric, and may be 0 without answers; Survey A decides of which period. Promoters, passives and detractors are percentages. NPS goes from -100 to 100; other scales are not documented',
		fields: { metric },
		outputSchema: record({
			metric: string,
			...fields(numeric, 'score', 'promoters', 'passives', 'detractors'),
			...fields(numeric, 'promotersCount', 'passivesCount', 'detractorsCount'),
			ratingDistribution: () => z.record(z.string(), z.number()).nullish(),
			totalResponses: numeric,
		}),

		request: ({ metric }) => get(path`/api/v2/${metric}/score`),
		readBody: (body) => (isObject(body) && isObject(body.data) ? body.data : undefined),
		output(data, { metric }) {
			const { [metric]: headline, ...others } = data;
			const score = headline ?? data[metric.toUpperCase()] ?? data.score ?? null;
			return { metric, ...others, score };
		},
	}),
};
