import type { ApiResponse } from './apiResponse';
import type { RecordedRequest } from './requestLog';

/** A valid request that matches a route. */
export interface Call {
	params: Record<string, string>;
	query: URLSearchParams;
	body: unknown;
	path: string;
}

/** The handlers of endpoints such as `GET /api/v2/feedback/{id}/`. */
export type Handlers<Context> = Record<string, (context: Context, call: Call) => ApiResponse>;

export interface Route {
	method: string;
	path: string;
	pattern: RegExp;
	handle: (call: Call) => ApiResponse;
}

/** Returns the routes, sorted so that a path without parameters is found before one with a parameter in its place. */
export function routesOf<Context>(handlers: Handlers<Context>, context: Context): Route[] {
	const parameters = ([endpoint]: [string, unknown]) => endpoint.split('{').length;
	const sorted = Object.entries(handlers).sort((a, b) => parameters(a) - parameters(b));
	return sorted.map(([endpoint, handler]) => {
		const [method = '', path = ''] = endpoint.split(' ');
		const pattern = new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
		return { method, path, pattern, handle: (call) => handler(context, call) };
	});
}

function decoded(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

/** Reads the parameters and the query of a request to a route. */
export function callOf({ pattern }: Route, request: RecordedRequest): Call {
	const groups = pattern.exec(request.path)?.groups ?? {};
	const params = Object.fromEntries(
		Object.entries(groups).map(([name, segment]) => [name, decoded(segment)]),
	);
	const query = new URLSearchParams(request.url.slice(request.path.length));
	return { params, query, body: request.body, path: request.path };
}
