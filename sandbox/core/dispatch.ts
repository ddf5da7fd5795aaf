import { Refusal, type ApiResponse } from './apiResponse';
import type { RateLimit } from './rateLimit';
import type { RecordedRequest } from './requestLog';
import { callOf, routesAt, type Route } from './routes';

/** Settings that both services have. */
export interface CommonSettings {
	/** Called after each page of a list with the number of pages sent so far: tests change rows between pages. */
	afterListRequest?: (count: number) => void;
	/** Throttles with 429 and `Retry-After`; undefined for no limit. */
	rateLimit?: RateLimit;
}

/** The differences between the services: routes, checks of every request, and error bodies. */
export interface ServiceDefinition<Context> {
	context: Context;
	routes: Array<Route<Context>>;
	requests: RecordedRequest[];
	settings: CommonSettings;
	/** Throws a Refusal for a request without a valid key or with invalid JSON. */
	guard(request: RecordedRequest): void;
	notFound(request: RecordedRequest): ApiResponse;
	wrongMethod(allowed: string): ApiResponse;
	failed(message: string): ApiResponse;
}

/** A response ready to be written. The body is text, so that later changes of state do not change it. */
export interface RenderedResponse {
	status: number;
	headers: Record<string, string>;
	text: string;
}

/** Serializes a response. */
export function render({ status, headers = {}, body }: ApiResponse): RenderedResponse {
	if (body === undefined) return { status, headers, text: '' };
	const type = typeof body === 'string' ? 'text/plain' : 'application/json';
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return { status, headers: { 'content-type': `${type}; charset=utf-8`, ...headers }, text };
}

/** Counts the pages of lists that were sent. */
export class ListPageCounter {
	private count = 0;

	reset(): void {
		this.count = 0;
	}

	increment(settings: CommonSettings): void {
		this.count++;
		settings.afterListRequest?.(this.count);
	}
}

function handle<Context>(
	definition: ServiceDefinition<Context>,
	request: RecordedRequest,
	found: Route<Context> | undefined,
	allowed: string,
): ApiResponse {
	try {
		definition.guard(request);
		if (!found) return definition.wrongMethod(allowed);
		return found.handle(definition.context, callOf(found, request));
	} catch (error) {
		if (error instanceof Refusal) return error.response;
		return definition.failed(error instanceof Error ? error.message : String(error));
	}
}

/** Carries out a request and serializes the response. */
export function dispatch<Context>(
	definition: ServiceDefinition<Context>,
	pages: ListPageCounter,
	request: RecordedRequest,
): RenderedResponse {
	const candidates = routesAt(definition.routes, request.path);
	const found = candidates.find(({ method }) => method === request.method);
	const allowed = [...new Set(candidates.map(({ method }) => method))].join(', ');
	const response =
		candidates.length === 0
			? definition.notFound(request)
			: handle(definition, request, found, allowed);
	const rendered = render(response);
	if (found?.list && response.status === 200) pages.increment(definition.settings);
	return rendered;
}
