import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { isObject } from '../shared/json';
import { shortenTo } from '../shared/short';
import { reportRecord } from './records';

const { campaignId, name, metric, isActive } = reportRecord.shape;
const number = z.number().nullable();

/** A report made short: its newest figures. */
export const shortReportRecord = z.object({
	campaignId,
	name,
	metric,
	isActive,
	score: number,
	promoters: number,
	passives: number,
	detractors: number,
	total: number,
	responded: number,
});

const shorten = shortenTo(shortReportRecord);

/** Makes a report short. Its score is the newest one: the report's own `score` holds its channel. */
export function shortReport(report: IDataObject): IDataObject {
	const last = isObject(report.last) ? report.last : {};
	const delivery = isObject(report.deliveryStats) ? report.deliveryStats : {};
	return shorten({ ...report, ...last, score: last.score, responded: delivery.responded });
}
