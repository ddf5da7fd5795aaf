import type { CampaignMetrics } from './metrics';
import type { Feedback } from './records';
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

function feedbackData({ settings }: ContextB, event: string, feedback: Feedback): object {
	const { href, survey, ...rest } = feedback;
	const surveyWithoutId = { attributes: survey.attributes, sent_date: survey.sent_date };
	const data = { ...rest, survey: settings.surveyIdInEvents ? survey : surveyWithoutId };
	return event === 'feedback.added_or_changed' ? data : { href, ...data };
}

/** Emits an event with the feedback. */
export function feedbackEvent(context: ContextB, event: string, feedback: Feedback): void {
	context.emit(event, feedbackData(context, event, feedback));
}

const MONEY = [
	'average_revenue_per_customer',
	'short_term_revenue_at_risk',
	'long_term_revenue_at_risk',
	'potential_new_revenue',
] as const;

const COUNTS = [
	'feedback_count',
	'surveys_delivered_count',
	'surveys_scheduled_count',
	'followup_count',
	'followups_outstanding',
] as const;

/** Emits metric.score_changed with the metrics and their `formatted_*` variants. */
export function metricEvent(context: ContextB, metrics: CampaignMetrics): void {
	const formatted = [
		...MONEY.map((name) => [name, `$${metrics[name].toLocaleString('en-US')}`]),
		...COUNTS.map((name) => [name, String(metrics[name])]),
	].map(([name, text]) => [`formatted_${name}`, text]);
	context.emit('metric.score_changed', { ...metrics, ...Object.fromEntries(formatted) });
}
