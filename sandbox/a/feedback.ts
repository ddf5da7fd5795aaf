import type { Feedback, LegacyFeedback } from './records';
import { ok, type Answer } from '../core/answer';
import type { Call } from '../core/routes';
import { legacyTagsInput, read, tagsInput, topicsInput } from './input';
import { inPeriod, pageAnswer, paginate } from './pages';
import { refusal } from './refusals';
import { findCampaign, type WorldA } from './state';

/** It lies in the order in which it came. */
const ORDER = { sort: '-createdDate', isReversed: true };

/** GET /api/v2/feedback */
export function getAllFeedback(world: WorldA, call: Call): Answer {
	const email = call.query.get('email')?.toLowerCase();
	const customerId = call.query.get('customerId');
	let found = inPeriod(world.state.feedback, call);
	if (email) found = found.filter((feedback) => feedback.email.toLowerCase() === email);
	if (customerId) found = found.filter((feedback) => feedback.customerId === customerId);
	return feedbackAnswer(world, call, found);
}

function feedbackAnswer(world: WorldA, call: Call, feedback: Feedback[]): Answer {
	const rules = { limit: 20, maxLimit: world.settings.maxLimit, ...ORDER };
	const { rows, page, pages, limit, total } = paginate(feedback, call, rules);
	const numbers = { page, pages, limit, total };
	if (!world.settings.numbersAsText) return pageAnswer(world, { responses: rows, ...numbers });
	return pageAnswer(world, {
		responses: rows,
		page: String(page),
		pages: String(pages),
		limit: String(limit),
		total: String(total),
	});
}

/** GET /api/v2/feedback/{id}: one feedback, or all of a campaign. */
export function getFeedback(world: WorldA, call: Call): Answer {
	const { id = '' } = call.params;
	if (id.length !== 12 && !/^[0-9a-f]{24}$/i.test(id)) {
		const detail =
			'Argument passed in must be a string of 12 bytes or a string of 24 hex characters';
		throw refusal(400, 'An error occurred', detail);
	}
	const { feedback } = world.state;
	const one = feedback.find((candidate) => candidate.id === id);
	if (one && world.settings.singleShape === 'bare') {
		return ok({ message: 'OK', code: 200, data: one });
	}
	if (!one && !findCampaign(world.state, id)) throw refusal(404, 'Feedback record not found.');
	const found = one ? [one] : feedback.filter(({ campaignId }) => campaignId === id);
	return feedbackAnswer(world, call, found);
}

function legacy(feedback: Feedback): LegacyFeedback {
	const { email, firstName, lastName, companyName, tags, createdDate } = feedback;
	const { score, comment, feedbackTags } = feedback;
	const person = { email, firstName, lastName, companyName, tags };
	return { ...person, createdDate, score, comment, feedbackTags };
}

/** GET /api/v2/nps/customers/response (deprecated) */
export function getLegacyFeedback(world: WorldA, call: Call): Answer {
	const found = inPeriod(world.state.feedback, call);
	const rules = { limit: 20, maxLimit: world.settings.maxLimit, ...ORDER };
	const { rows, page, pages, limit, total } = paginate(found, call, rules);
	const startDate = call.query.get('startDate');
	const endDate = call.query.get('endDate');
	const responses = rows.map(legacy);
	return pageAnswer(world, { responses, page, pages, limit, total, startDate, endDate });
}

function feedbackById(world: WorldA, id: string): Feedback {
	const feedback = world.state.feedback.find((candidate) => candidate.id === id);
	if (!feedback) throw refusal(404, 'Feedback record not found.');
	return feedback;
}

const DONE = { message: 'OK', code: 200 };

/** POST /api/v2/response/topics */
export function setTopics(world: WorldA, call: Call): Answer {
	const { id, topics, op = '' } = read(topicsInput, call.body);
	const feedback = feedbackById(world, id);
	const given = topics.map(({ name, sentiment }) => ({ name, sentiment: sentiment || 'neutral' }));
	const held = op === 'append' ? feedback.feedbackTopics : [];
	feedback.feedbackTopics = [...held, ...given];
	world.state.topicked.push({ id, topics: given, op, at: Date.now() });
	return ok(DONE);
}

function writeTags(world: WorldA, id: string, tags: string[], op: string): Answer {
	const feedback = feedbackById(world, id);
	const held = op === 'append' ? feedback.feedbackTags : [];
	feedback.feedbackTags = [...held, ...tags];
	feedback.feedbackTagsNew = feedback.feedbackTags;
	world.state.tagged.push({ id, tags, op, at: Date.now() });
	return ok(DONE);
}

/** POST /api/v2/response/tags */
export function setTags(world: WorldA, call: Call): Answer {
	const { id, tags, op = '' } = read(tagsInput, call.body);
	return writeTags(world, id, tags, op);
}

/** POST /api/v2/nps/customers/response/tags (deprecated): `tags` is optional. */
export function setLegacyTags(world: WorldA, call: Call): Answer {
	const { id, tags = [], op = '' } = read(legacyTagsInput, call.body);
	return writeTags(world, id, tags, op);
}
