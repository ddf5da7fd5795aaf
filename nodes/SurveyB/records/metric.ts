import type { IDataObject } from 'n8n-workflow';

import { wholeNumber } from '../../shared/base/json';
import { fields, numeric, numericOrString, record, string, unchanged } from '../../shared/records';
import type { RecordForms } from '../../shared/records';

/** Returns the ID of the campaign that metrics are of: in the contract, only the end of their `href` has it. */
export function campaignIdOf({ campaign_id, href }: IDataObject): number | undefined {
	const idInHref = String(href).match(/\/(\d+)\/?$/)?.[1];
	return wholeNumber(campaign_id ?? idInHref);
}

/** Contract: Campaign metrics. Older responses call the campaign's name `campaign`. */
export const metrics: RecordForms = {
	raw: record({
		href: string,
		nps: numeric,
		campaign_name: string,
		...fields(numeric, 'promoter_percentage', 'passive_percentage', 'detractor_percentage'),
		score_analysis: string,
		...fields(numeric, 'feedback_count', 'surveys_delivered_count', 'surveys_scheduled_count'),
		...fields(numeric, 'followup_count', 'followups_outstanding'),
		followup_rate_percentage: numericOrString,
		feedback_rate_percentage: numericOrString,
		...fields(numeric, 'average_revenue_per_customer', 'short_term_revenue_at_risk'),
		...fields(numeric, 'long_term_revenue_at_risk', 'potential_new_revenue'),
	}),
	simplified: {
		href: 'href',
		campaign_name: ({ campaign_name, campaign }) => campaign_name ?? campaign,
		...unchanged('nps', 'score_analysis', 'promoter_percentage', 'passive_percentage'),
		...unchanged('detractor_percentage', 'feedback_count', 'surveys_delivered_count'),
		...unchanged('feedback_rate_percentage'),
	},
};
