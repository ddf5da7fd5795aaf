import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { isObject } from '../../shared/http/json';
import { simplifyTo } from '../../shared/operations/simplify';
import { reportRecord } from './all';

const { campaignId, name, metric, isActive } = reportRecord.shape;
const number = z.number().nullable();

/** A report made short: its newest figures. */
export const simplifiedReportRecord = z.object({
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

const shorten = simplifyTo(simplifiedReportRecord);

/** Makes a report short. Its score is the newest one: the report's own `score` holds its channel. */
export function simplifyReport(report: IDataObject): IDataObject {
	const last = isObject(report.last) ? report.last : {};
	const delivery = isObject(report.deliveryStats) ? report.deliveryStats : {};
	return shorten({ ...report, ...last, score: last.score, responded: delivery.responded });
}
