import type { CommonReply } from './records';
import type { Handlers } from '../core/routes';
import { commonReplyInput, read } from './input';
import { otherPageResponse } from './pages';
import { notFound, refusal } from './refusals';
import { nextId, type StateB, type ContextB } from './state';

/** Returns the category with this name; creates it if necessary. */
function category(state: StateB, name: string): CommonReply['category'] {
	const known = state.commonReplies.find((reply) => reply.category.name === name);
	return known?.category ?? { id: nextId(state), name };
}

/** Adds a common reply. */
export function placeCommonReply(
	state: StateB,
	{ title, reply, name }: { title: string; reply: string; name?: string },
): CommonReply {
	const placed: CommonReply = {
		id: nextId(state),
		title,
		reply,
		category: category(state, name ?? 'General'),
	};
	state.commonReplies.push(placed);
	return placed;
}

export const commonRepliesRoutes: Handlers<ContextB> = {
	'GET /api/v2/replies/': (context, call) => {
		// The contract shows the envelope of this list.
		const settings = { ...context.settings, bareLists: false };
		return otherPageResponse({ ...context, settings }, call, context.state.commonReplies);
	},

	'POST /api/v2/replies/': ({ state }, call) => {
		const { title, reply, category } = read(commonReplyInput, call.body);
		return { status: 201, body: placeCommonReply(state, { title, reply, name: category?.name }) };
	},

	'DELETE /api/v2/replies/{id}/': ({ state, settings }, { params, path }) => {
		const index = state.commonReplies.findIndex(({ id }) => String(id) === params.id);
		if (index < 0) {
			throw state.gone.has(path) ? refusal(settings.removedRecord, 'Gone') : notFound();
		}
		state.commonReplies.splice(index, 1);
		state.gone.add(path);
		return { status: 204 };
	},
};
