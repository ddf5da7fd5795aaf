import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { isObject } from '../../shared/http/json';
import { simplifyTo } from '../../shared/operations/simplify';
import { flag, number, text } from './scalars';

/** Contract: Report, `trend`. */
export const trendDayRecord = z
	.object({
		day: text,
		promoters: number,
		passives: number,
		detractors: number,
		total: number,
		ratingDistribution: z.record(z.number()).nullish(),
		score: number,
	})
	.passthrough();

/** Contract: Report, `questionsStats`, each of `last` and `first`. */
export const questionDayRecord = z
	.object({
		day: text,
		promoters: number,
		passives: number,
		detractors: number,
		responded: number,
		opened: number,
		skipped: number,
		total: number,
		scoreSum: number,
		score: number,
	})
	.passthrough();

/** Contract: Report, `questionsStats`. */
export const questionStatsRecord = z
	.object({
		uuid: text,
		title: text,
		isStarred: flag,
		position: number,
		isOnMain: flag,
		metricsType: text,
		stats: z
			.object({ last: questionDayRecord.nullish(), first: questionDayRecord.nullish() })
			.passthrough()
			.nullish(),
	})
	.passthrough();

/** Contract: Report (items of `data` in GET reports). `score` holds the delivery channel in its example. */
export const reportRecord = z
	.object({
		campaignId: z.string(),
		trend: z.array(trendDayRecord).nullish(),
		last: z
			.object({
				promoters: number,
				passives: number,
				detractors: number,
				total: number,
				score: number,
			})
			.passthrough()
			.nullish(),
		deliveryStats: z
			.object({
				totalCount: number,
				opened: number,
				responded: number,
				optedOut: number,
				isBounced: number,
			})
			.passthrough()
			.nullish(),
		questionsStats: z.array(questionStatsRecord).nullish(),
		name: text,
		isActive: flag,
		metric: text,
		type: text,
		score: z.union([z.string(), z.number()]).nullish(),
	})
	.passthrough();

const { campaignId, name, metric, isActive } = reportRecord.shape;
const figure = z.number().nullable();

/** A report made short: its newest figures. */
export const simplifiedReportRecord = z.object({
	campaignId,
	name,
	metric,
	isActive,
	score: figure,
	promoters: figure,
	passives: figure,
	detractors: figure,
	total: figure,
	responded: figure,
});

const shorten = simplifyTo(simplifiedReportRecord);

/** Makes a report short. Its score is the newest one: the report's own `score` holds its channel. */
export function simplifyReport(report: IDataObject): IDataObject {
	const last = isObject(report.last) ? report.last : {};
	const delivery = isObject(report.deliveryStats) ? report.deliveryStats : {};
	return shorten({ ...report, ...last, score: last.score, responded: delivery.responded });
}
