import type { Campaign, Customer, Feedback } from './records';
import { ListPageCounter } from '../core/dispatch';
import { Faults } from '../core/faults';
import type { ServiceOptions } from '../core/options';
import type { CustomerAnswer } from '../core/customerUi';
import type { RecordedRequest } from '../core/requestLog';
import { listen, type ServiceParts } from '../core/server';
import { answerSurvey, surveyCards } from './customerAnswers';
import { guard } from './guard';
import { routes } from './routes';
import { seed, seedCompanies, seedCustomers, seedFeedback, seedOutbox, seedSurveyed } from './seed';
import { defaultSettings } from './settings';
import { emptyState, type StateA, type ContextA } from './state';

/** Survey service A on loopback. */
export class ServiceA {
	/** The origin, without a trailing slash. */
	url = '';

	/** The account's key. Assign another one to rotate it. */
	apiKey = 'example-key-of-service-a';

	/** A valid key that belongs to no account. */
	readonly keyWithoutAccount = 'example-key-without-account';

	readonly requests: RecordedRequest[] = [];

	readonly faults = new Faults();

	readonly settings = defaultSettings();

	readonly state: StateA;

	private readonly pages = new ListPageCounter();

	private stop = async () => {};

	constructor(private readonly options: ServiceOptions) {
		this.state = seed(emptyState(options.seedFrom));
	}

	async start(): Promise<this> {
		const { url, close } = await listen(this.parts(), this.options.port);
		this.url = url;
		this.stop = close;
		return this;
	}

	/** Restores the seed, the settings, and an empty log. Keeps the identity of the objects. */
	reset(): void {
		this.faults.clear();
		this.pages.reset();
		this.requests.length = 0;
		Object.assign(this.settings, defaultSettings());
		Object.assign(this.state, seed(emptyState(this.options.seedFrom)));
	}

	async close(): Promise<void> {
		await this.stop();
	}

	seedCustomers(count: number): Customer[] {
		return seedCustomers(this.state, count);
	}

	seedFeedback(count: number): void {
		seedFeedback(this.state, count);
	}

	seedCompanies(count: number): void {
		seedCompanies(this.state, count);
	}

	seedOutbox(count: number): void {
		seedOutbox(this.state, count);
	}

	/** Adds a survey to the outbox for each customer, sent by a campaign `daysAgo` days ago. */
	seedSurveyed(customers: Customer[], sent: { campaign: Campaign; daysAgo: number }): void {
		seedSurveyed(this.state, customers, sent);
	}

	/** Answers a survey as the customer. */
	answer(answer: CustomerAnswer): Feedback {
		return answerSurvey(this.state, answer);
	}

	private parts(): ServiceParts<ContextA> {
		const { requests, settings, state, faults, pages } = this;
		return {
			faults,
			pages,
			customerUi: {
				title: 'Survey A sandbox',
				surveys: () => surveyCards(state),
				answer: (answer) => void answerSurvey(state, answer),
			},
			definition: {
				context: { state, settings },
				routes,
				requests,
				settings,
				guard: (request) => guard(request, { requests, settings, keys: this }),
				notFound: () => ({ status: 404, body: { code: 404, message: 'Not Found', data: null } }),
				wrongMethod: (allow) => ({
					status: 405,
					headers: { allow },
					body: { code: 405, message: 'Method Not Allowed', data: null },
				}),
				failed: (error) => ({
					status: 500,
					body: { code: 500, message: 'Internal Server Error', error },
				}),
			},
		};
	}
}

export async function startServiceA(options: ServiceOptions = {}): Promise<ServiceA> {
	return await new ServiceA(options).start();
}
