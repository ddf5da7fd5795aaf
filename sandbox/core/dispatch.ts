import { Refusal, type Answer } from './answer';
import type { RecordedRequest } from './recorded';
import { callOf, routesAt, type Route } from './routes';

/** What both services share in their settings. */
export interface CommonSettings {
	/** Called after each page of rows, with how many were answered so far: a test changes rows mid-walk. */
	afterListRequest?: (count: number) => void;
	/** Throttles with 429 and `Retry-After`; nothing is throttled without it. */
	rateLimit?: { requests: number; perMs: number };
}

/** What is peculiar to a service: its routes, its rules for every request, its words for refusals. */
export interface House<World> {
	world: World;
	routes: Array<Route<World>>;
	requests: RecordedRequest[];
	settings: CommonSettings;
	/** Throws a Refusal for a request that is not signed or not well formed. */
	guard(request: RecordedRequest): void;
	notFound(request: RecordedRequest): Answer;
	wrongMethod(allowed: string): Answer;
	failed(message: string): Answer;
}

/** An answer ready to be written: its body is text, so that later changes of state leave it alone. */
export interface Rendered {
	status: number;
	headers: Record<string, string>;
	text: string;
}

/** Turns an answer into what goes over the wire. */
export function render({ status, headers = {}, body }: Answer): Rendered {
	if (body === undefined) return { status, headers, text: '' };
	const type = typeof body === 'string' ? 'text/plain' : 'application/json';
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return { status, headers: { 'content-type': `${type}; charset=utf-8`, ...headers }, text };
}

/** Hears of every page of rows. */
export class ListWatch {
	private count = 0;

	reset(): void {
		this.count = 0;
	}

	answered(settings: CommonSettings): void {
		this.count++;
		settings.afterListRequest?.(this.count);
	}
}

function handled<World>(
	house: House<World>,
	request: RecordedRequest,
	found: Route<World> | undefined,
	allowed: string,
): Answer {
	house.guard(request);
	if (!found) return house.wrongMethod(allowed);
	return found.handle(house.world, callOf(found, request));
}

function attempt(house: { failed(message: string): Answer }, action: () => Answer): Answer {
	try {
		return action();
	} catch (error) {
		if (error instanceof Refusal) return error.answer;
		return house.failed(error instanceof Error ? error.message : String(error));
	}
}

/** Carries a request out and renders its answer. */
export function dispatch<World>(
	house: House<World>,
	watch: ListWatch,
	request: RecordedRequest,
): Rendered {
	const there = routesAt(house.routes, request.path);
	const found = there.find(({ method }) => method === request.method);
	const allowed = [...new Set(there.map(({ method }) => method))].join(', ');
	const answer =
		there.length === 0
			? house.notFound(request)
			: attempt(house, () => handled(house, request, found, allowed));
	const rendered = render(answer);
	if (found?.list && answer.status === 200) watch.answered(house.settings);
	return rendered;
}
