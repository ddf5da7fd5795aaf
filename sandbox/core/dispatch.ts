import { Refusal, type ApiResponse } from './apiResponse';
import type { RateLimit } from './rateLimit';
import type { RecordedRequest } from './requestLog';
import { callOf, routesAt, type Route } from './routes';

/** Settings that both services have. */
export interface CommonSettings {
	/** Called after each page of a list with the number of pages sent so far: tests change rows between pages. */
	afterListRequest?: (count: number) => void;
	/** Error bodies are as in the contract, come with status 200, or are a proxy's HTML page. */
	errors: 'contract' | 'status200' | 'html';
	/** Sends timestamps without their zone. */
	timesWithoutZone: boolean;
	/** Sends numeric IDs as text. */
	idsAsText: boolean;
	/** The status of refusals that are 400 otherwise. */
	validationStatus: 400 | 422;
	/** Creating and deleting respond with 201 and 204, or all requests with 200 and an object. */
	successes: 'rest' | 'always200';
	/** Sends emails in lower case, whatever case they were written in. */
	lowercaseEmails: boolean;
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

const ERROR_PAGE = '<!doctype html><title>Bad Gateway</title><h1>Bad Gateway</h1>';

/** Returns a response in the form that the settings ask for. A rate limit always has the form of the contract. */
function inForm(
	{ errors, successes, validationStatus }: CommonSettings,
	response: ApiResponse,
): ApiResponse {
	const status = response.status === 400 ? validationStatus : response.status;
	if (status < 300 && successes === 'always200') {
		return { ...response, status: 200, body: response.body ?? {} };
	}
	if (status < 400 || status === 429 || errors === 'contract') return { ...response, status };
	if (errors === 'status200') return { ...response, status: 200 };
	return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: ERROR_PAGE };
}

const ZONED_TIME = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?)Z"/g;

const EMAIL = /"[^"@\s]+@[^"@\s]+"/g;

const NUMERIC_ID = /"(id|campaign_id)":(\d+)/g;

function renderFor(settings: CommonSettings, response: ApiResponse): RenderedResponse {
	const { text, ...rest } = render(inForm(settings, response));
	const changes: Array<[boolean, (text: string) => string]> = [
		[settings.timesWithoutZone, (one) => one.replace(ZONED_TIME, '"$1"')],
		[settings.idsAsText, (one) => one.replace(NUMERIC_ID, '"$1":"$2"')],
		[settings.lowercaseEmails, (one) => one.replace(EMAIL, (email) => email.toLowerCase())],
	];
	const changed = changes.reduce((one, [asked, change]) => (asked ? change(one) : one), text);
	return { ...rest, text: changed };
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

/** Carries out a request, records whether it had its effect, and serializes the response. */
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
	request.carriedOut = response.status < 300;
	const rendered = renderFor(definition.settings, response);
	if (found?.list && response.status === 200) pages.increment(definition.settings);
	return rendered;
}
