import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { wholeNumber } from '../../shared/http/json';
import { simplifyTo } from '../../shared/operations/simplify';
import { number, rate, text } from './scalars';

/** Contract: Campaign metrics. */
export const campaignMetricsRecord = () =>
	z.looseObject({
		href: text(),
		nps: number(),
		campaign_name: text(),
		promoter_percentage: number(),
		passive_percentage: number(),
		detractor_percentage: number(),
		score_analysis: text(),
		feedback_count: number(),
		surveys_delivered_count: number(),
		surveys_scheduled_count: number(),
		followup_count: number(),
		followups_outstanding: number(),
		followup_rate_percentage: rate(),
		feedback_rate_percentage: rate(),
		average_revenue_per_customer: number(),
		short_term_revenue_at_risk: number(),
		long_term_revenue_at_risk: number(),
		potential_new_revenue: number(),
	});

/** The fields of a campaign's metrics that hold numbers. */
const NUMBERS = [
	'nps',
	'promoter_percentage',
	'passive_percentage',
	'detractor_percentage',
	'feedback_count',
	'surveys_delivered_count',
	'surveys_scheduled_count',
	'followup_count',
	'followups_outstanding',
	'followup_rate_percentage',
	'feedback_rate_percentage',
	'average_revenue_per_customer',
	'short_term_revenue_at_risk',
	'long_term_revenue_at_risk',
	'potential_new_revenue',
];

/**
 * Gives a campaign's metrics with numbers as numbers, under the contract's names: older answers
 * write `"50.0"`, and call the campaign `campaign`, a name that stays beside the contract's.
 */
export function metricFromAnswer(answer: IDataObject): IDataObject {
	const metric = { ...answer };
	if (answer.campaign !== undefined) metric.campaign_name ??= answer.campaign;
	for (const name of NUMBERS) if (name in metric) metric[name] = numberIn(metric[name]);
	return metric;
}

/** The ID of the campaign that metrics are of, which they carry at the end of their `href` only. */
export function campaignIdOf({ campaign_id, href }: IDataObject): number | undefined {
	const [, idInHref] = String(href ?? '').match(/\/(\d+)\/?$/) ?? [];
	return wholeNumber(campaign_id ?? idInHref);
}

function numberIn(value: IDataObject[string]): IDataObject[string] {
	const isNumber = typeof value === 'string' && /^-?\d+(\.\d+)?\s?%?$/.test(value.trim());
	return isNumber ? Number.parseFloat(value) : value;
}

/** Metrics made short. */
export const simplifiedMetricsRecord = () =>
	z.object({
		href: z.string(),
		campaign_name: z.string(),
		nps: z.number(),
		score_analysis: z.string(),
		promoter_percentage: z.number(),
		passive_percentage: z.number(),
		detractor_percentage: z.number(),
		feedback_count: z.number(),
		surveys_delivered_count: z.number(),
		feedback_rate_percentage: z.number(),
	});

/** Makes metrics short, as `simplifiedMetricsRecord` shows them. */
export const simplifyMetrics = simplifyTo(simplifiedMetricsRecord);
