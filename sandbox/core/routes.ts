import type { ApiResponse } from './apiResponse';
import type { RecordedRequest } from './requestLog';

/** A valid request that matches a route. */
export interface Call {
	params: Record<string, string>;
	query: URLSearchParams;
	body: unknown;
	path: string;
}

export type Handler<Context> = (context: Context, call: Call) => ApiResponse;

/** The handlers of endpoints such as `GET /api/v2/feedback/{id}/`. */
export type Handlers<Context> = Record<string, Handler<Context>>;

export interface Route<Context> {
	method: string;
	path: string;
	pattern: RegExp;
	handle: Handler<Context>;
}

/** Returns the routes, sorted so that a path without parameters is found before one with a parameter in its place. */
export function routesOf<Context>(handlers: Handlers<Context>): Array<Route<Context>> {
	const parameters = ({ path }: Route<Context>) => path.split('{').length;
	const routes = Object.entries(handlers).map(([endpoint, handle]) => {
		const [method = '', path = ''] = endpoint.split(' ');
		const pattern = new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
		return { method, path, pattern, handle };
	});
	return routes.sort((one, other) => parameters(one) - parameters(other));
}

/** Returns the routes of this exact path, for all methods. */
export function routesAt<Context>(
	routes: Array<Route<Context>>,
	path: string,
): Array<Route<Context>> {
	return routes.filter((candidate) => candidate.pattern.test(path));
}

function decoded(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

/** Reads the parameters and the query of a request to a route. */
export function callOf<Context>(route: Route<Context>, request: RecordedRequest): Call {
	const groups = route.pattern.exec(request.path)?.groups ?? {};
	const params = Object.fromEntries(
		Object.entries(groups).map(([name, segment]) => [name, decoded(segment)]),
	);
	const query = new URLSearchParams(request.url.slice(request.path.length));
	return { params, query, body: request.body, path: request.path };
}
