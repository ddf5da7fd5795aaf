import type { Feedback } from './records';
import type { Answer } from '../core/answer';
import type { SurveyCard } from '../core/desk';
import { scoreType } from '../core/rating';
import type { Call } from '../core/routes';
import { placeContact } from './contacts';
import { feedbackEvent, metricEvent } from './events';
import { feedbackRecord, micro } from './feedback';
import { feedbackInput, read, type FeedbackInput } from './input';
import { campaignMetrics } from './metrics';
import { invalid } from './refusals';
import { findCampaign, type CampaignOfB, type StateB, type SurveyOfB, type WorldB } from './state';
import { placeSurvey } from './surveys';

/** What a customer says to a survey of a campaign. */
export interface AnswerToB {
	email: string;
	campaignId: number;
	score: number;
	comment?: string | null;
}

function lastSurvey(state: StateB, { email, campaignId }: AnswerToB): SurveyOfB | undefined {
	const key = email.toLowerCase();
	const found = state.surveys.filter(
		(survey) => survey.campaignId === campaignId && survey.email.toLowerCase() === key,
	);
	return found.at(-1);
}

function firstAnswer(
	world: WorldB,
	campaign: CampaignOfB,
	survey: SurveyOfB,
	answer: AnswerToB,
): Feedback {
	const { state } = world;
	const at = state.clock.now();
	const contact = placeContact(state, { email: answer.email }, at);
	const feedback = feedbackRecord(world, { contact, campaign, survey }, { ...answer, at });
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

/** Runs a change, then tells that the feedback changed and, when it did, the campaign's NPS. */
function withEvents(world: WorldB, campaign: CampaignOfB, change: () => Feedback): Feedback {
	const before = campaignMetrics(world, campaign);
	const feedback = change();
	const after = campaignMetrics(world, campaign);
	feedbackEvent(world, 'feedback.added_or_changed', feedback);
	if (after.nps !== before.nps) metricEvent(world, after);
	return feedback;
}

/** The customer answers a survey, or changes the answer given to it before. */
export function answerSurvey(world: WorldB, answer: AnswerToB): Feedback {
	const { state } = world;
	const { email, campaignId } = answer;
	const campaign = findCampaign(state, campaignId);
	if (!campaign) throw new Error(`Service B has no campaign ${campaignId}`);
	const survey =
		lastSurvey(state, answer) ?? placeSurvey(state, { email, campaignId, attributes: {} });
	const given = state.feedback.find(({ id }) => id === survey.feedbackId);
	return withEvents(world, campaign, () =>
		given ? changeAnswer(state, given, answer) : firstAnswer(world, campaign, survey, answer),
	);
}

/** The body of POST feedback: its names are not in the contract, so the likely ones are taken. */
function readFeedback(body: unknown): FeedbackInput {
	if (typeof body !== 'object' || body === null) return read(feedbackInput, body);
	const given: Record<string, unknown> = { ...body };
	const { contact } = given;
	const nested = typeof contact === 'object' && contact !== null ? { ...contact } : {};
	const campaign_id = given.campaign_id ?? given.campaign;
	return read(feedbackInput, { ...nested, ...given, campaign_id });
}

function demandUniqueNames(tags: NonNullable<FeedbackInput['tags']>): void {
	if (new Set(tags.map(({ name }) => name)).size === tags.length) return;
	throw invalid({ tags: ['Tag names must be unique for this feedback.'] });
}

/** POST /api/v2/feedback/: the path is assumed, the contract shows none. */
export function createFeedback(world: WorldB, call: Call): Answer {
	const { state } = world;
	const { email, score, comment, campaign_id, status, tags = [] } = readFeedback(call.body);
	const campaignId = Number(campaign_id);
	const campaign = findCampaign(state, campaignId);
	if (!campaign?.permitted) {
		const message = 'Organization does not have permission to access campaign.';
		throw invalid({ campaign: [message] });
	}
	demandUniqueNames(tags);
	const survey = placeSurvey(state, { email, campaignId, attributes: {} });
	const body = withEvents(world, campaign, () => {
		const feedback = firstAnswer(world, campaign, survey, { email, campaignId, score, comment });
		return Object.assign(feedback, { status: status ?? 'OPEN', tags });
	});
	state.created.push({ feedbackId: body.id, at: Date.now() });
	return { status: 201, body };
}

/** The surveys sent, newest first, as the page shows them. */
export function surveyCards({ state }: WorldB): SurveyCard[] {
	const newest = [...state.surveys].reverse().slice(0, 100);
	return newest.map(({ email, campaignId, sent_date, feedbackId }) => {
		const feedback = state.feedback.find(({ id }) => id === feedbackId);
		return {
			email,
			campaignId: String(campaignId),
			campaignName: findCampaign(state, campaignId)?.record.name ?? String(campaignId),
			sentAt: sent_date,
			score: feedback?.score,
			comment: feedback?.comment,
		};
	});
}
