import type { Contact, Feedback } from './records';
import { ok } from '../core/apiResponse';
import { scoreType } from '../core/rating';
import type { Call, Handlers } from '../core/routes';
import { feedbackEvent } from './events';
import { choiceFilter, isOpen, period, wholeFilter, within } from './filters';
import { statusInput, read } from './input';
import { pageResponse } from './pages';
import { notFound, refusal } from './refusals';
import { embeddedContact } from './contacts';
import { nextId, type CampaignOfB, type SurveyOfB, type ContextB } from './state';

/** Formats a timestamp with microseconds, as feedback has them. */
export const micro = (iso: string): string => iso.replace('Z', '000Z');

/** Creates the feedback of a contact to a survey. */
export function feedbackRecord(
	{ state, url }: ContextB,
	{ contact, campaign, survey }: { contact: Contact; campaign: CampaignOfB; survey: SurveyOfB },
	answer: { score: number; comment?: string | null; at: string },
): Feedback {
	const id = nextId(state);
	const at = micro(answer.at);
	const commented = answer.comment ? at : null;
	return {
		id,
		href: `${url}/api/v2/feedback/${id}/`,
		followup_href: `${url}/followup/${id}/`,
		contact: embeddedContact(contact),
		campaign: campaign.record,
		score: answer.score,
		created: at,
		score_changed: at,
		score_type: scoreType(answer.score),
		comment: answer.comment || null,
		comment_created: commented,
		comment_modified: commented,
		tags: [],
		survey: { id: survey.id, attributes: survey.attributes, sent_date: survey.sent_date },
		status: 'OPEN',
		status_changed: at,
	};
}

type Filter = (feedback: Feedback) => boolean;

/** Returns the filters that a request asks for. */
function filtersOf({ state }: ContextB, call: Call): Filter[] {
	const { query } = call;
	const email = query.get('survey__contact__email')?.toLowerCase();
	const score = wholeFilter(call, 'score');
	const type = choiceFilter(call, 'score_type', ['promoter', 'passive', 'detractor']);
	const campaign = wholeFilter(call, 'survey__campaign');
	const campaignStatus = query.get('survey__campaign__status');
	const followup = choiceFilter(call, 'followup__type', ['REPLIED', 'FORWARDED']);
	const status = choiceFilter(call, 'status', ['OPEN', 'CLOSED']);
	const posted = period(call);
	const asked: Array<[unknown, Filter]> = [
		[email, (feedback) => feedback.contact.email.toLowerCase() === email],
		[score !== undefined, (feedback) => feedback.score === score],
		[type, (feedback) => feedback.score_type === type],
		[campaign !== undefined, (feedback) => feedback.campaign.id === campaign],
		[campaignStatus, (feedback) => feedback.campaign.status === campaignStatus],
		[
			followup,
			(feedback) =>
				followup !== undefined && Boolean(state.followups.get(feedback.id)?.has(followup)),
		],
		[status, (feedback) => feedback.status === status],
		[!isOpen(posted), (feedback) => within(posted, feedback.created)],
	];
	return asked.flatMap(([isAsked, holds]) => (isAsked ? [holds] : []));
}

/** Returns the feedback with the ID in the path. */
export function feedbackOf({ state }: ContextB, { params }: Call): Feedback {
	const feedback = state.feedback.find(({ id }) => String(id) === params.id);
	if (feedback) return feedback;
	if (state.gone.has(`/api/v2/feedback/${params.id}/`)) throw refusal(410, 'Gone');
	throw notFound();
}

export const feedbackRoutes: Handlers<ContextB> = {
	'GET /api/v2/feedback/': (context, call) => {
		const filters = filtersOf(context, call);
		const all = context.state.feedback;
		const found =
			filters.length === 0
				? all
				: all.filter((feedback) => filters.every((holds) => holds(feedback)));
		// Feedback is stored oldest first.
		return pageResponse(context, call, [...found].reverse());
	},

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
