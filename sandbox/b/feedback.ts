import { micro, type Feedback } from './records';
import { ok } from '../core/apiResponse';
import type { Call, Handlers } from '../core/routes';
import { sorted } from '../core/sorted';
import { feedbackEvent } from './events';
import { filtersOf, periodOf, requireKnown, within } from './filters';
import { statusInput, read } from './input';
import { pageResponse } from './pages';
import { notFound, refusal } from './refusals';
import type { ContextB } from './state';

/** Returns the feedback that a request asks for, oldest first. */
function found(context: ContextB, call: Call): Feedback[] {
	const { state, settings } = context;
	const all = filtersOf(call);
	// A long list is read page by page, and looking at each record for each page would take longer than the rest.
	if (Object.keys(all).length === 0) return state.feedback;
	const { followup__type: followup, ...filters } = all;
	const posted = periodOf(context, call);
	const email = filters.survey__contact__email;
	const is = (wanted: unknown, value: unknown) => wanted === undefined || wanted === value;
	const campaigns = state.campaigns.map(({ record }) => record);
	if (filters.survey__campaign !== undefined) {
		requireKnown(context, campaigns, filters.survey__campaign);
	}
	return state.feedback.filter(
		(feedback) =>
			(!email || state.keyOf(feedback.contact.email) === state.keyOf(email)) &&
			is(filters.score, feedback.score) &&
			is(filters.score_type, feedback.score_type) &&
			is(filters.survey__campaign, feedback.campaign.id) &&
			is(filters.survey__campaign__status, feedback.campaign.status) &&
			(!followup || state.followups.get(feedback.id)?.has(followup)) &&
			is(filters.status, feedback.status) &&
			within(posted, feedback[settings.periodOf]),
	);
}

function ordered({ settings: { feedbackOrder } }: ContextB, oldestFirst: Feedback[]): Feedback[] {
	if (feedbackOrder === 'oldest') return oldestFirst;
	if (feedbackOrder === 'newest') return [...oldestFirst].reverse();
	return sorted(oldestFirst, ({ status_changed }) => status_changed, 'down');
}

/** Returns the feedback with the ID in the path. */
export function feedbackOf({ state, settings }: ContextB, { params }: Call): Feedback {
	const feedback = state.feedback.find(({ id }) => String(id) === params.id);
	if (feedback) return feedback;
	if (state.gone.has(`/api/v2/feedback/${params.id}/`)) {
		throw refusal(settings.removedRecord, 'Gone');
	}
	throw notFound();
}

export const feedbackRoutes: Handlers<ContextB> = {
	'GET /api/v2/feedback/': (context, call) =>
		pageResponse(context, call, ordered(context, found(context, call))),

	'GET /api/v2/feedback/{id}/': (context, call) => ok(feedbackOf(context, call)),

	/** The response names the timestamps of the score differently. */
	'PUT /api/v2/feedback/{id}/': (context, call) => {
		const feedback = feedbackOf(context, call);
		const { status } = read(statusInput, call.body);
		if (feedback.status !== status) {
			feedback.status = status;
			feedback.status_changed = micro(context.state.clock.now());
			feedbackEvent(context, 'feedback.status_changed', feedback);
		}
		const { created: score_created, score_changed: score_modified, ...rest } = feedback;
		return ok({ ...rest, score_created, score_modified });
	},

	'DELETE /api/v2/feedback/{id}/': (context, call) => {
		const feedback = feedbackOf(context, call);
		const { state } = context;
		state.feedback.splice(state.feedback.indexOf(feedback), 1);
		state.gone.add(`/api/v2/feedback/${feedback.id}/`);
		feedbackEvent(context, 'feedback.removed', feedback);
		return { status: 204 };
	},
};
