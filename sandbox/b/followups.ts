import type { Feedback, Tag } from './records';
import { ok, type Answer } from '../core/answer';
import type { Call } from '../core/routes';
import { feedbackEvent } from './events';
import { feedbackOf } from './feedback';
import { forwardInput, read, replyInput, tagInput } from './input';
import { invalid } from './refusals';
import { followUp, type StateB, type WorldB } from './state';

function demandMember(state: StateB, from_user: string): void {
	if (state.members.includes(from_user)) return;
	throw invalid({ from_user: ['User is not a member of the organization.'] });
}

function demandNoReply(state: StateB, id: number): void {
	if (!state.followups.get(id)?.has('REPLIED')) return;
	throw invalid({ non_field_errors: ['Reply already exists for this feedback.'] });
}

function demandIncomplete({ state, settings }: WorldB, { id, status }: Feedback): void {
	const complete = state.complete.has(id) || (settings.closedIsComplete && status === 'CLOSED');
	if (complete) throw invalid({ non_field_errors: ['Feedback has been marked complete.'] });
}

/** POST /api/v2/feedback/{id}/reply/ */
export function reply(world: WorldB, call: Call): Answer {
	const { id } = feedbackOf(world, call);
	const { from_user, message, cc = [], bcc = [] } = read(replyInput, call.body);
	demandMember(world.state, from_user);
	demandNoReply(world.state, id);
	world.state.replies.push({ feedbackId: id, from_user, message, cc, bcc, at: Date.now() });
	followUp(world.state, id, 'REPLIED');
	return ok({});
}

/** POST /api/v2/feedback/{id}/forward/ */
export function forward(world: WorldB, call: Call): Answer {
	const feedback = feedbackOf(world, call);
	const { from_user, to } = read(forwardInput, call.body);
	demandMember(world.state, from_user);
	demandNoReply(world.state, feedback.id);
	demandIncomplete(world, feedback);
	world.state.forwards.push({ feedbackId: feedback.id, from_user, to, at: Date.now() });
	followUp(world.state, feedback.id, 'FORWARDED');
	return ok({});
}

/** POST /api/v2/feedback/{id}/tag/ */
export function addTag(world: WorldB, call: Call): Answer {
	const feedback = feedbackOf(world, call);
	const { name, category } = read(tagInput, call.body);
	const held = feedback.tags;
	if (held.some((tag) => tag.name === name)) {
		throw invalid({ non_field_errors: ['Tag with this name already exists for this feedback.'] });
	}
	const tag: Tag = { name, category };
	feedback.tags = [...held, tag];
	world.state.tags.push({ feedbackId: feedback.id, name, category, at: Date.now() });
	feedbackEvent(world, 'feedback.tags_added_or_changed', feedback);
	return { status: 201, body: { category, name } };
}
