import type { IAllExecuteFunctions } from 'n8n-workflow';
import type { z } from 'zod';

import { sleepWithAbort } from './sleep';
import { readCredential } from './credential';
import type { Credential } from './credential';
import { attempt } from './attempt';
import type { FailedAttempt } from './attempt';
import { Failure, redactKey } from './failure';
import type { ApiRequest } from './request';
import { ATTEMPTS, backoff } from './retry';
import type { Service } from './service';

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
	/** Milliseconds waited because the service asked for it. */
	waited: number;
}

/**
 * The one way to the network: every request of every node goes through `send`. It signs, paces,
 * waits, repeats what may be repeated, and turns every failure into a `Failure`.
 */
export class ApiClient {
	readonly stats: RequestStats = { writes: 0, retries: 0, waited: 0 };
	private reading?: Promise<Credential>;
	private waitedUntil = 0;
	private apiKey?: string;

	constructor(
		private readonly context: IAllExecuteFunctions,
		readonly service: Service,
		private readonly timeLimits: TimeLimits = DEFAULT_TIME_LIMITS,
	) {}

	/**
	 * Sends a request and gives its answer.
	 *
	 * @param schema the shape that the contract shows; another shape counts as a fault that may pass
	 * @throws Failure with the service's words, the HTTP code and what to do
	 */
	async send<Answer>(
		request: ApiRequest,
		schema: z.ZodType<Answer, z.ZodTypeDef, unknown>,
	): Promise<Answer> {
		const { context, service, signal } = this;
		const credential = await this.credential();
		const caller = { context, service, credential, signal, timeout: this.timeLimits.timeout };
		if (request.method !== 'GET') this.stats.writes++;

		let budget = this.timeLimits.maxWait * 1000;
		let lastWords: string | undefined;
		for (let failed = 0, waits = 0; ; ) {
			const waited = await credential.rateLimiter.acquire(
				credential.requestsPerMinute,
				budget,
				signal,
			);
			if (waited === undefined) throw this.tooLong(credential.rateLimiter.pauseLeft(), lastWords);
			budget -= waited;
			this.noteWait(waited);

			if (failed + waits > 0) this.stats.retries++;
			const result = await attempt(caller, request, schema);
			if (result.kind === 'response') return result.response;
			if (result.kind === 'final') {
				const gone =
					failed > 0 && isGone(request, result) ? schema.safeParse(undefined) : undefined;
				if (gone?.success) return gone.data;
				throw result.failure;
			}
			if (result.kind === 'rateLimited') {
				lastWords = result.failure.details.words;
				// A pause of no length would ask again at once, and for ever.
				credential.rateLimiter.pause(result.pause || backoff(waits + 1));
				waits++;
				continue;
			}
			failed++;
			const { pause = 0, failure } = result;
			if (failed >= ATTEMPTS || pause > budget) throw failure;
			budget -= pause;
			await sleepWithAbort(pause || backoff(failed), signal);
		}
	}

	/** Rows that wait at the same time wait for the run as one. */
	private noteWait(milliseconds: number): void {
		const now = Date.now();
		const since = Math.max(now - milliseconds, this.waitedUntil);
		this.stats.waited += now - since;
		if (milliseconds > 0) this.waitedUntil = now;
	}

	/** Reads the credential, once. Without a usable one every request fails alike. */
	private async credential(): Promise<Credential> {
		this.reading ??= readCredential(this.context, this.service);
		const credential = await this.reading;
		this.apiKey = credential.apiKey;
		return credential;
	}

	/** A failure that an answer told of a row, without the key. */
	redactKey(failure: Failure): Failure {
		return this.apiKey === undefined ? failure : redactKey(failure, this.apiKey);
	}

	/** Ends waiting and requests when the run is cancelled; n8n has none outside of runs. */
	private get signal(): AbortSignal | undefined {
		return 'getExecutionCancelSignal' in this.context
			? this.context.getExecutionCancelSignal()
			: undefined;
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
