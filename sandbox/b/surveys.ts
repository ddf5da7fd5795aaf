import type { Contact, Survey } from './records';
import { ok } from '../core/apiResponse';
import { DAY_MS } from '../core/clock';
import type { Handlers } from '../core/routes';
import { placeContact } from './contacts';
import { read, surveyInput, type SurveyInput } from './input';
import { invalid, notFound, refusal } from './refusals';
import type { SettingsB } from './settings';
import {
	findCampaign,
	findContact,
	nextId,
	type CampaignOfB,
	type StateB,
	type ContextB,
} from './state';

/** Returns a campaign that the organization may access. */
export function permittedCampaign(state: StateB, id: number): CampaignOfB {
	const campaign = findCampaign(state, id);
	if (!campaign && state.settings.unknownCampaign === 404) throw notFound();
	if (campaign?.permitted) return campaign;
	const message = 'Organization does not have permission to access campaign.';
	throw invalid({ campaign: [message] });
}

function requireEligible({ state, settings }: ContextB, email: string): void {
	if (findContact(state, email)?.unsubscribed) {
		throw invalid({ contact: ['Contact has unsubscribed.'] });
	}
	const last = state.lastSurveyed.get(state.keyOf(email));
	if (last === undefined || last <= Date.now() - DAY_MS) return;
	const message = 'Contact is not eligible for survey.';
	if (settings.ineligibleField === 'detail') throw refusal(400, message);
	throw invalid({ [settings.ineligibleField]: [message] });
}

/** Stores a survey. */
export function placeSurvey(
	state: StateB,
	survey: Omit<Survey, 'id' | 'sent_date'>,
	sent_date = state.clock.now(),
): Survey {
	const placed = { ...survey, id: nextId(state), sent_date };
	state.surveys.push(placed);
	return placed;
}

function send(state: StateB, input: SurveyInput, campaignId: number): Contact {
	const { contact: person, attributes = {} } = input;
	const contact = placeContact(state, person, state.clock.now());
	placeSurvey(state, { email: person.email, campaignId, attributes });
	state.lastSurveyed.set(state.keyOf(person.email), Date.now());
	state.sent.push({ campaign: campaignId, email: person.email, at: Date.now() });
	return contact;
}

function sentResponse(
	contact: Contact,
	input: SurveyInput,
	{ olderSurveyResponse, surveyStatus }: SettingsB,
): object {
	const { email, first_name, last_name, attributes } = contact;
	const person = { email, first_name, last_name, attributes };
	const { campaign_id, attributes: given = {} } = input;
	if (olderSurveyResponse) return { contact: person, campaign: campaign_id, attributes: given };
	return { contact: person, campaign_id, status: surveyStatus, attributes: given };
}

export const surveysRoutes: Handlers<ContextB> = {
	'POST /api/v2/survey/': (context, call) => {
		const input = read(surveyInput(context.settings), call.body);
		const campaignId = Number(input.campaign_id);
		if (permittedCampaign(context.state, campaignId).listId === null) {
			throw invalid({ campaign: ['Campaign requires a contact list to be associated.'] });
		}
		requireEligible(context, input.contact.email);
		return ok(sentResponse(send(context.state, input, campaignId), input, context.settings));
	},
};
