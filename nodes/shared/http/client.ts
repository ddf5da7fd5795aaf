import type { IAllExecuteFunctions } from 'n8n-workflow';

import { Failure } from '../base/failure';
import type { BodyReader } from '../base/json';
import { readCredential } from './credential';
import { exchange, nodeTransport } from './exchange';
import type { Connection } from './exchange';
import { mayBeDone, mayRepeat, withDoubt } from './outcome';
import type { Delay } from './rateLimiter';
import type { ApiRequest } from './request';
import { readResponse } from './response';
import { backoff, failureOf, httpDate, MAX_ATTEMPTS, sleepWithAbort } from './retry';
import type { Service } from './service';

export interface TimeLimits {
	/** The longest time that a client waits in all because the service asks for it. */
	maxWait: number;
	/** The longest time of one attempt, to the end of its response. */
	timeout: number;
	/** True if a user waits: requests go before those of runs, and `maxWait` bounds pacing and retries, too. */
	isInteractive?: boolean;
	attempts?: number;
}

/** Limits for requests of a run. A response may take as long as in n8n's HTTP Request node. */
export const DEFAULT_TIME_LIMITS: TimeLimits = { maxWait: 60 * 60_000, timeout: 300_000 };

/** Limits for requests made from the editor. Columns need three requests, and Requests per Minute may be 10. */
export const INTERACTIVE_TIME_LIMITS: TimeLimits = {
	maxWait: 30_000,
	timeout: 15_000,
	isInteractive: true,
};

/**
 * Sends the requests of one run, drop-down, poll, or credential test. Every request of every node goes through
 * `send`: it signs, paces, waits, retries, and turns everything that can go wrong into a `Failure`.
 */
export class ApiClient {
	/** The time in which at least one request waits because the service asked for it, in ms. */
	waited = 0;
	/** How far the service's clock is ahead, by the date of its last response, in ms. */
	clockAhead = 0;
	private readonly startedAt = performance.now();
	/** Ends requests in flight: aborts when the run is cancelled. Outside of runs, n8n has no such signal. */
	private readonly signal?: AbortSignal;
	/** Aborts when the run is cancelled or stopped: requests that wait do not go out. */
	private readonly waitSignal: AbortSignal;
	private readonly connect: () => Promise<Connection>;
	private connection?: Promise<Connection>;
	/** When all waits end that the service has asked for so far. */
	private waitsUntil = 0;

	/** @param stop ends all waits. Requests in flight are completed in a run, which has a signal of its own, and else cancelled */
	constructor(
		context: IAllExecuteFunctions | (() => Promise<Connection>),
		readonly service: Service,
		private readonly timeLimits: TimeLimits,
		stop?: AbortSignal,
	) {
		const isRun = 'getExecutionCancelSignal' in context;
		this.signal = isRun ? context.getExecutionCancelSignal() : stop;
		const signals = [stop, this.signal].filter((signal) => signal !== undefined);
		this.waitSignal = AbortSignal.any(signals);
		this.connect =
			typeof context === 'function' ? context : async () => await connectionOf(context, service);
	}

	/**
	 * @param readBody reads the shape that the contract shows; another shape counts as a temporary fault
	 * @throws Failure with the service's message, the HTTP status, and what to do
	 */
	async send<Response>(request: ApiRequest, readBody: BodyReader<Response>): Promise<Response> {
		const failed: Failure[] = [];
		try {
			for (;;) {
				await this.waitForTurn(failed.at(-1));
				const result = await this.attempt(request, readBody, failed);
				if (!(result instanceof Failure)) return result.response;
				failed.push(result);
				if (!(await this.waitToRepeat(request, result, failed))) throw result;
			}
		} catch (error) {
			throw withDoubt(Failure.from(error), request, failed.some(mayBeDone));
		}
	}

	/** Identifies the API key in this process. @throws Failure if the credential cannot be used */
	async fingerprint(): Promise<string> {
		return (await this.connected()).credential.fingerprint;
	}

	get isCancelled(): boolean {
		return this.signal?.aborted === true;
	}

	/** Reads the credential once: without a usable one, every request fails alike. */
	private async connected(): Promise<Connection> {
		return await (this.connection ??= this.connect());
	}

	private async attempt<Response>(
		request: ApiRequest,
		readBody: BodyReader<Response>,
		failed: Failure[],
	): Promise<{ response: Response } | Failure> {
		const { service, signal } = this;
		const connection = await this.connected();
		const { baseUrl, rateLimiter } = connection.credential;
		const { timeout } = this.timeLimits;
		const received = await exchange(connection, request, service.name, timeout, signal);
		if (received instanceof Failure) return received;
		const time = httpDate(received.headers.date);
		if (!Number.isNaN(time)) this.clockAhead = time - Date.now();
		const result = readResponse({ ...received, service, request, baseUrl }, readBody);
		if (!(result instanceof Failure) || result.kind !== 'rateLimited') return result;
		// Without a pause, the request would be sent again at once, forever.
		rateLimiter.pause(result.pause || backoff(countOf(failed, true) + 1));
		return result;
	}

	/** False if the request may not be sent again. */
	private async waitToRepeat(
		request: ApiRequest,
		last: Failure,
		failed: Failure[],
	): Promise<boolean> {
		if (!mayRepeat(last, request)) return false;
		// The rate limiter holds back all requests with the API key.
		if (last.kind === 'rateLimited') return true;
		const count = countOf(failed, false);
		if (count >= (this.timeLimits.attempts ?? MAX_ATTEMPTS)) return false;
		return await this.wait(last.pause || backoff(count), !!last.pause);
	}

	/** Waits until a request may start. @throws Failure when that takes too long, or when the run is stopped or cancelled */
	private async waitForTurn(last?: Failure): Promise<void> {
		const { rateLimiter, requestsPerMinute } = (await this.connected()).credential;
		const turn = rateLimiter.queue(this.timeLimits.isInteractive);
		try {
			for (;;) {
				if (this.waitSignal.aborted) throw failureOf(this.waitSignal, 'unsent');
				const delay = turn.start(requestsPerMinute);
				if (delay === undefined) return;
				const isPause = delay.reason === 'pause';
				if (await this.wait(delay.milliseconds, isPause)) continue;
				throw this.tooLong(delay, last?.kind === 'rateLimited' ? last : undefined);
			}
		} finally {
			turn.leave();
		}
	}

	/**
	 * Waits, unless that takes longer than `maxWait` leaves.
	 *
	 * @returns false if it did not wait
	 * @throws Failure when the run is stopped or cancelled in the meantime
	 */
	private async wait(milliseconds: number, isPause: boolean): Promise<boolean> {
		const { maxWait, isInteractive } = this.timeLimits;
		const now = performance.now();
		const until = now + milliseconds;
		const added = Math.max(0, until - Math.max(now, this.waitsUntil));
		const spent = isInteractive ? until - this.startedAt : this.waited + added;
		if ((isPause || isInteractive) && spent > maxWait) return false;
		if (isPause) {
			this.waited += added;
			this.waitsUntil = Math.max(until, this.waitsUntil);
		}
		await sleepWithAbort(milliseconds, this.waitSignal);
		return true;
	}

	private tooLong({ milliseconds, reason }: Delay, limited?: Failure): Failure {
		const { name } = this.service;
		const seconds = Math.ceil(milliseconds / 1000);
		const later = `Try again in ${seconds} s`;
		if (reason === 'pace') {
			const message = `'Requests per Minute' of the ${name} credential allows no request now`;
			return new Failure('failed', message, { hint: later });
		}
		const message = limited?.message ?? `${name} asked not to be called for ${seconds} s`;
		const hint = this.timeLimits.isInteractive
			? later
			: "A run waits an hour in all. Run this again later, or set 'Requests per Minute' in the credential";
		return new Failure('rateLimited', message, { status: limited?.status, hint });
	}
}

export async function connectionOf(
	context: IAllExecuteFunctions,
	service: Service,
): Promise<Connection> {
	const credential = await readCredential(context, service).catch((error: unknown) => {
		throw Failure.from(error).with({ kind: 'run' });
	});
	return { credential, transport: nodeTransport(context, credential.credentialsDecrypted) };
}

/** Counts the attempts that were refused as one too many, or the others. */
function countOf(failed: Failure[], isLimited: boolean): number {
	return failed.filter(({ kind }) => (kind === 'rateLimited') === isLimited).length;
}
