import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { isObject } from '../../shared/http/json';
import { simplifyTo } from '../../shared/operations/simplify';
import { flag, number, text } from './scalars';

/** Contract: Report, `trend`. */
export const trendDayRecord = () =>
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
export const questionDayRecord = () =>
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
export const questionStatsRecord = () =>
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
export const reportRecord = () =>
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

/** A report made short: its newest figures. */
export const simplifiedReportRecord = () =>
	reportRecord()
		.pick({ campaignId: true, name: true, metric: true, isActive: true })
		.extend({
			score: number(),
			promoters: number(),
			passives: number(),
			detractors: number(),
			total: number(),
			responded: number(),
		})
		.strip();

const shorten = simplifyTo(simplifiedReportRecord);

/** Makes a report short. Its score is the newest one: the report's own `score` holds its channel. */
export function simplifyReport(report: IDataObject): IDataObject {
	const last = isObject(report.last) ? report.last : {};
	const delivery = isObject(report.deliveryStats) ? report.deliveryStats : {};
	return shorten({ ...report, ...last, score: last.score, responded: delivery.responded });
}
