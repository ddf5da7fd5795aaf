import { feedbackRecord, markResponded, type Customer, type Feedback } from './records';
import type { CustomerAnswer, SurveyCard } from '../core/page';
import { findCampaign, findCustomer, nextId, type StateA } from './state';
import { placeCustomer } from './writing';

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
	const isOfCustomer = (one: { email: string }) => state.keyOf(one.email) === state.keyOf(email);
	const sent = state.sent.filter(
		(one) => one.campaign === campaignId && isOfCustomer(one) && !one.answer,
	);
	const open = sent.at(-1);
	if (open) open.answer = { score, comment };
	const surveys = state.outbox.filter((one) => one.campaignId === campaignId && isOfCustomer(one));
	const survey = surveys.at(-1);
	if (survey) markResponded(survey, createdDate, Boolean(comment));
	return feedback;
}

function customerDetails({ firstName, lastName, companyName, tags, properties }: Customer) {
	const more = properties.map(({ label, type, value }) => [`${label} (${type})`, value]);
	const name = `${firstName} ${lastName}`.trim();
	return { Name: name, Company: companyName, Tags: tags, ...Object.fromEntries(more) };
}

/** Returns the surveys that were sent, newest first. */
export function surveyCards(state: StateA): SurveyCard[] {
	return [...state.sent].reverse().map(({ campaign, email, at, answer }) => {
		const customer = findCustomer(state, email);
		return {
			email,
			campaignId: campaign,
			campaignName: findCampaign(state, campaign)?.name ?? campaign,
			sentAt: new Date(at).toISOString(),
			details: customer ? customerDetails(customer) : {},
			...answer,
		};
	});
}
