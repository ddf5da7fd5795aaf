import type { CommonReply } from './records';
import type { ApiResponse } from '../core/apiResponse';
import { type Call, listRoute, route, type Route } from '../core/routes';
import { commonReplyInput, read } from './input';
import { pageResponse } from './pages';
import { notFound, refusal } from './refusals';
import { nextId, type StateB, type ContextB } from './state';

/** GET /api/v2/replies/ */
function getCommonReplies(context: ContextB, call: Call): ApiResponse {
	return pageResponse(context, call, context.state.commonReplies);
}

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

/** POST /api/v2/replies/ */
function createCommonReply({ state }: ContextB, call: Call): ApiResponse {
	const { title, reply, category } = read(commonReplyInput, call.body);
	return { status: 201, body: placeCommonReply(state, { title, reply, name: category?.name }) };
}

/** DELETE /api/v2/replies/{id}/ */
function deleteCommonReply({ state }: ContextB, { params, path }: Call): ApiResponse {
	const index = state.commonReplies.findIndex(({ id }) => String(id) === params.id);
	if (index < 0) throw state.gone.has(path) ? refusal(410, 'Gone') : notFound();
	state.commonReplies.splice(index, 1);
	state.gone.add(path);
	return { status: 204 };
}

export const commonRepliesRoutes: Array<Route<ContextB>> = [
	listRoute('/api/v2/replies/', getCommonReplies),
	route('POST', '/api/v2/replies/', createCommonReply),
	route('DELETE', '/api/v2/replies/{id}/', deleteCommonReply),
];
