import type { IAllExecuteFunctions } from 'n8n-workflow';

import type { AnswerSchema } from './answer';
import { attempt } from './attempt';
import type { Caller, FailedAttempt } from './attempt';
import { now } from './clock';
import { readCredential } from './credential';
import type { Credential } from './credential';
import { Failure } from './failure';
import type { ApiRequest } from './request';
import { ATTEMPTS, backoff } from './retry';
import type { Service } from './service';
import { cancelled, sleepWithAbort } from './sleep';
import { nodeTransport } from './transport';
import type { Transport } from './transport';

/** How long a request may take. Both in seconds. */
export interface TimeLimits {
	/** The longest that one request waits, in sum, because the service asks for it. */
	maxWait: number;
	/** The longest that one answer may take. */
	timeout: number;
}

export const DEFAULT_TIME_LIMITS: TimeLimits = { maxWait: 300, timeout: 60 };

/** Where somebody sits and waits. */
export const INTERACTIVE_TIME_LIMITS: TimeLimits = { maxWait: 5, timeout: 15 };

/** What happened on the way that the user may want to know. */
interface RequestStats {
	/** Requests that are no reads. */
	writes: number;
	retries: number;
	/** Answers that said «too many requests». */
	rateLimited: number;
	/** Milliseconds waited because the service asked for it. */
	waited: number;
}

/**
 * The one way to the network: every request of every node goes through `send`. It signs, paces,
 * waits, repeats what may be repeated, and turns every failure into a `Failure`.
 */
export class ApiClient {
	readonly stats: RequestStats = { writes: 0, retries: 0, rateLimited: 0, waited: 0 };
	private pending?: Promise<Credential>;
	private transport?: Transport;
	private waitedUntil = 0;
	private underWay = 0;
	private either?: AbortSignal;

	/**
	 * @param ownSignal ends waiting and requests where n8n has no signal for it: outside of runs
	 * @param stopSignal keeps requests that wait from going out; those in flight go on
	 */
	constructor(
		private readonly context: IAllExecuteFunctions,
		readonly service: Service,
		private readonly timeLimits: TimeLimits = DEFAULT_TIME_LIMITS,
		private readonly ownSignal?: AbortSignal,
		private readonly stopSignal?: AbortSignal,
	) {}

	/**
	 * Sends a request and gives its answer.
	 *
	 * @param schema the shape that the contract shows; another shape counts as a fault that may pass
	 * @throws Failure with the service's words, the HTTP code and what to do
	 */
	async send<Answer>(request: ApiRequest, schema: AnswerSchema<Answer>): Promise<Answer> {
		this.underWay++;
		try {
			return await this.answerTo(request, schema);
		} finally {
			this.underWay--;
		}
	}

	/** Whether a request is under way, or waits until it may go out. */
	get isBusy(): boolean {
		return this.underWay > 0;
	}

	private async answerTo<Answer>(
		request: ApiRequest,
		schema: AnswerSchema<Answer>,
	): Promise<Answer> {
		const { credential, ...caller } = await this.caller();
		const { rateLimiter, requestsPerMinute } = credential;
		const { waiting } = this;
		if (request.method !== 'GET') this.stats.writes++;

		let budget = this.timeLimits.maxWait * 1000;
		let lastWords: string | undefined;
		for (let failed = 0, waits = 0; ; ) {
			const acquired = await rateLimiter.acquire(requestsPerMinute, budget, waiting);
			if (waiting?.aborted) throw cancelled();
			if (acquired === undefined) throw this.tooLong(rateLimiter.pauseLeft(), lastWords);
			budget -= acquired.waited;
			this.noteWait(acquired.waited);

			if (failed + waits > 0) this.stats.retries++;
			const result = await attempt({ ...caller, credential }, request, schema);
			// A pause of no length would ask again at once, and for ever.
			if (result.kind === 'rateLimited') rateLimiter.pause(result.pause || backoff(waits + 1));
			if (acquired.probes) rateLimiter.probed(result.kind !== 'rateLimited');
			if (result.kind === 'response') return result.response;
			if (result.kind === 'final') {
				const gone =
					failed > 0 && isGone(request, result) ? schema.safeParse(undefined) : undefined;
				if (gone?.success) return gone.data;
				throw result.failure;
			}
			if (result.kind === 'rateLimited') {
				this.stats.rateLimited++;
				lastWords = result.failure.details.words;
				waits++;
				continue;
			}
			failed++;
			const { pause = 0, failure } = result;
			if (failed >= ATTEMPTS || pause > budget) throw failure;
			budget -= pause;
			await sleepWithAbort(pause || backoff(failed), waiting);
		}
	}

	/** Rows that wait at the same time wait for the run as one. */
	private noteWait(milliseconds: number): void {
		const end = now();
		const since = Math.max(end - milliseconds, this.waitedUntil);
		this.stats.waited += end - since;
		if (milliseconds > 0) this.waitedUntil = end;
	}

	/** Reads the credential once: without a usable one every request fails alike. */
	private async credential(): Promise<Credential> {
		this.pending ??= readCredential(this.context, this.service);
		return await this.pending;
	}

	/** All that an attempt needs. */
	private async caller(): Promise<Caller & { credential: Credential }> {
		const { context, service, signal } = this;
		const credential = await this.credential();
		this.transport ??= nodeTransport(context, credential.credentialsDecrypted);
		const { transport, timeLimits } = this;
		return { transport, service, credential, timeout: timeLimits.timeout, signal };
	}

	/** The key, which is to be in nothing that is shown; empty without a usable credential. */
	async apiKey(): Promise<string> {
		try {
			return (await this.credential()).apiKey;
		} catch {
			return '';
		}
	}

	/** Whether the run was cancelled: its requests fail, without going out. */
	get isCancelled(): boolean {
		return this.signal?.aborted === true;
	}

	/** Ends waiting and requests when the run is cancelled; n8n has none outside of runs. */
	private get signal(): AbortSignal | undefined {
		return 'getExecutionCancelSignal' in this.context
			? this.context.getExecutionCancelSignal()
			: this.ownSignal;
	}

	/** Ends waiting when the run is cancelled or stops. */
	private get waiting(): AbortSignal | undefined {
		const signals = [this.signal, this.stopSignal].filter((signal) => signal !== undefined);
		return signals.length > 1 ? (this.either ??= AbortSignal.any(signals)) : signals[0];
	}

	private tooLong(pause: number, words?: string): Failure {
		const { name } = this.service;
		const seconds = Math.ceil(pause / 1000);
		return new Failure({
			words: words ?? `${name} asked not to be called for ${seconds} s`,
			status: 429,
			advice:
				"That is longer than 'Max Wait' allows. Run this again later, or set 'Requests per Minute' in the credential",
		});
	}
}

/** A delete whose first attempt got no answer and that finds nothing the second time did its work. */
function isGone({ removes }: ApiRequest, { failure }: FailedAttempt): boolean {
	const { status } = failure.details;
	return removes === true && (status === 404 || status === 410);
}
