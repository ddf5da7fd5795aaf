import { feedbackRecord, markResponded, type Customer, type Feedback } from './records';
import type { CustomerAnswer, SurveyCard } from '../core/customerUi';
import { findCampaign, findCustomer, nextId, type StateA } from './state';
import { placeCustomer } from './writing';

function isAbout(answer: CustomerAnswer, campaignId: string, email: string): boolean {
	return campaignId === answer.campaignId && email.toLowerCase() === answer.email.toLowerCase();
}

/** Stores the answer with the newest unanswered survey that this customer got from this campaign. */
function closeSent(state: StateA, answer: CustomerAnswer): void {
	const { score, comment = '' } = answer;
	const open = state.sent.filter(
		(sent) => sent.answer === undefined && isAbout(answer, sent.campaign, sent.email),
	);
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

/** Creates the feedback of a customer who answers a survey, and updates the outbox. */
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

function customerDetails(customer: Customer): SurveyCard['details'] {
	const { companyName, tags, properties } = customer;
	return {
		Customer: {
			...(companyName && { Company: companyName }),
			...(tags.length > 0 && { Tags: tags }),
		},
		Properties: Object.fromEntries(
			properties.map(({ label, type, value }) => [`${label} (${type})`, value]),
		),
	};
}

/** Returns the surveys that were sent, newest first. */
export function surveyCards(state: StateA): SurveyCard[] {
	return [...state.sent].reverse().map(({ campaign, email, at, answer }) => {
		const customer = findCustomer(state, email);
		return {
			email,
			name: customer ? `${customer.firstName} ${customer.lastName}`.trim() : '',
			campaignId: campaign,
			campaignName: findCampaign(state, campaign)?.name ?? campaign,
			sentAt: new Date(at).toISOString(),
			details: customer ? customerDetails(customer) : {},
			...answer,
		};
	});
}
