import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { simplifyTo } from '../../shared/operations/simplify';
import { postedFilters } from '../parameters/fields';

/** The days of which metrics tell. */
export const metricFilters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	description: 'Without dates the metrics are those of the last 30 days',
	options: postedFilters,
};

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
 * write `"50.0"`, and call the campaign `campaign`.
 */
export function metricFromAnswer(answer: IDataObject): IDataObject {
	const { campaign, ...metric } = answer;
	if (campaign !== undefined) metric.campaign_name ??= campaign;
	for (const name of NUMBERS) if (name in metric) metric[name] = numberIn(metric[name]);
	return metric;
}

function numberIn(value: IDataObject[string]): IDataObject[string] {
	const isNumber = typeof value === 'string' && /^-?\d+(\.\d+)?\s?%?$/.test(value.trim());
	return isNumber ? Number.parseFloat(value) : value;
}

/** Metrics made short. */
export const simpleMetricRecord = z.object({
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

/** Makes metrics short, as `simpleMetricRecord` shows them. */
export const simpleMetric = simplifyTo(simpleMetricRecord);
