import type { Refusal } from './apiResponse';
import type { CustomerAnswer, SurveyCard } from './customerUi';
import type { ServiceDefinition } from './dispatch';
import { Faults } from './faults';
import type { RecordedRequest } from './requestLog';
import type { Route } from './routes';
import { listen } from './server';
import type { CommonSettings } from './settings';

export interface ServiceOptions {
	/** Default: a free port. */
	port?: number;
	/** Creation time of the first seeded record; the others follow one second apart. Default: 20 days ago. */
	seedFrom?: Date;
}

/** A survey service on loopback. */
export abstract class SurveyService<Context> implements ServiceDefinition<Context> {
	/** The origin, without a trailing slash. */
	url = '';

	readonly requests: RecordedRequest[] = [];

	readonly faults = new Faults();

	pagesSent = 0;

	/** The account's key. Assign another one to rotate it. */
	abstract apiKey: string;

	abstract readonly title: string;

	abstract readonly settings: CommonSettings;

	abstract readonly context: Context;

	abstract readonly routes: Array<Route<Context>>;

	private stop = async () => {};

	constructor(protected readonly options: ServiceOptions) {}

	async start(): Promise<this> {
		const { url, close } = await listen(this, this.options.port);
		this.url = url;
		this.stop = close;
		this.reset();
		return this;
	}

	/** Restores the seed, the settings, and an empty log. Keeps the identity of the objects. */
	reset(): void {
		this.faults.clear();
		this.pagesSent = 0;
		this.requests.length = 0;
		this.restore();
	}

	async close(): Promise<void> {
		await this.stop();
	}

	abstract guard(request: RecordedRequest): void;

	abstract refusal(status: number, message: string, error?: string): Refusal;

	/** Returns the surveys that were sent, newest first. */
	abstract surveyCards(): SurveyCard[];

	/** Answers a survey as the customer. */
	abstract answer(answer: CustomerAnswer): unknown;

	/** Restores the seed and the settings. */
	protected abstract restore(): void;
}
