import type { Contact, Feedback } from './records';
import { ListWatch } from '../core/dispatch';
import { Faults } from '../core/faults';
import type { RecordedRequest } from '../core/recorded';
import { routesAt } from '../core/routes';
import { listen, type Shell } from '../core/server';
import type { ServiceOptions } from '../core/options';
import { answerSurvey, surveyCards, type AnswerToB } from './answering';
import { Courier, type Delivery } from './deliveries';
import { guard } from './guard';
import { routes } from './routes';
import { seed, seedContacts, seedFeedback } from './seed';
import { defaultSettings } from './settings';
import { emptyState, type StateB, type WorldB } from './state';
import { mergeTag, removeTag, renameTag } from './tags';

/** Survey service B on loopback. */
export class ServiceB {
	/** The origin, without a slash at its end. */
	url = '';

	/** The key that requests have to bring; may be changed. */
	apiKey = 'example-key-of-service-b';

	readonly requests: RecordedRequest[] = [];

	readonly faults = new Faults();

	readonly settings = defaultSettings();

	readonly state: StateB;

	/** Every delivery made to a subscription, in order. */
	readonly deliveries: Delivery[];

	private readonly watch = new ListWatch();

	private readonly courier: Courier;

	private readonly world: WorldB;

	private stop = async () => {};

	constructor(private readonly options: ServiceOptions) {
		this.state = emptyState(options.seedFrom);
		this.courier = new Courier(this.state, this.settings);
		this.deliveries = this.courier.deliveries;
		this.world = {
			state: this.state,
			settings: this.settings,
			origin: () => this.url,
			emit: (event, data) => this.courier.emit(event, data),
		};
	}

	async start(): Promise<this> {
		const { url, close } = await listen(this.shell(), this.options.port);
		this.url = url;
		this.stop = close;
		seed(this.world);
		return this;
	}

	/** Back to the small seed: state, requests, deliveries, faults and settings. The objects stay the same. */
	reset(): void {
		this.faults.clear();
		this.watch.reset();
		this.requests.length = 0;
		this.courier.forget();
		Object.assign(this.settings, defaultSettings());
		Object.assign(this.state, emptyState(this.options.seedFrom));
		seed(this.world);
	}

	async close(): Promise<void> {
		this.courier.end();
		await this.stop();
	}

	seedContacts(count: number): Contact[] {
		return seedContacts(this.world, count);
	}

	seedFeedback(count: number): void {
		seedFeedback(this.world, count);
	}

	/** The customer answers a survey, or changes the answer given before; its events go out. */
	answer(answer: AnswerToB): Feedback {
		return answerSurvey(this.world, answer);
	}

	/** Marks a feedback complete: it is not forwarded any more. */
	markComplete(feedbackId: number): void {
		this.state.complete.add(feedbackId);
	}

	mergeTag(campaignId: number, before: string, after: string): void {
		mergeTag(this.world, campaignId, before, after);
	}

	renameTag(campaignId: number, before: string, after: string): void {
		renameTag(this.world, campaignId, before, after);
	}

	removeTag(campaignId: number, name: string): void {
		removeTag(this.world, campaignId, name);
	}

	/** Sends an event of this data to all its subscriptions, at once, and resolves when that is done. */
	async deliver(event: string, data: unknown): Promise<Delivery[]> {
		return await this.courier.deliver(event, data);
	}

	/** Resolves when no delivery is under way or waiting any more. */
	async idle(): Promise<void> {
		await this.courier.idle();
	}

	private missing({ path, url }: RecordedRequest) {
		const slashed = this.settings.redirectSlash && routesAt(routes, `${path}/`).length > 0;
		if (!slashed) return { status: 404, body: { detail: 'Not Found' } };
		return { status: 301, headers: { location: url.replace(path, `${path}/`) } };
	}

	private shell(): Shell<WorldB> {
		const { requests, settings, faults, watch, world } = this;
		return {
			faults,
			watch,
			desk: {
				title: 'Survey B sandbox',
				surveys: () => surveyCards(world),
				answer: ({ campaignId, ...answer }) =>
					void answerSurvey(world, { ...answer, campaignId: Number(campaignId) }),
			},
			house: {
				world,
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
