import { ok } from '../core/apiResponse';
import { percent, rate } from '../core/rating';
import type { Call, Handlers } from '../core/routes';
import { periodOf, within, type Period } from './filters';
import { otherPageResponse } from './pages';
import { notFound } from './refusals';
import type { CampaignOfB, ContextB } from './state';

const WINDOW_MS = 30 * 24 * 60 * 60 * 1000;
const REVENUE = 100;

function analysis(nps: number): 'AT RISK' | 'GOOD' | 'EXCELLENT' | 'WORLD CLASS' {
	if (nps < 0) return 'AT RISK';
	if (nps < 50) return 'GOOD';
	return nps < 75 ? 'EXCELLENT' : 'WORLD CLASS';
}

const slug = (name: string) => name.toLowerCase().replace(/\W+/g, '-');

/** Computes the metrics of a campaign. */
export function campaignMetrics(
	{ state, settings, url }: ContextB,
	{ record }: CampaignOfB,
	posted: Period = {},
) {
	const feedback = state.feedback.filter(
		({ campaign, created }) => campaign.id === record.id && within(posted, created),
	);
	const surveys = state.surveys.filter(
		({ campaignId, sent_date }) => campaignId === record.id && within(posted, sent_date),
	);
	const scores = feedback.map(({ score }) => score);
	const { promoters, passives, detractors, total, score: nps } = rate(scores);
	const followed = feedback.filter(({ id }) => state.followups.has(id)).length;
	return {
		href: `${url}/api/v2/metrics/${settings.metricsLink === 'id' ? record.id : slug(record.name)}/`,
		nps,
		campaign_name: record.name,
		promoter_percentage: percent(promoters, total),
		passive_percentage: percent(passives, total),
		detractor_percentage: percent(detractors, total),
		score_analysis: analysis(nps),
		feedback_count: total,
		surveys_delivered_count: surveys.length,
		surveys_scheduled_count: 0,
		followup_count: followed,
		followups_outstanding: total - followed,
		followup_rate_percentage: percent(followed, total),
		feedback_rate_percentage: percent(total, Math.max(total, surveys.length)),
		average_revenue_per_customer: REVENUE,
		short_term_revenue_at_risk: detractors * REVENUE,
		long_term_revenue_at_risk: (detractors + passives) * REVENUE,
		potential_new_revenue: promoters * REVENUE,
	};
}

export type CampaignMetrics = ReturnType<typeof campaignMetrics>;

/** Converts metrics to the form of older servers. */
function olderMetrics({ campaign_name, ...metrics }: CampaignMetrics): Record<string, unknown> {
	const texts = Object.entries(metrics).map(([name, value]) => [
		name,
		typeof value === 'number' ? value.toFixed(1) : value,
	]);
	return { ...Object.fromEntries(texts), campaign: campaign_name };
}

/** Returns metrics with their rates in the form that the settings say. */
function withRates({ settings: { rates } }: ContextB, metrics: CampaignMetrics): object {
	if (rates === 'number') return metrics;
	const inForm = (rate: number) => rate.toFixed(1) + (rates === 'percent' ? '%' : '');
	return {
		...metrics,
		followup_rate_percentage: inForm(metrics.followup_rate_percentage),
		feedback_rate_percentage: inForm(metrics.feedback_rate_percentage),
	};
}

function metricsOf(context: ContextB, call: Call, campaigns: CampaignOfB[]): object[] {
	const { from = Date.now() - WINDOW_MS, until } = periodOf(context, call);
	const metrics = campaigns.map((campaign) => campaignMetrics(context, campaign, { from, until }));
	if (context.settings.olderMetrics) return metrics.map(olderMetrics);
	return metrics.map((one) => withRates(context, one));
}

export const metricsRoutes: Handlers<ContextB> = {
	'GET /api/v2/metrics/': (context, call) => {
		const permitted = context.state.campaigns.filter((campaign) => campaign.permitted);
		return otherPageResponse(context, call, metricsOf(context, call, permitted));
	},

	/** Assumed: the contract does not show the path. */
	'GET /api/v2/metrics/{id}/': (context, call) => {
		const { id } = call.params;
		const found = context.state.campaigns.filter(
			({ record, permitted }) => permitted && String(record.id) === id,
		);
		const [metrics] = metricsOf(context, call, found);
		if (!metrics) throw notFound();
		return ok(metrics);
	},
};
