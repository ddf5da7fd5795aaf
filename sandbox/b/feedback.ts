import type { Contact, Feedback } from './records';
import { ok, type Answer } from '../core/answer';
import { scoreType } from '../core/rating';
import type { Call } from '../core/routes';
import { feedbackEvent } from './events';
import { choiceFilter, isOpen, period, wholeFilter, within } from './filters';
import { statusInput, read } from './input';
import { pageAnswer } from './pages';
import { notFound, refusal } from './refusals';
import { embedded } from './contacts';
import { nextId, type CampaignOfB, type SurveyOfB, type WorldB } from './state';

/** Timestamps of feedback carry microseconds. */
export const micro = (iso: string): string => iso.replace('Z', '000Z');

/** The feedback of a contact to a survey. */
export function feedbackRecord(
	{ state, origin }: WorldB,
	{ contact, campaign, survey }: { contact: Contact; campaign: CampaignOfB; survey: SurveyOfB },
	answer: { score: number; comment?: string | null; at: string },
): Feedback {
	const id = nextId(state);
	const at = micro(answer.at);
	const commented = answer.comment ? at : null;
	return {
		id,
		href: `${origin()}/api/v2/feedback/${id}/`,
		followup_href: `${origin()}/followup/${id}/`,
		contact: embedded(contact),
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

type Criterion = (feedback: Feedback) => boolean;

/** What a feedback has to fulfill: only that which the call asks for. */
function criteria({ state }: WorldB, call: Call): Criterion[] {
	const { query } = call;
	const email = query.get('survey__contact__email')?.toLowerCase();
	const score = wholeFilter(call, 'score');
	const type = choiceFilter(call, 'score_type', ['promoter', 'passive', 'detractor']);
	const campaign = wholeFilter(call, 'survey__campaign');
	const campaignStatus = query.get('survey__campaign__status');
	const followup = choiceFilter(call, 'followup__type', ['REPLIED', 'FORWARDED']);
	const status = choiceFilter(call, 'status', ['OPEN', 'CLOSED']);
	const posted = period(call);
	const asked: Array<[unknown, Criterion]> = [
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

/** GET /api/v2/feedback/ */
export function getAllFeedback(world: WorldB, call: Call): Answer {
	const wanted = criteria(world, call);
	const all = world.state.feedback;
	const found =
		wanted.length === 0 ? all : all.filter((feedback) => wanted.every((holds) => holds(feedback)));
	// It came in the order of its IDs.
	return pageAnswer(world, call, [...found].reverse());
}

/** The feedback that a path names. */
export function feedbackOf({ state }: WorldB, { params }: Call): Feedback {
	const feedback = state.feedback.find(({ id }) => String(id) === params.id);
	if (feedback) return feedback;
	if (state.gone.has(`/api/v2/feedback/${params.id}/`)) throw refusal(410, 'Gone');
	throw notFound();
}

/** GET /api/v2/feedback/{id}/ */
export function getFeedback(world: WorldB, call: Call): Answer {
	return ok(feedbackOf(world, call));
}

/** PUT /api/v2/feedback/{id}/: its answer names the score's timestamps differently. */
export function updateStatus(world: WorldB, call: Call): Answer {
	const feedback = feedbackOf(world, call);
	const { status } = read(statusInput, call.body);
	if (feedback.status !== status) {
		feedback.status = status;
		feedback.status_changed = micro(world.state.clock.now());
		feedbackEvent(world, 'feedback.status_changed', feedback);
	}
	world.state.statuses.push({ feedbackId: feedback.id, status, at: Date.now() });
	const { created: score_created, score_changed: score_modified, ...rest } = feedback;
	return ok({ ...rest, score_created, score_modified });
}

/** DELETE /api/v2/feedback/{id}/ */
export function deleteFeedback(world: WorldB, call: Call): Answer {
	const feedback = feedbackOf(world, call);
	const { state } = world;
	state.feedback.splice(state.feedback.indexOf(feedback), 1);
	state.gone.add(`/api/v2/feedback/${feedback.id}/`);
	state.deleted.push({ feedbackId: feedback.id, at: Date.now() });
	feedbackEvent(world, 'feedback.removed', feedback);
	return { status: 204 };
}
