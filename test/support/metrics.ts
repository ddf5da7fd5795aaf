/** The numbers of a campaign's metrics, as the contract lists them (Survey B, Campaign metrics). */
export const METRIC_NUMBERS = [
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
