import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IPollFunctions,
} from 'n8n-workflow';

import { guard } from '../../sandbox/a/guard';
import { routes } from '../../sandbox/a/routes';
import { ServiceA } from '../../sandbox/a/service';
import { dispatch, ListPageCounter, render } from '../../sandbox/core/dispatch';
import type { RecordedRequest } from '../../sandbox/core/requestLog';
import { Stage } from '../contract/surveyATrigger/stage.mts';
import { OneCredential } from '../support/engine';

const failed = (message: string) => ({ status: 500, body: { code: 500, message } });

/** Survey A without a socket: a request costs a tenth of the time. The contract tests use sockets. */
export class InProcessServiceA extends ServiceA {
	private readonly pageCounter = new ListPageCounter();

	constructor(origin: string) {
		super({});
		this.url = origin;
	}

	/** Carries out a signed request, and returns the response as n8n's HTTP helper does. */
	respond({ method = 'GET', url, qs = {}, headers = {} }: IHttpRequestOptions) {
		const { pathname } = new URL(url);
		const query = new URLSearchParams(
			Object.entries(qs).map(([name, value]) => [name, String(value)]),
		);
		const names = Object.keys(headers);
		const record: RecordedRequest = {
			at: Date.now(),
			method,
			url: `${pathname}?${query.toString()}`,
			path: pathname,
			query: Object.fromEntries(query),
			headers: Object.fromEntries(names.map((name) => [name.toLowerCase(), String(headers[name])])),
			rawBody: '',
			body: undefined,
			carriedOut: true,
		};
		const { status, headers: sent, text } = this.render(record);
		return { statusCode: status, headers: sent, body: streamOf(text) };
	}

	private render(record: RecordedRequest) {
		const { state, settings, requests } = this;
		const fault = this.faults.take(record);
		if (typeof fault === 'object' && 'status' in fault) return render(fault);
		const definition = {
			context: { state, settings },
			routes,
			requests,
			settings,
			guard: (request: RecordedRequest) => guard(request, { requests, settings, keys: this }),
			notFound: () => ({ status: 404 }),
			wrongMethod: () => ({ status: 405 }),
			failed,
		};
		return dispatch(definition, this.pageCounter, record);
	}
}

function streamOf(text: string) {
	return {
		async *[Symbol.asyncIterator]() {
			yield Buffer.from(text);
		},
		destroy: () => undefined,
	};
}

/** A workflow whose requests go to services in this process. */
export class InProcessStage extends Stage {
	constructor(
		credential: ICredentialDataDecryptedObject,
		private readonly services: InProcessServiceA[],
	) {
		super(credential);
	}

	protected pollFunctions(...parameters: Parameters<Stage['pollFunctions']>): IPollFunctions {
		const functions = super.pollFunctions(...parameters);
		functions.helpers.httpRequestWithAuthentication = async (type, request) => {
			const signed = await new OneCredential(this.credential).authenticate(
				this.credential,
				type,
				request,
			);
			const service = this.services.find(({ url }) => signed.url.startsWith(url));
			if (!service) throw new Error(`No service at ${signed.url}`);
			return service.respond(signed);
		};
		return functions;
	}
}
