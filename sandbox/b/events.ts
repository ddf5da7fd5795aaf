import type { CampaignMetrics } from './metrics';
import type { Feedback } from './records';
import type { ContextB } from './state';

/** The events of the contract. */
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

/** Returns feedback as events of the earlier revision contain it. */
function earlierData({ id, comment, created, score, ...rest }: Feedback): object {
	return {
		...{ id, comment, score },
		posted_date: created,
		campaign: rest.campaign.id,
		score_type: rest.score_type,
		contact: rest.contact,
		comment_updated_date: rest.comment_modified,
	};
}

function feedbackData({ settings }: ContextB, event: string, feedback: Feedback): object {
	if (settings.revision === 'earlier') return earlierData(feedback);
	const { href, survey, ...rest } = feedback;
	const surveyWithoutId = { attributes: survey.attributes, sent_date: survey.sent_date };
	const data = { ...rest, survey: settings.surveyIdInEvents ? survey : surveyWithoutId };
	return event === 'feedback.added_or_changed' ? data : { href, ...data };
}

/** Emits an event with the feedback. */
export function feedbackEvent(context: ContextB, event: string, feedback: Feedback): void {
	context.emit(event, feedbackData(context, event, feedback));
}

/** Emits metric.score_changed with the metrics and the `formatted_*` variants of revenues and counts. */
export function metricEvent(context: ContextB, metrics: CampaignMetrics): void {
	const formatted = Object.entries(metrics).flatMap(([name, value]) => {
		if (!/revenue|count$|outstanding/.test(name)) return [];
		const sign = name.includes('revenue') ? '$' : '';
		return [[`formatted_${name}`, sign + value.toLocaleString('en-US')]];
	});
	context.emit('metric.score_changed', { ...metrics, ...Object.fromEntries(formatted) });
}
