import { outboxRecord, type Campaign, type Customer, type StoredSurvey } from './records';
import { ok, Refusal, type ApiResponse } from '../core/apiResponse';
import type { Call, Handlers } from '../core/routes';
import { acceptedRows } from './accepted';
import { isEmail, legacySurveyInput, read, surveyInput, type CustomerInput } from './input';
import { pageResponse, paginate, rowsFor, rowsOf } from './pages';
import { invalid, refusal } from './refusals';
import type { SettingsA } from './settings';
import { findCampaign, type ContextA, type StateA } from './state';
import { placeCustomer } from './writing';

/** Sends one survey. A customer who opted out is updated but gets no survey. */
function send(state: StateA, campaign: Campaign, input: CustomerInput): Customer {
	const customer = placeCustomer(state, input);
	if (state.optedOut.has(state.keyOf(input.email))) return customer;
	state.sent.push({ campaign: campaign.id, email: input.email, at: Date.now() });
	const survey = outboxRecord(customer, campaign, state.clock.now(), 'manual');
	state.outbox.push({ ...survey, status: state.settings.sentStatus });
	return customer;
}

function sendable(state: StateA, id: string): Campaign {
	const campaign = findCampaign(state, id);
	if (!/^[0-9a-f]{24}$/i.test(id) && state.settings.wrongCampaignId === 400) {
		throw invalid('"campaign" must be a valid ID');
	}
	if (!campaign) throw refusal(404, `Campaign ${id} could not be found.`);
	if (campaign.type !== 'transactional') throw refusal(400, `Campaign ${id} is not transactional`);
	if (!campaign.isActive) throw refusal(403, `Campaign ${id} is not active.`);
	return campaign;
}

/** POST /api/v2/survey and /api/v2/nps/audience/survey */
function sendSurvey(context: ContextA, call: Call): ApiResponse {
	const { state } = context;
	const { campaign: id, subscribers } = read(surveyInput, call.body);
	const campaign = sendable(state, id);
	for (const input of acceptedRows(context, subscribers, 'survey')) send(state, campaign, input);
	const message = 'Surveys are queued.';
	return ok({ success: true, code: 200, message, status: 'queued' });
}

function legacySent(state: StateA, campaign: Campaign, input: CustomerInput) {
	const { email, first_name, last_name, company, tags } = input;
	const given = { email, first_name, last_name, company, tags };
	if (!isEmail(email)) return { ...given, status: 'fail', reason: 'Invalid email address' };
	return { id: send(state, campaign, input).id, ...given, status: 'sending', reason: '' };
}

/** Removes what the contract's record does not have. Some servers send `personTags` as an array. */
function outboxRow(survey: object, { personTagsAsArray }: SettingsA): object {
	const row: Partial<StoredSurvey> = { ...survey };
	delete row.surveyCreatedDate;
	if (!personTagsAsArray) return row;
	return { ...row, personTags: row.personTags ? row.personTags.split(',') : [] };
}

export const surveysRoutes: Handlers<ContextA> = {
	'GET /api/v2/nps/outbox': (context, call) => {
		const { state, settings } = context;
		const email = call.query.get('email');
		const until = Date.now() - settings.outboxLag * 1000;
		const found = rowsOf(context, state.outbox, email).filter(
			({ sentDate }) => settings.outboxLag === 0 || Date.parse(sentDate) <= until,
		);
		const rules = { limit: 50, sort: '-surveyCreatedDate' };
		const { rows, ...page } = paginate(context, call, found, rules);
		const surveys = rowsFor(context, rows).map((row) => outboxRow(row, settings));
		return pageResponse(context, { surveys, ...page });
	},

	'POST /api/v2/survey': sendSurvey,
	'POST /api/v2/nps/audience/survey': sendSurvey,

	/** Deprecated. */
	'POST /api/v2/nps/customers/survey': ({ state }, call) => {
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
	},
};
