import { Refusal, type ApiResponse } from './apiResponse';
import type { CustomerUi } from './customerUi';
import type { Faults } from './faults';
import type { RecordedRequest } from './requestLog';
import { callOf, routesAt, type Route } from './routes';
import type { CommonSettings } from './settings';

/** A service, as the server needs it. */
export interface ServiceDefinition<Context> extends CustomerUi {
	context: Context;
	routes: Array<Route<Context>>;
	requests: RecordedRequest[];
	settings: CommonSettings;
	faults: Faults;
	/** Number of pages of lists that were sent. */
	pagesSent: number;
	/** Throws a Refusal for a request without a valid key or with invalid JSON. */
	guard(request: RecordedRequest): void;
	/** Creates an error in the form of the service. */
	refusal(status: number, message: string, error?: string): Refusal;
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

function handle<Context>(
	service: ServiceDefinition<Context>,
	request: RecordedRequest,
): ApiResponse {
	const candidates = routesAt(service.routes, request.path);
	if (candidates.length === 0) return service.refusal(404, 'Not Found').response;
	const found = candidates.find(({ method }) => method === request.method);
	try {
		service.guard(request);
		if (found) return found.handle(service.context, callOf(found, request));
		const allow = candidates.map(({ method }) => method).join(', ');
		return { ...service.refusal(405, 'Method Not Allowed').response, headers: { allow } };
	} catch (error) {
		if (error instanceof Refusal) return error.response;
		return service.refusal(500, 'Internal Server Error', String(error)).response;
	}
}

/** Carries out a request, records whether it had its effect, and serializes the response. */
export function dispatch<Context>(
	service: ServiceDefinition<Context>,
	request: RecordedRequest,
): RenderedResponse {
	const response = handle(service, request);
	request.carriedOut = response.status < 300;
	const rendered = renderFor(service.settings, response);
	if (response.isPage) service.settings.afterListRequest?.(++service.pagesSent);
	return rendered;
}
