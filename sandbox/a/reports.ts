import type { Campaign, Feedback, OutboxSurvey } from './records';
import { ok, type ApiResponse } from '../core/apiResponse';
import { distribution, percent, rate } from '../core/rating';
import type { Call, Handlers } from '../core/routes';
import { refusal } from './refusals';
import type { StateA, ContextA } from './state';

const scoresOf = (feedback: Feedback[]) => feedback.map(({ score }) => score);
const dayOf = ({ createdDate }: Feedback) => createdDate.slice(0, 10);

function trend(feedback: Feedback[]) {
	return [...new Set(feedback.map(dayOf))].map((day) => {
		const scores = scoresOf(feedback.filter((one) => dayOf(one) === day));
		return { day, ...rate(scores), ratingDistribution: distribution(scores) };
	});
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

function questionsStats({ id, metric }: Campaign, feedback: Feedback[]) {
	const scores = scoresOf(feedback);
	const [last] = feedback.slice(-1);
	const day = {
		day: last ? dayOf(last) : '',
		...rate(scores),
		responded: scores.length,
		opened: scores.length,
		skipped: 0,
		scoreSum: scores.reduce((sum, score) => sum + score, 0),
	};
	return [
		{
			uuid: `question-of-${id}`,
			title: 'How likely are you to recommend us?',
			isStarred: false,
			position: 0,
			isOnMain: true,
			metricsType: metric,
			stats: { last: day, first: day },
		},
	];
}

function report(state: StateA, campaign: Campaign) {
	const ofCampaign = ({ campaignId }: { campaignId: string }) => campaignId === campaign.id;
	const feedback = state.feedback.filter(ofCampaign);
	const { name, isActive, metric, type, channel } = campaign;
	return {
		campaignId: campaign.id,
		trend: trend(feedback),
		last: rate(scoresOf(feedback)),
		deliveryStats: deliveryStats(state.outbox.filter(ofCampaign)),
		questionsStats: questionsStats(campaign, feedback),
		...{ name, isActive, metric, type, score: channel },
	};
}

/** GET /api/v2/reports/ and GET /api/v2/reports/{id} */
function getReports({ state, settings }: ContextA, { params }: Call): ApiResponse {
	const { id } = params;
	const campaigns = state.campaigns.filter((campaign) => id === undefined || campaign.id === id);
	if (campaigns.length === 0 && id !== undefined && settings.unknownReport === 404) {
		throw refusal(404, 'Campaign not found.');
	}
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
		const scores = scoresOf(asked);
		const { promoters, passives, detractors, total, score } = rate(scores);
		if (total === 0 && settings.emptyScore === 404) throw refusal(404, 'No responses found.');
		const data = {
			[settings.scoreHeadline === 'score' ? 'score' : metric]:
				total === 0 ? settings.emptyScore : score,
			promoters: percent(promoters, total),
			passives: percent(passives, total),
			detractors: percent(detractors, total),
			promotersCount: promoters,
			passivesCount: passives,
			detractorsCount: detractors,
			ratingDistribution: distribution(scores),
			totalResponses: total,
		};
		return ok({ message: 'OK', code: 200, data });
	},
};
