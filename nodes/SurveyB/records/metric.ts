import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { wholeNumber } from '../../shared/http/json';
import type { RecordForms } from '../../shared/recordForms';
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

/** Repairs the types of a campaign's metrics: older responses write numbers as text. Names stay the service's own. */
export function metricFromAnswer(response: IDataObject): IDataObject {
	const metric = { ...response };
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

/** A campaign's metrics in their forms. Older responses call the campaign's name `campaign`. */
export const metrics: RecordForms = {
	raw: campaignMetricsRecord,
	rawFields: [
		'href',
		'nps',
		'campaign_name',
		'promoter_percentage',
		'passive_percentage',
		'detractor_percentage',
		'score_analysis',
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
	],
	simplified: {
		href: 'href',
		campaign_name: {
			from: 'campaign_name',
			schema: text,
			value: ({ campaign_name, campaign }) => campaign_name ?? campaign,
		},
		nps: 'nps',
		score_analysis: 'score_analysis',
		promoter_percentage: 'promoter_percentage',
		passive_percentage: 'passive_percentage',
		detractor_percentage: 'detractor_percentage',
		feedback_count: 'feedback_count',
		surveys_delivered_count: 'surveys_delivered_count',
		feedback_rate_percentage: 'feedback_rate_percentage',
	},
};
