import type { Contact, SurveySent } from './records';
import { ok, type Answer } from '../core/answer';
import type { Call } from '../core/routes';
import { placeContact } from './contacts';
import { read, surveyInput, type SurveyInput } from './input';
import { brokenPolicy } from './policy';
import { invalid } from './refusals';
import type { SettingsB } from './settings';
import {
	findCampaign,
	findContact,
	nextId,
	type StateB,
	type SurveyOfB,
	type WorldB,
} from './state';

const HOUR_MS = 60 * 60 * 1000;

function demandPolicy({ contact, attributes }: SurveyInput, settings: SettingsB): void {
	const ofContact = brokenPolicy(contact.attributes, settings);
	if (ofContact) throw invalid({ contact: { attributes: [ofContact] } });
	const ofSurvey = brokenPolicy(attributes, settings);
	if (ofSurvey) throw invalid({ attributes: [ofSurvey] });
}

function demandCampaign(state: StateB, id: number): void {
	const campaign = findCampaign(state, id);
	if (!campaign?.permitted) {
		const message = 'Organization does not have permission to access campaign.';
		throw invalid({ campaign: [message] });
	}
	if (campaign.listId === null) {
		throw invalid({ campaign: ['Campaign requires a contact list to be associated.'] });
	}
}

function demandEligible({ state, settings }: WorldB, email: string): void {
	if (findContact(state, email)?.unsubscribed) {
		throw invalid({ contact: ['Contact has unsubscribed.'] });
	}
	const last = state.lastSurveyed.get(email.toLowerCase());
	if (last === undefined || last <= Date.now() - settings.throttleHours * HOUR_MS) return;
	throw invalid({ non_field_errors: ['Contact is not eligible for survey.'] });
}

/** A survey object, as sending one and creating a feedback bring it about. */
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

function sentAnswer(
	contact: Contact,
	input: SurveyInput,
	{ olderSurveyAnswer }: SettingsB,
): object {
	const { email, first_name, last_name, attributes } = contact;
	const person = { email, first_name, last_name, attributes };
	const { campaign_id, attributes: given = {} } = input;
	if (olderSurveyAnswer) return { contact: person, campaign: campaign_id, attributes: given };
	const answer: SurveySent = { contact: person, campaign_id, status: 'SENT', attributes: given };
	return answer;
}

/** POST /api/v2/survey/ */
export function sendSurvey(world: WorldB, call: Call): Answer {
	const input = read(surveyInput, call.body);
	const campaignId = Number(input.campaign_id);
	demandPolicy(input, world.settings);
	demandCampaign(world.state, campaignId);
	demandEligible(world, input.contact.email);
	return ok(sentAnswer(send(world.state, input, campaignId), input, world.settings));
}
