import type { Answer } from './answer';
import type { RecordedRequest } from './recorded';

/** A call as a handler sees it: matched to a route, signed and well formed. */
export interface Call {
	params: Record<string, string>;
	query: URLSearchParams;
	body: unknown;
	path: string;
}

export type Handler<World> = (world: World, call: Call) => Answer;

export interface Route<World> {
	method: string;
	path: string;
	pattern: RegExp;
	handle: Handler<World>;
	/** Its answer is a page of rows: `settings.afterListRequest` hears of it. */
	list: boolean;
}

/** One line of the contract: `route('GET', '/api/v2/feedback/{id}/', getFeedback)`. */
export function route<World>(
	method: string,
	path: string,
	handle: Handler<World>,
	{ list = false } = {},
): Route<World> {
	const pattern = new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
	return { method, path, pattern, handle, list };
}

/** A route that answers pages of rows. */
export function listRoute<World>(path: string, handle: Handler<World>): Route<World> {
	return route('GET', path, handle, { list: true });
}

/** All routes of this exact path, whatever their method. */
export function routesAt<World>(routes: Array<Route<World>>, path: string): Array<Route<World>> {
	return routes.filter((candidate) => candidate.pattern.test(path));
}

function decoded(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

/** The call that a request makes to a route. */
export function callOf<World>(route: Route<World>, request: RecordedRequest): Call {
	const groups = route.pattern.exec(request.path)?.groups ?? {};
	const params = Object.fromEntries(
		Object.entries(groups).map(([name, segment]) => [name, decoded(segment)]),
	);
	const query = new URLSearchParams(request.url.slice(request.path.length));
	return { params, query, body: request.body, path: request.path };
}
