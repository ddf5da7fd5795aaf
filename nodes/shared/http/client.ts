import type { IAllExecuteFunctions } from 'n8n-workflow';

import type { AnswerSchema } from './answer';
import { attempt } from './attempt';
import type { Caller, FailedAttempt } from './attempt';
import { now } from './clock';
import { readCredential } from './credential';
import type { Credential } from './credential';
import { Failure } from './failure';
import type { Delay } from './rateLimiter';
import { MOST_REDIRECTS } from './redirect';
import type { ApiRequest } from './request';
import { ATTEMPTS, backoff } from './retry';
import type { Service } from './service';
import { cancelled, sleepWithAbort } from './sleep';
import { nodeTransport } from './transport';

/** How long requests may take. Both in seconds. */
export interface TimeLimits {
	/** The longest time that a client waits in all because the service is rate limiting. */
	maxWait: number;
	/** The longest time of one attempt, to the end of its response. */
	timeout: number;
	/** True if a user waits in the editor: then `maxWait` bounds pacing and retries, too. */
	isInteractive?: boolean;
	/** The number of attempts of a request that may be retried. */
	attempts?: number;
}

export const DEFAULT_TIME_LIMITS: TimeLimits = { maxWait: 3600, timeout: 60 };

/** Limits for requests made from the editor. */
export const INTERACTIVE_TIME_LIMITS: TimeLimits = {
	maxWait: 5,
	timeout: 15,
	isInteractive: true,
};

/** What the user may want to know about the requests of a run. */
interface RequestStats {
	/** Requests that are not reads. */
	writes: number;
	retries: number;
	/** 429 responses. */
	rateLimited: number;
	/** Milliseconds in which at least one request waited because the service asked for it. */
	waited: number;
}

/** What a client sends with. */
export type Connection = Pick<Caller, 'transport'> & { credential: Credential };

/**
 * Sends the requests of one run, drop-down, poll, or credential test. Every request of every node goes through
 * `send`: it signs, paces, waits, retries, and turns all that can go wrong into a `Failure`.
 */
export class ApiClient {
	readonly stats: RequestStats = { writes: 0, retries: 0, rateLimited: 0, waited: 0 };
	/** Whether a response held the API key. */
	hasRedacted = false;
	private readonly startedAt = now();
	/** Aborts when the run is cancelled; n8n has no signal outside of runs. */
	private readonly signal?: AbortSignal;
	/** Aborts when the run is cancelled or stopped: requests that wait do not go out. */
	private readonly waitSignal?: AbortSignal;
	private readonly connect: () => Promise<Connection>;
	private connection?: Promise<Connection>;
	private sending = 0;
	private waiting = 0;
	private waitingSince = 0;

	/**
	 * @param ownSignal cancels waits and requests outside of runs
	 * @param stopSignal keeps requests that wait from going out; those in flight are completed
	 */
	constructor(
		context: IAllExecuteFunctions | (() => Promise<Connection>),
		readonly service: Service,
		private readonly timeLimits: TimeLimits = DEFAULT_TIME_LIMITS,
		ownSignal?: AbortSignal,
		stopSignal?: AbortSignal,
	) {
		const isRun = 'getExecutionCancelSignal' in context;
		this.signal = isRun ? context.getExecutionCancelSignal() : ownSignal;
		const signals = [stopSignal, this.signal].filter((signal) => signal !== undefined);
		this.waitSignal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
		this.connect =
			typeof context === 'function' ? context : async () => await connect(context, service);
	}

	/**
	 * Sends a request and returns the response.
	 *
	 * @param schema the shape that the contract shows; another shape counts as a temporary fault
	 * @throws Failure with the service's message, the HTTP status, and what to do
	 */
	async send<Answer>(request: ApiRequest, schema: AnswerSchema<Answer>): Promise<Answer> {
		this.sending++;
		try {
			return await this.sendWithRetries(request, schema);
		} finally {
			this.sending--;
		}
	}

	/** Whether a request is in flight, or waits until it may go out. */
	get isBusy(): boolean {
		return this.sending > 0;
	}

	/** Whether the run was cancelled. */
	get isCancelled(): boolean {
		return this.signal?.aborted === true;
	}

	/** Returns the API key, which must not be shown; empty without a usable credential. */
	async apiKey(): Promise<string> {
		try {
			return (await this.connected()).credential.apiKey;
		} catch {
			return '';
		}
	}

	/** Returns how many requests in flight the account took last, by operation. The caller updates it. */
	async knownConcurrency(): Promise<Map<string, number>> {
		try {
			return (await this.connected()).credential.rateLimiter.concurrency;
		} catch {
			return new Map();
		}
	}

	/** Reads the credential once: without a usable one, every request fails alike. */
	private async connected(): Promise<Connection> {
		this.connection ??= this.connect();
		return await this.connection;
	}

	private async sendWithRetries<Answer>(
		request: ApiRequest,
		schema: AnswerSchema<Answer>,
	): Promise<Answer> {
		const { stats } = this;
		let lastMessage: string | undefined;
		for (let failed = 0, limited = 0; ; ) {
			await this.permission(lastMessage);
			if (failed + limited > 0) stats.retries++;
			else if (request.method !== 'GET') stats.writes++;
			const result = await this.attempt(request, schema, limited);
			if (result.kind === 'response') return result.response;
			const { kind, failure, pause } = result;
			if (kind === 'rateLimited') {
				lastMessage = failure.details.words;
				limited++;
				continue;
			}
			if (kind === 'final') {
				const gone = failed > 0 && isGone(request, result) && schema.safeParse(undefined);
				if (gone && gone.success) return gone.data;
				throw failure;
			}
			failed++;
			const isLast = failed >= (this.timeLimits.attempts ?? ATTEMPTS);
			if (isLast || !(await this.wait(pause || backoff(failed), !!pause))) throw failure;
		}
	}

	/** Sends a request once, following redirects. Each redirect waits for its permission, too. */
	private async attempt<Answer>(
		request: ApiRequest,
		schema: AnswerSchema<Answer>,
		limited: number,
	): Promise<{ kind: 'response'; response: Answer } | FailedAttempt> {
		const { service, signal, stats } = this;
		const { credential, transport } = await this.connected();
		const caller = { service, signal, credential, transport, timeout: this.timeLimits.timeout };
		for (let to = request, left = MOST_REDIRECTS; ; left--) {
			const result = await attempt(caller, to, schema, left);
			const isLimited = result.kind === 'rateLimited';
			// A pause of no length would ask again at once, and for ever.
			credential.rateLimiter.finish(isLimited ? result.pause || backoff(limited + 1) : undefined);
			if (isLimited) stats.rateLimited++;
			if (result.kind === 'response') this.hasRedacted ||= result.isRedacted;
			if (result.kind !== 'redirect') return result;
			to = { ...request, ...result.to };
			await this.permission();
		}
	}

	/**
	 * Waits until a request may start.
	 *
	 * @param lastMessage the service's message, if it refused this request as one too many
	 * @throws Failure when that takes too long, or when the run is stopped or cancelled
	 */
	private async permission(lastMessage?: string): Promise<void> {
		const { rateLimiter, requestsPerMinute } = (await this.connected()).credential;
		for (;;) {
			if (this.waitSignal?.aborted) throw cancelled({ isUnsent: true });
			const delay = rateLimiter.start(requestsPerMinute);
			if (delay === undefined) return;
			const isAsked = delay.reason === 'pause';
			if (!(await this.wait(delay.milliseconds, isAsked))) throw this.tooLong(delay, lastMessage);
		}
	}

	/**
	 * Waits, unless that takes longer than Max Wait leaves.
	 *
	 * @param isAsked whether the service asked for it
	 * @returns whether it waited
	 * @throws Failure when the run is stopped or cancelled meanwhile
	 */
	private async wait(milliseconds: number, isAsked: boolean): Promise<boolean> {
		const { maxWait, isInteractive = false } = this.timeLimits;
		const waited = this.stats.waited + (this.waiting > 0 ? now() - this.waitingSince : 0);
		const spent = isInteractive ? now() - this.startedAt : waited;
		if ((isAsked || isInteractive) && spent + milliseconds > maxWait * 1000) return false;
		if (isAsked && this.waiting++ === 0) this.waitingSince = now();
		try {
			await sleepWithAbort(milliseconds, this.waitSignal);
		} finally {
			if (isAsked && --this.waiting === 0) this.stats.waited += now() - this.waitingSince;
		}
		return true;
	}

	private tooLong({ milliseconds, reason }: Delay, lastMessage?: string): Failure {
		const { name } = this.service;
		const seconds = Math.ceil(milliseconds / 1000);
		const later = `Try again in ${seconds} s`;
		if (reason === 'pace') {
			const words = `'Requests per Minute' of the ${name} credential allows no request now`;
			return new Failure({ words, advice: later });
		}
		return new Failure({
			words: lastMessage ?? `${name} asked not to be called for ${seconds} s`,
			status: 429,
			advice: this.timeLimits.isInteractive
				? later
				: "That is longer than 'Max Wait' allows. Run this again later, or set 'Requests per Minute' in the credential",
		});
	}
}

async function connect(context: IAllExecuteFunctions, service: Service): Promise<Connection> {
	const credential = await readCredential(context, service).catch(
		async (error: unknown) => await Promise.reject(Failure.from(error).with({ isOfRun: true })),
	);
	return { credential, transport: nodeTransport(context, credential.credentialsDecrypted) };
}

/** A retried removal that finds nothing succeeded the first time. */
function isGone({ removes }: ApiRequest, { failure }: FailedAttempt): boolean {
	const { status } = failure.details;
	return removes === true && (status === 404 || status === 410);
}
