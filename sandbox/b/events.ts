import type { CampaignMetrics, EarlierFeedback, Feedback } from './records';
import type { WorldB } from './state';

/** The nine events of the contract. */
export const EVENTS = [
	'feedback.added_or_changed',
	'feedback.tags_added_or_changed',
	'feedback.status_changed',
	'feedback.removed',
	'metric.score_changed',
	'contact.unsubscribed',
	'tag.merged',
	'tag.removed',
	'tag.renamed',
];

/** Feedback as the earlier revision of the webhooks carried it. */
export function earlierFeedback(feedback: Feedback): EarlierFeedback {
	const { id, comment, created, score, campaign, score_type, contact, comment_modified } = feedback;
	return {
		id,
		comment,
		posted_date: created,
		score,
		campaign: campaign.id,
		score_type,
		contact,
		comment_updated_date: comment_modified,
	};
}

function feedbackData(world: WorldB, event: string, feedback: Feedback): object {
	if (world.settings.eventRevision === 'earlier') return earlierFeedback(feedback);
	if (event !== 'feedback.added_or_changed') return feedback;
	const data = { ...feedback };
	delete data.href;
	return data;
}

/** Sends an event about a feedback, as it is when the delivery is made. */
export function feedbackEvent(world: WorldB, event: string, feedback: Feedback): void {
	world.emit(event, () => feedbackData(world, event, feedback));
}

const money = (amount: unknown): string => `$${Number(amount).toLocaleString('en-US')}`;

/** Sends metric.score_changed: the metrics and their `formatted_*` variants. */
export function metricEvent(world: WorldB, metrics: CampaignMetrics): void {
	world.emit('metric.score_changed', () => ({
		...metrics,
		formatted_average_revenue_per_customer: money(metrics.average_revenue_per_customer),
		formatted_short_term_revenue_at_risk: money(metrics.short_term_revenue_at_risk),
		formatted_long_term_revenue_at_risk: money(metrics.long_term_revenue_at_risk),
		formatted_potential_new_revenue: money(metrics.potential_new_revenue),
		formatted_feedback_count: String(metrics.feedback_count),
		formatted_surveys_delivered_count: String(metrics.surveys_delivered_count),
		formatted_surveys_scheduled_count: String(metrics.surveys_scheduled_count),
		formatted_followup_count: String(metrics.followup_count),
		formatted_followups_outstanding: String(metrics.followups_outstanding),
	}));
}
