import type { Campaign, Feedback, OutboxSurvey } from './records';
import { ok, type ApiResponse } from '../core/apiResponse';
import { netPromoterScore, percent, rate } from '../core/rating';
import type { Call, Handlers } from '../core/routes';
import { refusal } from './refusals';
import type { StateA, ContextA } from './state';

function scoresOf(feedback: Feedback[]): number[] {
	return feedback.map(({ score }) => score);
}

function byDay(feedback: Feedback[]): Map<string, Feedback[]> {
	const days = new Map<string, Feedback[]>();
	for (const response of feedback) {
		const day = response.createdDate.slice(0, 10);
		days.set(day, [...(days.get(day) ?? []), response]);
	}
	return days;
}

function trendDay([day, feedback]: [string, Feedback[]]) {
	const rating = rate(scoresOf(feedback));
	return { day, ...rating, score: netPromoterScore(rating) };
}

function deliveryStats(outbox: OutboxSurvey[]) {
	const count = (flag: 'isOpened' | 'isResponded' | 'isOptedOut' | 'isBounced') =>
		outbox.filter(({ detailedStatus }) => detailedStatus[flag]).length;
	return {
		totalCount: outbox.length,
		opened: count('isOpened'),
		responded: count('isResponded'),
		optedOut: count('isOptedOut'),
		isBounced: count('isBounced'),
	};
}

function questionsStats(campaign: Campaign, feedback: Feedback[]) {
	const scores = scoresOf(feedback);
	const rating = rate(scores);
	const { promoters, passives, detractors, total } = rating;
	const day = {
		day: (feedback.at(-1)?.createdDate ?? '').slice(0, 10),
		promoters,
		passives,
		detractors,
		total,
		responded: scores.length,
		opened: scores.length,
		skipped: 0,
		scoreSum: scores.reduce((sum, score) => sum + score, 0),
		score: netPromoterScore(rating),
	};
	return [
		{
			uuid: `question-of-${campaign.id}`,
			title: 'How likely are you to recommend us?',
			isStarred: false,
			position: 0,
			isOnMain: true,
			metricsType: campaign.metric,
			stats: { last: day, first: day },
		},
	];
}

function report(state: StateA, campaign: Campaign) {
	const feedback = state.feedback.filter(({ campaignId }) => campaignId === campaign.id);
	const rating = rate(scoresOf(feedback));
	const { promoters, passives, detractors, total } = rating;
	return {
		campaignId: campaign.id,
		trend: [...byDay(feedback)].map(trendDay),
		last: { promoters, passives, detractors, total, score: netPromoterScore(rating) },
		deliveryStats: deliveryStats(
			state.outbox.filter(({ campaignId }) => campaignId === campaign.id),
		),
		questionsStats: questionsStats(campaign, feedback),
		name: campaign.name,
		isActive: campaign.isActive,
		metric: campaign.metric,
		type: campaign.type,
		score: campaign.channel,
	};
}

/** GET /api/v2/reports/ and GET /api/v2/reports/{id} */
function getReports({ state }: ContextA, { params }: Call): ApiResponse {
	const { id } = params;
	const campaigns = state.campaigns.filter((campaign) => id === undefined || campaign.id === id);
	const data = campaigns.map((campaign) => report(state, campaign));
	return ok({ code: 200, message: 'OK', data });
}

const METRICS = ['nps', 'star', 'csat', 'ces'] as const;

export const reportsRoutes: Handlers<ContextA> = {
	'GET /api/v2/reports/': getReports,
	'GET /api/v2/reports/{id}': getReports,
	'GET /api/v2/{metric}/score': ({ state, settings }, { params }) => {
		const metric = METRICS.find((name) => name === params.metric);
		if (!metric) throw refusal(404, 'Not Found');
		const asked = state.feedback.filter(({ metricsType }) => metricsType === metric.toUpperCase());
		const rating = rate(scoresOf(asked));
		const { promoters, passives, detractors, total, ratingDistribution } = rating;
		const data = {
			[settings.scoreHeadline === 'score' ? 'score' : metric]: netPromoterScore(rating),
			promoters: percent(promoters, total),
			passives: percent(passives, total),
			detractors: percent(detractors, total),
			promotersCount: promoters,
			passivesCount: passives,
			detractorsCount: detractors,
			ratingDistribution,
			totalResponses: total,
		};
		return ok({ message: 'OK', code: 200, data });
	},
};
