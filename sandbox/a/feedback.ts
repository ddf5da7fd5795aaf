import type { Feedback } from './records';
import { ok, type ApiResponse } from '../core/apiResponse';
import type { Call, Handlers } from '../core/routes';
import { legacyTagsInput, read, tagsInput, topicsInput } from './input';
import { inPeriod, pageResponse, paginate, rowsFor } from './pages';
import { refusal } from './refusals';
import { findCampaign, type ContextA } from './state';

function feedbackPage(context: ContextA, call: Call, feedback: Feedback[]): ApiResponse {
	const { rows, page, pages, limit, total } = paginate(context, call, feedback);
	const responses = rowsFor(context, rows);
	const text = (value: number) => (context.settings.numbersAsText ? String(value) : value);
	const counts = { page: text(page), pages: text(pages), limit: text(limit), total: text(total) };
	return pageResponse(context, { responses, ...counts });
}

function legacy(feedback: Feedback) {
	const { email, firstName, lastName, companyName, tags, createdDate } = feedback;
	const { score, comment, feedbackTags } = feedback;
	const person = { email, firstName, lastName, companyName, tags };
	return { ...person, createdDate, score, comment, feedbackTags };
}

function feedbackById(context: ContextA, id: string): Feedback {
	const feedback = context.state.feedback.find((candidate) => candidate.id === id);
	if (!feedback) throw refusal(404, 'Feedback record not found.');
	return feedback;
}

const DONE = { message: 'OK', code: 200 };

function writeTags(context: ContextA, id: string, tags: string[], op: string): ApiResponse {
	const feedback = feedbackById(context, id);
	const held = op === 'append' ? feedback.feedbackTags : [];
	feedback.feedbackTags = [...held, ...tags];
	feedback.feedbackTagsNew = feedback.feedbackTags;
	return ok(DONE);
}

export const feedbackRoutes: Handlers<ContextA> = {
	/** Deprecated. */
	'GET /api/v2/nps/customers/response': (context, call) => {
		const found = inPeriod(context.state.feedback, call);
		const { rows, page, pages, limit, total } = paginate(context, call, found);
		const startDate = call.query.get('startDate');
		const endDate = call.query.get('endDate');
		const responses = rows.map(legacy);
		return pageResponse(context, { responses, page, pages, limit, total, startDate, endDate });
	},

	'GET /api/v2/feedback': (context, call) => {
		const { state } = context;
		const email = call.query.get('email');
		const customerId = call.query.get('customerId');
		let found = inPeriod(state.feedback, call);
		if (email)
			found = found.filter((feedback) => state.keyOf(feedback.email) === state.keyOf(email));
		if (customerId) found = found.filter((feedback) => feedback.customerId === customerId);
		return feedbackPage(context, call, found);
	},

	'GET /api/v2/feedback/{id}': (context, call) => {
		const { id = '' } = call.params;
		if (id.length !== 12 && !/^[0-9a-f]{24}$/i.test(id)) {
			const detail =
				'Argument passed in must be a string of 12 bytes or a string of 24 hex characters';
			throw refusal(400, 'An error occurred', detail);
		}
		const { feedback } = context.state;
		const one = feedback.find((candidate) => candidate.id === id);
		if (!one && !findCampaign(context.state, id)) throw refusal(404, 'Feedback record not found.');
		const found = one ? [one] : feedback.filter(({ campaignId }) => campaignId === id);
		if (found.length === 0 && context.settings.campaignWithoutFeedback === 404) {
			throw refusal(404, 'Feedback record not found.');
		}
		return feedbackPage(context, call, found);
	},

	'POST /api/v2/response/topics': (context, call) => {
		const { id, topics, op = '' } = read(topicsInput, call.body);
		const feedback = feedbackById(context, id);
		const given = topics.map(({ name, sentiment }) => ({
			name,
			sentiment: sentiment || 'neutral',
		}));
		const held = op === 'append' ? feedback.feedbackTopics : [];
		feedback.feedbackTopics = [...held, ...given];
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
