import type { Contact, SurveySent } from './records';
import { ok, type ApiResponse } from '../core/apiResponse';
import { type Call, route, type Route } from '../core/routes';
import { placeContact } from './contacts';
import { read, surveyInput, type SurveyInput } from './input';
import { policyViolation } from './policy';
import { invalid, refusal } from './refusals';
import type { SettingsB } from './settings';
import {
	findCampaign,
	findContact,
	nextId,
	type StateB,
	type SurveyOfB,
	type ContextB,
} from './state';

const HOUR_MS = 60 * 60 * 1000;

function requirePolicy({ contact, attributes }: SurveyInput, settings: SettingsB): void {
	const ofContact = policyViolation(contact.attributes, settings);
	if (ofContact) throw invalid({ contact: { attributes: [ofContact] } });
	const ofSurvey = policyViolation(attributes, settings);
	if (ofSurvey) throw invalid({ attributes: [ofSurvey] });
}

function requireCampaign(state: StateB, id: number): void {
	const campaign = findCampaign(state, id);
	if (!campaign?.permitted) {
		const message = 'Organization does not have permission to access campaign.';
		throw invalid({ campaign: [message] });
	}
	if (campaign.listId === null) {
		throw invalid({ campaign: ['Campaign requires a contact list to be associated.'] });
	}
}

function requireEligible({ state, settings }: ContextB, email: string): void {
	if (findContact(state, email)?.unsubscribed) {
		throw invalid({ contact: ['Contact has unsubscribed.'] });
	}
	const last = state.lastSurveyed.get(email.toLowerCase());
	if (last === undefined || last <= Date.now() - settings.throttleHours * HOUR_MS) return;
	const message = 'Contact is not eligible for survey.';
	if (settings.ineligibleField === 'detail') throw refusal(400, message);
	throw invalid({ [settings.ineligibleField]: [message] });
}

/** Stores a survey. */
export function placeSurvey(
	state: StateB,
	survey: Omit<SurveyOfB, 'id' | 'sent_date'>,
	sent_date = state.clock.now(),
): SurveyOfB {
	const placed = { ...survey, id: nextId(state), sent_date };
	state.surveys.push(placed);
	return placed;
}

function send(state: StateB, input: SurveyInput, campaignId: number): Contact {
	const { contact: person, attributes = {} } = input;
	const contact = placeContact(state, person, state.clock.now());
	placeSurvey(state, { email: person.email, campaignId, attributes });
	state.lastSurveyed.set(person.email.toLowerCase(), Date.now());
	state.sent.push({ campaign: campaignId, email: person.email, at: Date.now() });
	return contact;
}

function sentResponse(
	contact: Contact,
	input: SurveyInput,
	{ olderSurveyResponse }: SettingsB,
): object {
	const { email, first_name, last_name, attributes } = contact;
	const person = { email, first_name, last_name, attributes };
	const { campaign_id, attributes: given = {} } = input;
	if (olderSurveyResponse) return { contact: person, campaign: campaign_id, attributes: given };
	const response: SurveySent = { contact: person, campaign_id, status: 'SENT', attributes: given };
	return response;
}

/** POST /api/v2/survey/ */
function sendSurvey(context: ContextB, call: Call): ApiResponse {
	const input = read(surveyInput, call.body);
	const campaignId = Number(input.campaign_id);
	requirePolicy(input, context.settings);
	requireCampaign(context.state, campaignId);
	requireEligible(context, input.contact.email);
	return ok(sentResponse(send(context.state, input, campaignId), input, context.settings));
}

export const surveysRoutes: Array<Route<ContextB>> = [route('POST', '/api/v2/survey/', sendSurvey)];
