import type { Feedback } from './records';
import { ok, type ApiResponse } from '../core/apiResponse';
import type { Call, Handlers } from '../core/routes';
import { legacyTagsInput, read, tagsInput, topicsInput } from './input';
import { inPeriod, pageResponse, paginate, rowsFor, rowsOf, type Rules } from './pages';
import { invalid, refusal } from './refusals';
import { findCampaign, type ContextA } from './state';

function feedbackPage(
	context: ContextA,
	call: Call,
	feedback: Feedback[],
	rules?: Rules,
): ApiResponse {
	const { rows, page, pages, limit, total } = paginate(context, call, feedback, rules);
	const commented = rows.map((row) => withComment(context, row));
	const responses = rowsFor(context, commented).map((row) => withTags(context, row));
	const text = (value: number) => (context.settings.numbersAsText ? String(value) : value);
	const counts = { page: text(page), pages: text(pages), limit: text(limit), total: text(total) };
	return pageResponse(context, { responses, ...counts });
}

/** Returns the feedback as it is before its comment is written, if it is that young. */
function withComment({ settings: { commentLag } }: ContextA, row: Feedback): Feedback {
	if (commentLag === 0) return row;
	const age = Date.now() - Date.parse(row.createdDate);
	return age < commentLag * 1000 ? { ...row, comment: '' } : row;
}

/** Returns the feedback with its tags in the fields that the settings say. */
function withTags({ settings: { responseTags } }: ContextA, row: object): object {
	if (responseTags === 'both') return row;
	const other = responseTags === 'feedbackTags' ? 'feedbackTagsNew' : 'feedbackTags';
	return { ...row, [other]: [] };
}

function legacy(feedback: Feedback) {
	const { email, firstName, lastName, companyName, tags, createdDate } = feedback;
	const { score, comment, feedbackTags } = feedback;
	const person = { email, firstName, lastName, companyName, tags };
	return { ...person, createdDate, score, comment, feedbackTags };
}

/** Returns the response with an ID. Undefined: it does not exist, and nobody is told. */
function feedbackById({ state, settings }: ContextA, id: string): Feedback | undefined {
	const feedback = state.feedback.find((candidate) => candidate.id === id);
	if (feedback || settings.unknownResponse === 200) return feedback;
	throw refusal(settings.unknownResponse, 'Feedback record not found.');
}

const DONE = { message: 'OK', code: 200 };

function writeTags(context: ContextA, id: string, tags: string[], op: string): ApiResponse {
	const feedback = feedbackById(context, id);
	if (!feedback) return ok(DONE);
	const held = op === 'append' ? feedback.feedbackTags : [];
	const isOnce = context.settings.appendedAgain === 'once';
	feedback.feedbackTags = isOnce ? [...new Set([...held, ...tags])] : [...held, ...tags];
	feedback.feedbackTagsNew = feedback.feedbackTags;
	return ok(DONE);
}

/** Applies the filters of the list. */
function filtered(context: ContextA, call: Call, feedback: Feedback[]): Feedback[] {
	const customerId = call.query.get('customerId');
	const found = rowsOf(context, inPeriod(context, feedback, call), call.query.get('email'));
	return customerId ? found.filter((one) => one.customerId === customerId) : found;
}

/** Returns the feedback of a campaign. The contract shows no parameters for it. */
function ofCampaign(context: ContextA, call: Call, id: string): ApiResponse {
	const { campaignFeedback, campaignFilters, campaignWithoutFeedback } = context.settings;
	const unknown = [...call.query.keys()].find((name) => name !== 'page' && name !== 'limit');
	if (unknown && campaignFilters === 400) throw invalid(`"${unknown}" is not allowed`);
	const all = context.state.feedback.filter(({ campaignId }) => campaignId === id);
	if (all.length === 0 && campaignWithoutFeedback === 404) {
		throw refusal(404, 'Feedback record not found.');
	}
	const found = campaignFilters === 'applied' ? filtered(context, call, all) : all;
	if (campaignFeedback !== 'firstPage') {
		const isWhole = campaignFeedback === 'whole' || context.settings.ignoresLimit;
		return feedbackPage(context, call, found, { isWhole });
	}
	return feedbackPage(context, { ...call, query: new URLSearchParams() }, found);
}

export const feedbackRoutes: Handlers<ContextA> = {
	/** Deprecated. */
	'GET /api/v2/nps/customers/response': (context, call) => {
		const found = inPeriod(context, context.state.feedback, call);
		const { rows, page, pages, limit, total } = paginate(context, call, found);
		const startDate = call.query.get('startDate');
		const endDate = call.query.get('endDate');
		const responses = rows.map(legacy);
		return pageResponse(context, { responses, page, pages, limit, total, startDate, endDate });
	},

	'GET /api/v2/feedback': (context, call) => {
		return feedbackPage(context, call, filtered(context, call, context.state.feedback));
	},

	'GET /api/v2/feedback/{id}': (context, call) => {
		const { id = '' } = call.params;
		if (id.length !== 12 && !/^[0-9a-f]{24}$/i.test(id)) {
			const detail =
				'Argument passed in must be a string of 12 bytes or a string of 24 hex characters';
			throw refusal(400, 'An error occurred', detail);
		}
		const one = context.state.feedback.find((candidate) => candidate.id === id);
		if (one) return feedbackPage(context, call, [one]);
		if (!findCampaign(context.state, id)) throw refusal(404, 'Feedback record not found.');
		return ofCampaign(context, call, id);
	},

	'POST /api/v2/response/topics': (context, call) => {
		const { id, topics, op = '' } = read(topicsInput, call.body);
		const feedback = feedbackById(context, id);
		if (!feedback) return ok(DONE);
		const given = topics.map(({ name, sentiment }) => ({
			name,
			sentiment: sentiment || 'neutral',
		}));
		const held = op === 'append' ? feedback.feedbackTopics : [];
		const isOnce = context.settings.appendedAgain === 'once';
		const all = [...held, ...given];
		feedback.feedbackTopics = isOnce
			? [...new Map(all.map((topic) => [topic.name, topic])).values()]
			: all;
		return ok(DONE);
	},

	'POST /api/v2/response/tags': (context, call) => {
		const { id, tags, op = '' } = read(tagsInput, call.body);
		return writeTags(context, id, tags, op);
	},

	/** Deprecated: `tags` is optional. */
	'POST /api/v2/nps/customers/response/tags': (context, call) => {
		const { id, tags = [], op = '' } = read(legacyTagsInput, call.body);
		return writeTags(context, id, tags, op);
	},
};
