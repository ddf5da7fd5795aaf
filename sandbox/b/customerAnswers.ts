import { feedbackRecord, micro, type Feedback, type Survey } from './records';
import type { SurveyCard } from '../core/page';
import { scoreType } from '../core/rating';
import type { Handlers } from '../core/routes';
import { placeContact } from './contacts';
import { feedbackEvent, metricEvent } from './events';
import { feedbackInput, read } from './input';
import { campaignMetrics } from './metrics';
import {
	findCampaign,
	findContact,
	nextId,
	type CampaignOfB,
	type ContextB,
	type StateB,
} from './state';
import { permittedCampaign, placeSurvey } from './surveys';

/** The answer of a customer to a survey. */
export interface AnswerToB {
	email: string;
	campaignId: number;
	score: number;
	comment?: string | null;
}

function lastSurvey(state: StateB, { email, campaignId }: AnswerToB): Survey | undefined {
	const found = state.surveys.filter(
		(survey) =>
			survey.campaignId === campaignId && state.keyOf(survey.email) === state.keyOf(email),
	);
	return found.at(-1);
}

function firstAnswer(
	context: ContextB,
	campaign: CampaignOfB,
	survey: Survey,
	answer: Omit<AnswerToB, 'campaignId'>,
): Feedback {
	const { state } = context;
	const at = state.clock.now();
	const contact = placeContact(state, { email: answer.email }, at);
	const feedback = feedbackRecord(
		{ id: nextId(state), url: context.url },
		{ contact, campaign: campaign.record, survey },
		{ ...answer, at },
	);
	state.feedback.push(feedback);
	survey.feedbackId = feedback.id;
	return feedback;
}

function changeAnswer(state: StateB, feedback: Feedback, { score, comment }: AnswerToB): Feedback {
	const at = micro(state.clock.now());
	if (feedback.score !== score) {
		Object.assign(feedback, { score, score_type: scoreType(score), score_changed: at });
	}
	if (comment && feedback.comment !== comment) {
		feedback.comment = comment;
		feedback.comment_created ??= at;
		feedback.comment_modified = at;
	}
	return feedback;
}

/** Makes a change and emits the event of the feedback, and of the campaign's NPS if it changed. */
function withEvents(context: ContextB, campaign: CampaignOfB, change: () => Feedback): Feedback {
	const before = campaignMetrics(context, campaign);
	const feedback = change();
	const after = campaignMetrics(context, campaign);
	feedbackEvent(context, 'feedback.added_or_changed', feedback);
	if (after.nps !== before.nps) metricEvent(context, after);
	return feedback;
}

/** Answers a survey as the customer, or changes the earlier answer. */
export function answerSurvey(context: ContextB, answer: AnswerToB): Feedback {
	const { state } = context;
	const { email, campaignId } = answer;
	const campaign = findCampaign(state, campaignId);
	if (!campaign) throw new Error(`Service B has no campaign ${campaignId}`);
	const survey =
		lastSurvey(state, answer) ?? placeSurvey(state, { email, campaignId, attributes: {} });
	const given = state.feedback.find(({ id }) => id === survey.feedbackId);
	return withEvents(context, campaign, () =>
		given ? changeAnswer(state, given, answer) : firstAnswer(context, campaign, survey, answer),
	);
}

/** Returns the hundred newest surveys, newest first. */
export function surveyCards({ state }: ContextB): SurveyCard[] {
	const newest = state.surveys.slice(-100).reverse();
	return newest.map((survey) => {
		const { email, campaignId, sent_date, feedbackId } = survey;
		const contact = findContact(state, email);
		const feedback = state.feedback.find(({ id }) => id === feedbackId);
		return {
			email,
			campaignId: String(campaignId),
			campaignName: findCampaign(state, campaignId)?.record.name ?? String(campaignId),
			sentAt: sent_date,
			details: { ...contact?.attributes, ...survey.attributes },
			score: feedback?.score,
			comment: feedback?.comment,
		};
	});
}

export const customerAnswersRoutes: Handlers<ContextB> = {
	/** Assumed: the contract shows neither the path nor the names. */
	'POST /api/v2/feedback/': (context, call) => {
		const { state } = context;
		const {
			email,
			score,
			comment,
			campaign_id,
			status,
			tags = [],
		} = read(feedbackInput, call.body);
		const campaignId = Number(campaign_id);
		const campaign = permittedCampaign(state, campaignId);
		const survey = placeSurvey(state, { email, campaignId, attributes: {} });
		const body = withEvents(context, campaign, () => {
			const feedback = firstAnswer(context, campaign, survey, { email, score, comment });
			return Object.assign(feedback, { status: status ?? 'OPEN', tags });
		});
		return { status: 201, body };
	},
};
