import type { Customer, Feedback } from './records';
import { ListWatch } from '../core/dispatch';
import { Faults } from '../core/faults';
import type { ServiceOptions } from '../core/options';
import type { CustomerAnswer } from '../core/desk';
import type { RecordedRequest } from '../core/recorded';
import { listen, type Shell } from '../core/server';
import { answerSurvey, surveyCards } from './answering';
import { guard } from './guard';
import { routes } from './routes';
import { seed, seedCompanies, seedCustomers, seedFeedback, seedOutbox } from './seed';
import { defaultSettings } from './settings';
import { emptyState, type StateA, type WorldA } from './state';

/** Survey service A on loopback. */
export class ServiceA {
	/** The origin, without a slash at its end. */
	url = '';

	/** The account's key. Assign another one to rotate it. */
	apiKey = 'example-key-of-service-a';

	/** A key of the right form that belongs to no account. */
	readonly keyWithoutAccount = 'example-key-without-account';

	readonly requests: RecordedRequest[] = [];

	readonly faults = new Faults();

	readonly settings = defaultSettings();

	readonly state: StateA;

	private readonly watch = new ListWatch();

	private stop = async () => {};

	constructor(private readonly options: ServiceOptions) {
		this.state = seed(emptyState(options.seedFrom));
	}

	async start(): Promise<this> {
		const { url, close } = await listen(this.shell(), this.options.port);
		this.url = url;
		this.stop = close;
		return this;
	}

	/** Back to the small seed: state, requests, faults and settings. The objects stay the same. */
	reset(): void {
		this.faults.clear();
		this.watch.reset();
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

	/** The customer answers a survey. */
	answer(answer: CustomerAnswer): Feedback {
		return answerSurvey(this.state, answer);
	}

	private shell(): Shell<WorldA> {
		const { requests, settings, state, faults, watch } = this;
		return {
			faults,
			watch,
			desk: {
				title: 'Survey A sandbox',
				surveys: () => surveyCards(state),
				answer: (answer) => void answerSurvey(state, answer),
			},
			house: {
				world: { state, settings },
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
