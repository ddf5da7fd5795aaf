import { z } from 'zod/v4';

import {
	boolean,
	fields,
	listOf,
	numeric,
	numericOrString,
	optional,
	record,
	string,
	unchanged,
} from '../../shared/records';
import type { RecordForms } from '../../shared/records';

const counts = { promoters: numeric, passives: numeric, detractors: numeric };

/** Contract: Report, `questionsStats`, each of `last` and `first`. */
const questionDay = {
	day: string,
	...counts,
	...fields(numeric, 'responded', 'opened', 'skipped', 'total', 'scoreSum', 'score'),
};

/**
 * Contract: Report (items of `data` in GET reports). `score` holds the delivery channel in its example.
 * The simplified counts are those of the newest day. `latestScore` is not `score`, which may hold the delivery channel.
 */
export const report: RecordForms = {
	raw: record({
		campaignId: z.string,
		trend: listOf(
			record({
				day: string,
				...counts,
				total: numeric,
				ratingDistribution: () => z.record(z.string(), z.number()).nullish(),
				score: numeric,
			}),
		),
		last: optional({ ...counts, total: numeric, score: numeric }),
		deliveryStats: optional({
			...fields(numeric, 'totalCount', 'opened', 'responded', 'optedOut', 'isBounced'),
		}),
		questionsStats: listOf(
			record({
				uuid: string,
				title: string,
				isStarred: boolean,
				position: numeric,
				isOnMain: boolean,
				metricsType: string,
				stats: optional({ last: optional(questionDay), first: optional(questionDay) }),
			}),
		),
		name: string,
		isActive: boolean,
		metric: string,
		type: string,
		score: numericOrString,
	}),
	simplified: {
		...unchanged('campaignId', 'name', 'metric', 'isActive'),
		latestScore: 'last.score',
		promoters: 'last.promoters',
		passives: 'last.passives',
		detractors: 'last.detractors',
		total: 'last.total',
		responded: 'deliveryStats.responded',
	},
};
