import type { CampaignMetrics, EarlierFeedback, Feedback } from './records';
import type { ContextB } from './state';

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

/** Converts feedback to the form of the earlier webhook revision. */
function earlierFeedback(feedback: Feedback): EarlierFeedback {
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

function feedbackData(context: ContextB, event: string, feedback: Feedback): object {
	if (context.settings.eventRevision === 'earlier') return earlierFeedback(feedback);
	const { href, survey, ...rest } = feedback;
	const surveyWithoutId = { attributes: survey.attributes, sent_date: survey.sent_date };
	const data = { ...rest, survey: context.settings.surveyIdInEvents ? survey : surveyWithoutId };
	return event === 'feedback.added_or_changed' ? data : { href, ...data };
}

/** Emits an event with the feedback as it is at the time of delivery. */
export function feedbackEvent(context: ContextB, event: string, feedback: Feedback): void {
	context.emit(event, () => feedbackData(context, event, feedback));
}

const money = (amount: unknown): string => `$${Number(amount).toLocaleString('en-US')}`;

/** Emits metric.score_changed with the metrics and their `formatted_*` variants. */
export function metricEvent(context: ContextB, metrics: CampaignMetrics): void {
	context.emit('metric.score_changed', () => ({
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
