import type { Feedback, Tag } from './records';
import { ok } from '../core/apiResponse';
import type { Handlers } from '../core/routes';
import { feedbackEvent } from './events';
import { feedbackOf } from './feedback';
import { forwardInput, read, replyInput, tagInput } from './input';
import { invalid, refusal } from './refusals';
import { followUp, type StateB, type ContextB } from './state';

function requireMember(state: StateB, from_user: string): void {
	if (state.members.includes(from_user)) return;
	if (state.settings.strangerStatus === 403) throw refusal(403, 'Forbidden');
	throw invalid({ from_user: ['User is not a member of the organization.'] });
}

function requireNoReply(state: StateB, id: number): void {
	if (!state.followups.get(id)?.has('REPLIED')) return;
	throw invalid({ non_field_errors: ['Reply already exists for this feedback.'] });
}

function requireIncomplete({ state, settings }: ContextB, { id, status }: Feedback): void {
	const complete = state.complete.has(id) || (settings.closedIsComplete && status === 'CLOSED');
	if (complete) throw invalid({ non_field_errors: ['Feedback has been marked complete.'] });
}

export const followupsRoutes: Handlers<ContextB> = {
	'POST /api/v2/feedback/{id}/reply/': (context, call) => {
		const { id } = feedbackOf(context, call);
		const { from_user, message, cc = [], bcc = [] } = read(replyInput, call.body);
		requireMember(context.state, from_user);
		requireNoReply(context.state, id);
		context.state.replies.push({ feedbackId: id, from_user, message, cc, bcc, at: Date.now() });
		followUp(context.state, id, 'REPLIED');
		return ok({});
	},

	'POST /api/v2/feedback/{id}/forward/': (context, call) => {
		const feedback = feedbackOf(context, call);
		const { from_user } = read(forwardInput, call.body);
		requireMember(context.state, from_user);
		requireNoReply(context.state, feedback.id);
		requireIncomplete(context, feedback);
		followUp(context.state, feedback.id, 'FORWARDED');
		return ok({});
	},

	'POST /api/v2/feedback/{id}/tag/': (context, call) => {
		const feedback = feedbackOf(context, call);
		const { name, category } = read(tagInput, call.body);
		const held = feedback.tags;
		const isHeld = held.some((tag) => tag.name === name);
		if (isHeld && context.settings.tagTwice === 200) return ok({ category, name });
		if (isHeld) {
			throw invalid({ non_field_errors: ['Tag with this name already exists for this feedback.'] });
		}
		const tag: Tag = { name, category };
		feedback.tags = [...held, tag];
		feedbackEvent(context, 'feedback.tags_added_or_changed', feedback);
		return { status: 201, body: { category, name } };
	},
};
