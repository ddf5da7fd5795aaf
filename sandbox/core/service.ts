import express, { type Request, type Response } from 'express';
import { Refusal, render, renderFor, type ApiResponse, type RenderedResponse } from './apiResponse';
import { Faults, type FaultKind } from './faults';
import { sleep } from './node.mts';
import { servePages, type CustomerAnswer, type CustomerUi, type SurveyCard } from './page';
import { recordRequest, type RecordedRequest } from './requestLog';
import { callOf, type Route } from './routes';
import { listen } from './server';
import type { CommonSettings } from './settings';
import { applyFault, resetConnection, write, type Exchange } from './write';

export interface ServiceOptions {
	/** Default: a free port. */
	port?: number;
	/** Creation time of the first seeded record; the others follow one second apart. Default: 20 days ago. */
	seedFrom?: Date;
}

type Watcher = (
	service: SurveyService,
	request: RecordedRequest,
	response: RenderedResponse,
) => void;

/** They see each request that a service carries out, with its response before a fault changes it. */
export const watchers = new Set<Watcher>();

/** A survey service on loopback. */
export abstract class SurveyService implements CustomerUi {
	/** The origin, without a trailing slash. */
	url = '';

	readonly requests: RecordedRequest[] = [];

	readonly faults = new Faults();

	/** The account's key. Assign another one to rotate it. */
	abstract apiKey: string;

	abstract readonly title: string;

	abstract readonly settings: CommonSettings;

	/** The endpoints of the contract. */
	abstract readonly routes: Route[];

	private received = 0;

	private stop = async () => {};

	constructor(protected readonly options: ServiceOptions) {}

	async start(): Promise<this> {
		const app = express().disable('x-powered-by').set('strict routing', true);
		app.use(express.text({ type: () => true, limit: '64mb' }));
		app.use((_, response, next) => {
			// Tests set the clock of `Date.now()`, which Node's own header does not use.
			response.setHeader('Date', new Date(Date.now()).toUTCString());
			next();
		});
		servePages(app, this);
		app.use((request, response) => this.receive(request, response));
		const { url, close } = await listen(app, this.options.port);
		this.url = url;
		this.stop = close;
		this.reset();
		return this;
	}

	/** Restores the seed, the settings, and an empty log. Keeps the identity of the objects. */
	reset(): void {
		this.faults.clear();
		this.requests.length = 0;
		this.received = 0;
		this.restore();
	}

	async close(): Promise<void> {
		await this.stop();
	}

	/** Returns the surveys that were sent, newest first. */
	abstract readonly surveyCards: () => SurveyCard[];

	/** Answers a survey as the customer. */
	abstract readonly answer: (answer: CustomerAnswer) => unknown;

	/** Throws a Refusal for a request without a valid key or with invalid JSON. */
	protected abstract readonly guard: (request: RecordedRequest) => void;

	/** Creates an error in the form of the service. */
	protected abstract readonly refusal: (status: number, message: string, error?: string) => Refusal;

	/** Restores the seed and the settings. */
	protected abstract restore(): void;

	private async receive(request: Request, response: Response) {
		const record = recordRequest(request);
		this.requests.push(record);
		const fault = this.faults.take(record);
		const exchange = { record, request, response };
		if (fault) await this.respondWithFault(exchange, fault);
		else write(exchange, await this.carryOut(record));
	}

	private async respondWithFault(exchange: Exchange, fault: FaultKind) {
		const { record } = exchange;
		if (fault === 'reset-before') return resetConnection(exchange);
		if (typeof fault === 'string') return applyFault(fault, exchange, await this.carryOut(record));
		if ('status' in fault) return write(exchange, render(fault));
		await ('delayMs' in fault ? sleep(fault.delayMs) : fault.until);
		return write(exchange, await this.carryOut(record));
	}

	/** Carries out a request, records whether it had its effect, and serializes the response. */
	private async carryOut(record: RecordedRequest): Promise<RenderedResponse> {
		const response = this.responseTo(record);
		record.carriedOut = response.status < 300;
		const rendered = renderFor(this.settings, response);
		for (const watch of watchers) watch(this, record, rendered);
		return rendered;
	}

	/** Every seventh request is one too many. */
	private isOverLimit(): boolean {
		this.received++;
		return this.settings.rateLimit !== 'none' && this.received % 7 === 0;
	}

	private tooManyRequests(): ApiResponse {
		const message = 'Request was throttled. Expected available in 1 second.';
		const { response } = this.refusal(429, message);
		if (this.settings.rateLimit === 'bare') return this.refusal(429, 'Too Many Requests').response;
		return { ...response, headers: { 'retry-after': '1' } };
	}

	private responseTo(record: RecordedRequest): ApiResponse {
		const candidates = this.routes.filter(({ pattern }) => pattern.test(record.path));
		if (candidates.length === 0) return this.refusal(404, 'Not Found').response;
		const found = candidates.find(({ method }) => method === record.method);
		if (this.isOverLimit()) return this.tooManyRequests();
		try {
			this.guard(record);
			if (found) return found.handle(callOf(found, record));
			const allow = candidates.map(({ method }) => method).join(', ');
			return { ...this.refusal(405, 'Method Not Allowed').response, headers: { allow } };
		} catch (error) {
			if (error instanceof Refusal) return error.response;
			return this.refusal(500, 'Internal Server Error', String(error)).response;
		}
	}
}
