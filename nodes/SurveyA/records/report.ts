import { z } from 'zod/v4';

import type { RecordForms } from '../../shared/recordForms';
import { flag, number, text } from './scalars';

/** Contract: Report, `trend`. */
const trendDayRecord = () =>
	z.looseObject({
		day: text(),
		promoters: number(),
		passives: number(),
		detractors: number(),
		total: number(),
		ratingDistribution: z.record(z.string(), z.number()).nullish(),
		score: number(),
	});

/** Contract: Report, `questionsStats`, each of `last` and `first`. */
const questionDayRecord = () =>
	z.looseObject({
		day: text(),
		promoters: number(),
		passives: number(),
		detractors: number(),
		responded: number(),
		opened: number(),
		skipped: number(),
		total: number(),
		scoreSum: number(),
		score: number(),
	});

/** Contract: Report, `questionsStats`. */
const questionStatsRecord = () =>
	z.looseObject({
		uuid: text(),
		title: text(),
		isStarred: flag(),
		position: number(),
		isOnMain: flag(),
		metricsType: text(),
		stats: z
			.looseObject({ last: questionDayRecord().nullish(), first: questionDayRecord().nullish() })
			.nullish(),
	});

/** Contract: Report (items of `data` in GET reports). `score` holds the delivery channel in its example. */
const reportRecord = () =>
	z.looseObject({
		campaignId: z.string(),
		trend: z.array(trendDayRecord()).nullish(),
		last: z
			.looseObject({
				promoters: number(),
				passives: number(),
				detractors: number(),
				total: number(),
				score: number(),
			})
			.nullish(),
		deliveryStats: z
			.looseObject({
				totalCount: number(),
				opened: number(),
				responded: number(),
				optedOut: number(),
				isBounced: number(),
			})
			.nullish(),
		questionsStats: z.array(questionStatsRecord()).nullish(),
		name: text(),
		isActive: flag(),
		metric: text(),
		type: text(),
		score: z.union([z.string(), z.number()]).nullish(),
	});

/** A report in its forms. The counts are those of the newest day; the raw `score` may hold the delivery channel. */
export const report: RecordForms = {
	raw: reportRecord,
	rawFields: [
		'campaignId',
		'trend',
		'last',
		'deliveryStats',
		'questionsStats',
		'name',
		'isActive',
		'metric',
		'type',
		'score',
	],
	simplified: {
		campaignId: 'campaignId',
		name: 'name',
		metric: 'metric',
		isActive: 'isActive',
		latestScore: 'last.score',
		promoters: 'last.promoters',
		passives: 'last.passives',
		detractors: 'last.detractors',
		total: 'last.total',
		responded: 'deliveryStats.responded',
	},
};
