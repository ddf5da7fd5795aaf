import type { Campaign, Customer, LegacySurveySent, OutboxSurvey, SurveySent } from './records';
import { ok, Refusal, type Answer } from '../core/answer';
import type { Call } from '../core/routes';
import { demandAddresses } from './customers';
import { isEmail, legacySurveyInput, read, surveyInput, type CustomerInput } from './input';
import { pageAnswer, paginate } from './pages';
import { refusal } from './refusals';
import { findCampaign, type StateA, type WorldA } from './state';
import { writeCustomer } from './writing';

/** The outbox record of a survey that goes out to a customer. */
export function outboxRecord(
	customer: Customer,
	campaign: Campaign,
	sentDate: string,
	sentBy: string,
): OutboxSurvey {
	return {
		email: customer.email,
		firstName: customer.firstName,
		lastName: customer.lastName,
		companyName: customer.companyName,
		companyId: customer.companyId,
		customerId: customer.id,
		personTags: customer.tags.join(','),
		sentDate,
		channel: campaign.channel,
		campaign: campaign.name,
		campaignId: campaign.id,
		surveyTemplateId: campaign.templateId,
		subject: 'How likely are you to recommend us?',
		sentBy,
		status: 'SENT',
		detailedStatus: {
			isOpened: false,
			openedDate: '',
			isResponded: false,
			respondedDate: '',
			hasFeedback: false,
			isOptedOut: false,
			isBounced: false,
		},
	};
}

/** Notes on an outbox record that its customer responded. */
export function markResponded(survey: OutboxSurvey, at: string, hasFeedback: boolean): void {
	survey.status = 'RESPONDED';
	survey.detailedStatus = {
		...survey.detailedStatus,
		isOpened: true,
		openedDate: at,
		isResponded: true,
		respondedDate: at,
		hasFeedback,
	};
}

/** Sends one survey; a customer who opted out is updated but not surveyed. */
function send(state: StateA, campaign: Campaign, input: CustomerInput): Customer {
	const customer = writeCustomer(state, input);
	if (state.optedOut.has(input.email.toLowerCase())) return customer;
	state.sent.push({ campaign: campaign.id, email: input.email, at: Date.now() });
	state.outbox.push(outboxRecord(customer, campaign, state.clock.now(), 'manual'));
	return customer;
}

function sendable(state: StateA, id: string): Campaign {
	const campaign = findCampaign(state, id);
	if (!campaign) throw refusal(404, `Campaign ${id} could not be found.`);
	if (campaign.type !== 'transactional') throw refusal(400, `Campaign ${id} is not transactional`);
	if (!campaign.isActive) throw refusal(403, `Campaign ${id} is not active.`);
	return campaign;
}

/** POST /api/v2/survey, and its earlier path */
export function sendSurvey({ state }: WorldA, call: Call): Answer {
	const { campaign: id, subscribers } = read(surveyInput, call.body);
	const campaign = sendable(state, id);
	demandAddresses(subscribers);
	for (const input of subscribers) send(state, campaign, input);
	const message = 'Surveys are queued.';
	return ok({ success: true, code: 200, message, status: 'queued' } satisfies SurveySent);
}

function legacySent(state: StateA, campaign: Campaign, input: CustomerInput): LegacySurveySent {
	const { email, first_name, last_name, company, tags } = input;
	const given = { email, first_name, last_name, company, tags };
	if (!isEmail(email)) return { ...given, status: 'fail', reason: 'Invalid email address' };
	return { id: send(state, campaign, input).id, ...given, status: 'sending', reason: '' };
}

/** POST /api/v2/nps/customers/survey (deprecated) */
export function sendLegacySurvey({ state }: WorldA, call: Call): Answer {
	const { campaign: id, subscribers } = read(legacySurveyInput, call.body);
	const campaign = findCampaign(state, id);
	if (!campaign) throw refusal(404, 'Campaign not found.');
	if (!campaign.isActive) {
		const body = { code: 403, message: 'Campaign is not enabled.', data: {} };
		throw new Refusal({ status: 403, body });
	}
	const rows = subscribers.map(
		(input) => [input.email, legacySent(state, campaign, input)] as const,
	);
	return ok({ message: 'OK', code: 200, data: Object.fromEntries(rows) });
}

/** GET /api/v2/nps/outbox */
export function getOutbox(world: WorldA, call: Call): Answer {
	const { state, settings } = world;
	const email = call.query.get('email')?.toLowerCase();
	const found = state.outbox.filter((survey) => !email || survey.email.toLowerCase() === email);
	const rules = { limit: 50, maxLimit: settings.maxLimit, sort: '-surveyCreatedDate' };
	const createdDate = (survey: OutboxSurvey) =>
		state.surveyCreatedDates.get(survey) ?? survey.sentDate;
	const sortable = found.map((survey) => ({ survey, surveyCreatedDate: createdDate(survey) }));
	const { rows: sorted, ...page } = paginate(sortable, call, rules);
	const rows = sorted.map(({ survey }) => survey);
	return pageAnswer(world, {
		surveys: settings.personTagsAsArray ? rows.map(split) : rows,
		...page,
	});
}

/** As some servers answer it: `personTags` is an array. */
function split(survey: OutboxSurvey): object {
	const { personTags } = survey;
	return { ...survey, personTags: personTags === '' ? [] : personTags.split(',') };
}
