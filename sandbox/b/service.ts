import type { Contact, Feedback } from './records';
import { ListPageCounter } from '../core/dispatch';
import { Faults } from '../core/faults';
import type { RecordedRequest } from '../core/requestLog';
import { routesAt } from '../core/routes';
import { listen, type ServiceParts } from '../core/server';
import type { ServiceOptions } from '../core/options';
import { answerSurvey, surveyCards, type AnswerToB } from './customerAnswers';
import { WebhookSender, type Delivery } from './webhookDeliveries';
import { guard } from './guard';
import { routes } from './routes';
import { seed, seedContacts, seedFeedback } from './seed';
import { defaultSettings } from './settings';
import { emptyState, type StateB, type ContextB } from './state';
import { mergeTag, removeTag, renameTag } from './tags';

/** Survey service B on loopback. */
export class ServiceB {
	/** The origin, without a trailing slash. */
	url = '';

	/** The valid key; tests may change it. */
	apiKey = 'example-key-of-service-b';

	readonly requests: RecordedRequest[] = [];

	readonly faults = new Faults();

	readonly settings = defaultSettings();

	readonly state: StateB;

	/** All deliveries, in order. */
	readonly deliveries: Delivery[];

	private readonly pages = new ListPageCounter();

	private readonly sender: WebhookSender;

	private readonly context: ContextB;

	private stop = async () => {};

	constructor(private readonly options: ServiceOptions) {
		this.state = emptyState(options.seedFrom);
		this.sender = new WebhookSender(this.state, this.settings);
		this.deliveries = this.sender.deliveries;
		this.context = {
			state: this.state,
			settings: this.settings,
			origin: () => this.url,
			emit: (event, data) => this.sender.emit(event, data),
		};
	}

	async start(): Promise<this> {
		const { url, close } = await listen(this.parts(), this.options.port);
		this.url = url;
		this.stop = close;
		seed(this.context);
		return this;
	}

	/** Restores the seed, the settings, and empty logs. Keeps the identity of the objects. */
	reset(): void {
		this.faults.clear();
		this.pages.reset();
		this.requests.length = 0;
		this.sender.clear();
		Object.assign(this.settings, defaultSettings());
		Object.assign(this.state, emptyState(this.options.seedFrom));
		seed(this.context);
	}

	async close(): Promise<void> {
		this.sender.end();
		await this.stop();
	}

	seedContacts(count: number): Contact[] {
		return seedContacts(this.context, count);
	}

	seedFeedback(count: number): void {
		seedFeedback(this.context, count);
	}

	/** Answers a survey as the customer, or changes the earlier answer, and emits the events. */
	answer(answer: AnswerToB): Feedback {
		return answerSurvey(this.context, answer);
	}

	/** Marks a feedback as complete: it can no longer be forwarded. */
	markComplete(feedbackId: number): void {
		this.state.complete.add(feedbackId);
	}

	mergeTag(campaignId: number, before: string, after: string): void {
		mergeTag(this.context, campaignId, before, after);
	}

	renameTag(campaignId: number, before: string, after: string): void {
		renameTag(this.context, campaignId, before, after);
	}

	removeTag(campaignId: number, name: string): void {
		removeTag(this.context, campaignId, name);
	}

	/** Sends an event to its subscriptions without a delay; resolves when all have responded or failed. */
	async deliver(event: string, data: unknown): Promise<Delivery[]> {
		return await this.sender.deliver(event, data);
	}

	/** Resolves when no delivery is running or waiting. */
	async idle(): Promise<void> {
		await this.sender.idle();
	}

	private missing({ path, url }: RecordedRequest) {
		const slashed = this.settings.redirectSlash && routesAt(routes, `${path}/`).length > 0;
		if (!slashed) return { status: 404, body: { detail: 'Not Found' } };
		return { status: 301, headers: { location: url.replace(path, `${path}/`) } };
	}

	private parts(): ServiceParts<ContextB> {
		const { requests, settings, faults, pages, context } = this;
		return {
			faults,
			pages,
			customerUi: {
				title: 'Survey B sandbox',
				surveys: () => surveyCards(context),
				answer: ({ campaignId, ...answer }) =>
					void answerSurvey(context, { ...answer, campaignId: Number(campaignId) }),
			},
			definition: {
				context,
				routes,
				requests,
				settings,
				guard: (request) => guard(request, { requests, settings, apiKey: this.apiKey }),
				notFound: (request) => this.missing(request),
				wrongMethod: (allow) => ({
					status: 405,
					headers: { allow },
					body: { detail: 'Method Not Allowed' },
				}),
				failed: (detail) => ({ status: 500, body: { detail } }),
			},
		};
	}
}

export async function startServiceB(options: ServiceOptions = {}): Promise<ServiceB> {
	return await new ServiceB(options).start();
}
