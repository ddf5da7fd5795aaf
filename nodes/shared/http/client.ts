import type { IAllExecuteFunctions } from 'n8n-workflow';

import { attempt } from './attempt';
import type { Caller, FailedAttempt } from './attempt';
import { readCredential } from './credential';
import type { Credential } from './credential';
import type { ResponseSchema } from './json';
import type { Delay } from './rateLimiter';
import { MAX_REDIRECTS } from './redirect';
import type { ApiRequest } from './request';
import { backoff, MAX_ATTEMPTS } from './retry';
import type { Service } from './service';
import { cancelled, sleepWithAbort } from './sleep';
import { Failure } from '../base/failure';
import { nodeTransport } from './transport';

/** Limits for requests, in seconds. */
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

interface RequestStats {
	/** Requests that are not reads. */
	writes: number;
	retries: number;
	/** 429 responses. */
	rateLimited: number;
	/** Milliseconds in which at least one request waited because the service asked for it. */
	waited: number;
}

type Connection = Pick<Caller, 'transport'> & { credential: Credential };

/**
 * Sends the requests of one run, drop-down, poll, or credential test. Every request of every node goes through
 * `send`: it signs, paces, waits, retries, and turns everything that can go wrong into a `Failure`.
 */
export class ApiClient {
	readonly stats: RequestStats = { writes: 0, retries: 0, rateLimited: 0, waited: 0 };
	/** True if a response held the API key. */
	hasRedacted = false;
	private readonly startedAt = performance.now();
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
	async send<Response>(request: ApiRequest, schema: ResponseSchema<Response>): Promise<Response> {
		this.sending++;
		try {
			return await this.sendWithRetries(request, schema);
		} finally {
			this.sending--;
		}
	}

	/** True while a request is in flight, or waits until it may go out. */
	get isBusy(): boolean {
		return this.sending > 0;
	}

	get isCancelled(): boolean {
		return this.signal?.aborted === true;
	}

	/** Returns the credential; undefined if it cannot be used. */
	async credential(): Promise<Credential | undefined> {
		return await this.connected().then(
			({ credential }) => credential,
			() => undefined,
		);
	}

	/** Reads the credential once: without a usable one, every request fails alike. */
	private async connected(): Promise<Connection> {
		this.connection ??= this.connect();
		return await this.connection;
	}

	private async sendWithRetries<Response>(
		request: ApiRequest,
		schema: ResponseSchema<Response>,
	): Promise<Response> {
		const { stats } = this;
		let lastMessage: string | undefined;
		for (let failed = 0, limited = 0; ; ) {
			await this.waitForTurn(lastMessage);
			if (failed + limited > 0) stats.retries++;
			else if (request.method !== 'GET') stats.writes++;
			const result = await this.attempt(request, schema, limited);
			if (result.kind === 'response') return result.response;
			const { kind, failure, pause } = result;
			if (kind === 'rateLimited') {
				lastMessage = failure.message;
				limited++;
				continue;
			}
			if (kind === 'final') {
				const gone = failed > 0 && isGone(request, result) && schema.safeParse(undefined);
				if (gone && gone.success) return gone.data;
				throw failure;
			}
			failed++;
			const isLast = failed >= (this.timeLimits.attempts ?? MAX_ATTEMPTS);
			if (isLast || !(await this.wait(pause || backoff(failed), !!pause))) throw failure;
		}
	}

	/** Sends a request once, following redirects. Each redirect waits for its turn, too. */
	private async attempt<Response>(
		request: ApiRequest,
		schema: ResponseSchema<Response>,
		limited: number,
	): Promise<{ kind: 'response'; response: Response } | FailedAttempt> {
		const { service, signal, stats } = this;
		const { credential, transport } = await this.connected();
		const caller = { service, signal, credential, transport, timeout: this.timeLimits.timeout };
		for (let to = request, left = MAX_REDIRECTS; ; left--) {
			const result = await attempt(caller, to, schema, left);
			const isLimited = result.kind === 'rateLimited';
			// Without a pause, the request would be sent again at once, forever.
			credential.rateLimiter.finish(isLimited ? result.pause || backoff(limited + 1) : undefined);
			if (isLimited) stats.rateLimited++;
			if (result.kind === 'response') this.hasRedacted ||= result.isRedacted;
			if (result.kind !== 'redirect') return result;
			to = { ...request, ...result.to };
			await this.waitForTurn();
		}
	}

	/**
	 * Waits until a request may start.
	 *
	 * @param lastMessage the service's message, if it refused this request as one too many
	 * @throws Failure when that takes too long, or when the run is stopped or cancelled
	 */
	private async waitForTurn(lastMessage?: string): Promise<void> {
		const { rateLimiter, requestsPerMinute } = (await this.connected()).credential;
		for (;;) {
			if (this.waitSignal?.aborted) throw cancelled('unsent');
			const delay = rateLimiter.start(requestsPerMinute);
			if (delay === undefined) return;
			const isRequested = delay.reason === 'pause';
			if (!(await this.wait(delay.milliseconds, isRequested)))
				throw this.tooLong(delay, lastMessage);
		}
	}

	/**
	 * Waits, unless that takes longer than Max Wait leaves.
	 *
	 * @param isRequested true if the service asked for it
	 * @returns false if it did not wait
	 * @throws Failure when the run is stopped or cancelled in the meantime
	 */
	private async wait(milliseconds: number, isRequested: boolean): Promise<boolean> {
		const { maxWait, isInteractive = false } = this.timeLimits;
		const waited =
			this.stats.waited + (this.waiting > 0 ? performance.now() - this.waitingSince : 0);
		const spent = isInteractive ? performance.now() - this.startedAt : waited;
		if ((isRequested || isInteractive) && spent + milliseconds > maxWait * 1000) return false;
		if (isRequested && this.waiting++ === 0) this.waitingSince = performance.now();
		try {
			await sleepWithAbort(milliseconds, this.waitSignal);
		} finally {
			if (isRequested && --this.waiting === 0) {
				this.stats.waited += performance.now() - this.waitingSince;
			}
		}
		return true;
	}

	private tooLong({ milliseconds, reason }: Delay, lastMessage?: string): Failure {
		const { name } = this.service;
		const seconds = Math.ceil(milliseconds / 1000);
		const later = `Try again in ${seconds} s`;
		if (reason === 'pace') {
			const message = `'Requests per Minute' of the ${name} credential allows no request now`;
			return new Failure('failed', message, { hint: later });
		}
		return new Failure('failed', lastMessage ?? `${name} asked not to be called for ${seconds} s`, {
			status: 429,
			hint: this.timeLimits.isInteractive
				? later
				: "That is longer than 'Max Wait' allows. Run this again later, or set 'Requests per Minute' in the credential",
		});
	}
}

async function connect(context: IAllExecuteFunctions, service: Service): Promise<Connection> {
	const credential = await readCredential(context, service).catch(
		async (error: unknown) => await Promise.reject(Failure.from(error).with({ kind: 'run' })),
	);
	return { credential, transport: nodeTransport(context, credential.credentialsDecrypted) };
}

/** A retried removal that finds nothing succeeded the first time. */
function isGone({ removes }: ApiRequest, { failure }: FailedAttempt): boolean {
	const { status } = failure;
	return removes === true && (status === 404 || status === 410);
}
