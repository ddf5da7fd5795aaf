import type { Feedback } from './records';
import type { CustomerAnswer, SurveyCard } from '../core/desk';
import { feedbackRecord } from './seed';
import { findCampaign, findCustomer, nextId, type StateA } from './state';
import { markResponded } from './surveys';
import { placeCustomer } from './writing';

function isAbout(answer: CustomerAnswer, campaignId: string, email: string): boolean {
	return campaignId === answer.campaignId && email.toLowerCase() === answer.email.toLowerCase();
}

/** Notes the answer on the newest survey to this customer from this campaign that has none yet. */
function closeSent(state: StateA, answer: CustomerAnswer): void {
	const open = state.sent.filter(
		(sent) => sent.answer === undefined && isAbout(answer, sent.campaign, sent.email),
	);
	const { score, comment = '' } = answer;
	const sent = open.at(-1);
	if (sent) sent.answer = { score, comment };
}

function closeOutbox(state: StateA, answer: CustomerAnswer, at: string): void {
	const surveys = state.outbox.filter(({ campaignId, email }) =>
		isAbout(answer, campaignId, email),
	);
	const survey = surveys.at(-1);
	if (survey) markResponded(survey, at, Boolean(answer.comment));
}

/** The customer answers: a feedback comes into being, and the outbox shows it. */
export function answerSurvey(state: StateA, answer: CustomerAnswer): Feedback {
	const { email, campaignId, score, comment = '' } = answer;
	const campaign = findCampaign(state, campaignId);
	if (!campaign) throw new Error(`Service A has no campaign ${campaignId}`);
	const createdDate = state.clock.now();
	const customer = findCustomer(state, email) ?? placeCustomer(state, { email }, createdDate);
	const id = nextId(state);
	const feedback = feedbackRecord(customer, campaign, { id, createdDate, score, comment });
	state.feedback.push(feedback);
	closeSent(state, answer);
	closeOutbox(state, answer, createdDate);
	return feedback;
}

/** The surveys sent, newest first, as the page shows them. */
export function surveyCards(state: StateA): SurveyCard[] {
	return [...state.sent].reverse().map(({ campaign, email, at, answer }) => ({
		email,
		campaignId: campaign,
		campaignName: findCampaign(state, campaign)?.name ?? campaign,
		sentAt: new Date(at).toISOString(),
		...answer,
	}));
}
