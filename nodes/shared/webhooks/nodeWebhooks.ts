import type { IHookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Failure } from '../base/failure';
import { maybeEmpty } from '../base/json';
import { ApiClient, connect } from '../http/client';
import type { TimeLimits } from '../http/client';
import type { Connection } from '../http/exchange';
import { wasRemoved } from '../http/outcome';
import { isTransient, sleepWithAbort } from '../http/retry';
import { isUnattended } from '../n8nInternals';
import { addressOf, webhookId, without } from './memory';
import type { FailedPublish, Webhook, WorkflowMemory } from './memory';
import { readAccount, tokenHash, withToken } from './account';
import type { Account } from './account';
import type { WebhookTrigger } from './webhookTrigger';

/**
 * n8n 2.41 tries a failed publish five times with pauses of 15 s in all, and cancels it after 84 s with an error of its
 * own. So that ours is shown, a try asks the service for so long after the publish began, in ms.
 */
const FIRST_TRY_MS = 56_000;
const NEXT_TRY_MS = 20_000;
const MOST_PUBLISH_TRIES = 5;

/** Longer than n8n pauses before the next try, in ms. */
const PAUSE_MS = 12_000;

/** In seconds. */
const CREATION_TIMEOUT = 15;

/** Limits of removals while n8n waits. They take no turn of Requests per Minute for which creations would have to wait. */
const REMOVAL_LIMITS = { maxWait: 1, timeout: 4, attempts: 2, isInteractive: true };

/** After creating webhooks, removals wait longer for their turn, and end before the publish has to, in seconds. */
const MOST_REMOVAL_WAIT = 10;
const REMOVAL_MARGIN = 4;

/** Limits of removals in the background. They begin when a publish that follows has created its webhooks. */
const LATER_LIMITS = { maxWait: 600, timeout: 30 };
const LATER_MS = 15_000;

const TRIED_AGAIN =
	'It is tried again soon, and when the workflow is next published or unpublished.';

/** Hosts that a service elsewhere cannot call. */
const LOCAL_HOST =
	/^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[::1\])/;

const createdWebhook = z.object({ id: webhookId });

/** The webhooks of one node at the service, for its live or its test URL. */
export class NodeWebhooks {
	private readonly startedAt = performance.now();
	/** Read at once, because n8n decrypts no credentials after the hook has returned. */
	private readonly connection: Promise<Connection>;

	constructor(
		private readonly context: IHookFunctions,
		private readonly trigger: WebhookTrigger,
		private readonly memory: WorkflowMemory,
		/** The node's key in the memory. */
		private readonly key: string,
		private readonly url: string,
	) {
		this.connection = connect(context, trigger.service);
		this.connection.catch(() => undefined);
	}

	/**
	 * Creates a webhook for each event, then removes the earlier ones. If it throws, n8n calls `unsubscribe`, and may try
	 * again. Webhooks are used again when n8n starts, and in the next try of a publish that failed: otherwise a user may
	 * have removed them by hand.
	 *
	 * @throws Failure that names the event
	 */
	async subscribe(events: string[]): Promise<void> {
		const { context, trigger, memory, key, url } = this;
		memory.removals.get(key)?.abort();
		const account = await readAccount(context, trigger.service);
		const hash = tokenHash(account.token);
		const state = memory.node(key);
		const isStart = isUnattended(context);
		const failed = this.failedTry();
		const stored = [...(isStart ? state.webhooks : []), ...(failed?.created ?? [])];
		const usable = state.url === url && state.tokenHash === hash ? stored : [];
		const kept = events.flatMap((event) => usable.find((one) => one.event === event) ?? []);
		const missing = events.filter((event) => !kept.some((webhook) => webhook.event === event));
		if (isStart && missing.length === 0 && kept.length === state.webhooks.length) return;

		this.warnIfUnreachable(account);
		const publishedAt = isStart ? state.publishedAt : Date.now();
		const earlier = [...state.leftovers, ...state.webhooks, ...memory.takeStrays(key)];
		const leftovers = without(earlier, kept);
		memory.change(key, { url, tokenHash: hash, publishedAt, webhooks: kept, leftovers });
		for (const event of this.inOrder(missing)) await this.create(account, event, failed);
		memory.failedPublishes.delete(key);
		const maxWait = Math.min(this.secondsLeft() - REMOVAL_MARGIN, MOST_REMOVAL_WAIT);
		await this.removeLeftovers(account, maxWait);
	}

	/** Removes the node's webhooks. Never throws: the log names every webhook that stays. */
	async unsubscribe(): Promise<void> {
		const { memory, key, context, trigger } = this;
		memory.removals.get(key)?.abort();
		const { webhooks, leftovers } = memory.node(key);
		// promise: one-webhook
		const all = without([...leftovers, ...webhooks, ...memory.takeStrays(key)], []);
		memory.change(key, { webhooks: [], leftovers: all });
		const account = await readAccount(context, trigger.service).catch((error: unknown) =>
			Failure.from(error),
		);
		const failed = memory.failedPublishes.get(key);
		if (!failed || failed.isDeleted) {
			if (failed) failed.tries = MOST_PUBLISH_TRIES;
			return await this.removeLeftovers(account, REMOVAL_LIMITS.maxWait);
		}
		failed.isDeleted = true;
		for (const one of all) this.log('info', one, 'stays for the next try, or is removed soon');
		this.removeLater(all, account);
	}

	/** Returns the publish whose next try this is. */
	private failedTry(): FailedPublish | undefined {
		const failed = this.memory.failedPublishes.get(this.key);
		const isOver =
			!failed ||
			failed.tries >= MOST_PUBLISH_TRIES ||
			performance.now() - failed.failedAt > PAUSE_MS;
		return isOver ? undefined : failed;
	}

	/** Returns for how long the service may be asked. */
	private secondsLeft(failed?: FailedPublish): number {
		const end = failed ? failed.startedAt + NEXT_TRY_MS : this.startedAt + FIRST_TRY_MS;
		return (end - performance.now()) / 1000;
	}

	private client(limits: TimeLimits, stopSignal?: AbortSignal): ApiClient {
		const { service } = this.trigger;
		return new ApiClient(async () => await this.connection, service, limits, undefined, stopSignal);
	}

	/** Puts the event that failed last first, so that further publishes do not create the others again and again. */
	private inOrder(events: string[]): string[] {
		const failedEvent = this.memory.failedPublishes.get(this.key)?.event;
		return [...new Set([...events.filter((event) => event === failedEvent), ...events])];
	}

	/** @param failed the publish whose next try this is */
	private async create(
		{ baseUrl, token }: Account,
		event: string,
		failed?: FailedPublish,
	): Promise<void> {
		const { memory, key, url } = this;
		try {
			const maxWait = this.secondsLeft(failed);
			if (maxWait < 1) throw failed?.failure ?? this.tooSlow();
			const timeout = Math.min(CREATION_TIMEOUT, maxWait);
			const request = this.trigger.create(event, withToken(url, token));
			const client = this.client({ maxWait, timeout, isInteractive: true });
			const { id } = await client.send(request, createdWebhook);
			const webhook = { id, event, url, baseUrl };
			const { webhooks, leftovers } = memory.node(key);
			// The service may have returned an existing webhook.
			const remaining = without(leftovers, [webhook]);
			memory.change(key, { webhooks: [...webhooks, webhook], leftovers: remaining });
			this.log('info', webhook, `was created in ${this.trigger.service.name}`);
		} catch (error) {
			const failure = Failure.from(error);
			this.noteFailure(event, failure, failed);
			const { service, lookAt } = this.trigger;
			const warning = `may exist in ${service.name}, which did not return its ID. If it exists, remove it in ${lookAt}`;
			if (failure.isUncertain && failure !== failed?.failure) this.log('warn', { event }, warning);
			const message = `Could not subscribe to '${event}': ${failure.message}`;
			throw failure.with({ message: message.split(token).join('***') });
		}
	}

	private noteFailure(event: string, failure: Failure, failed?: FailedPublish): void {
		const { context, memory, key } = this;
		// n8n does not try again to listen in the editor.
		if (context.getMode() === 'manual') return;
		memory.failedPublishes.set(key, {
			startedAt: failed?.startedAt ?? this.startedAt,
			failedAt: performance.now(),
			tries: (failed?.tries ?? 0) + 1,
			...{ event, failure },
			created: memory.node(key).webhooks,
			isDeleted: false,
		});
	}

	/**
	 * Removes earlier webhooks, and those that could not be removed later in the background.
	 *
	 * @param maxWait how long to wait for turns of Requests per Minute, in seconds
	 */
	private async removeLeftovers(account: Account | Failure, maxWait: number): Promise<void> {
		const { leftovers } = this.memory.node(this.key);
		const client = this.client({ ...REMOVAL_LIMITS, maxWait });
		const stay = await Promise.all(
			leftovers.map(async (one) => await this.remove(one, account, client)),
		);
		this.removeLater(
			leftovers.filter((_, i) => stay[i]),
			account,
		);
	}

	/** Removes webhooks in the background, unless the node's webhooks change before. */
	private removeLater(webhooks: Webhook[], account: Account | Failure): void {
		const removable = webhooks.filter((one) => !this.reasonToKeep(one, account));
		if (removable.length === 0) return;
		const controller = new AbortController();
		const { signal } = controller;
		this.memory.removals.set(this.key, controller);
		const client = this.client(LATER_LIMITS, signal);
		void sleepWithAbort(LATER_MS, signal)
			.then(async () => {
				await Promise.all(
					removable.map(async (one) => await this.remove(one, account, client, signal)),
				);
			})
			.catch(() => undefined);
	}

	/**
	 * Removes a webhook. Never throws.
	 *
	 * @param signal aborts when it is to stay
	 * @returns true if it may still exist, and removing it later may succeed
	 */
	private async remove(
		webhook: Webhook,
		account: Account | Failure,
		client: ApiClient,
		signal?: AbortSignal,
	): Promise<boolean> {
		const { service, lookAt } = this.trigger;
		const reason = this.reasonToKeep(webhook, account);
		if (reason !== undefined) {
			this.log('warn', webhook, `was not removed${reason}`);
			return false;
		}
		try {
			await client.send(this.trigger.remove(webhook.id), maybeEmpty);
		} catch (error) {
			if (signal?.aborted) return true;
			const failure = Failure.from(error);
			if (wasRemoved(failure)) return this.forget(webhook);
			const { status, headline } = failure;
			const mayWork = status === undefined || status === 429 || isTransient(status);
			const next = mayWork ? ` ${TRIED_AGAIN}` : '';
			const message = `may still exist in ${service.name}, which did not confirm its removal: ${headline}.${next} If it exists, remove it in ${lookAt}`;
			if (status !== 410) this.log('warn', webhook, message);
			if (!mayWork) this.forget(webhook);
			return mayWork;
		}
		this.log('info', webhook, `was removed from ${service.name}`);
		return this.forget(webhook);
	}

	/** Takes a webhook out of the memory. @returns false, since no removal is left to try */
	private forget(webhook: Webhook): false {
		const { leftovers } = this.memory.node(this.key);
		this.memory.change(this.key, { leftovers: without(leftovers, [webhook]) });
		return false;
	}

	/** Returns the rest of the sentence "Webhook 7 was not removed"; undefined if it can be removed. */
	private reasonToKeep({ url, baseUrl }: Webhook, account: Account | Failure): string | undefined {
		const { lookAt } = this.trigger;
		if (account instanceof Failure) {
			return `: ${account.headline}. If the workflow is not published again, remove it in ${lookAt}`;
		}
		if (addressOf(baseUrl) !== addressOf(account.baseUrl)) {
			return `, because it belongs to another base URL (${baseUrl}) than the credential now has. If it still exists there, remove it in the webhook settings of that account`;
		}
		if (n8nOf(url) === n8nOf(this.url)) return undefined;
		// This n8n's database may be a copy of that of another n8n, which still uses the webhook.
		return `, because it calls n8n at another address (${url}). If no n8n runs there, remove it in ${lookAt}`;
	}

	private tooSlow(): Failure {
		const message = `${this.trigger.service.name} took too long to create the webhooks`;
		return new Failure('failed', message, { hint: 'Publish again' });
	}

	private warnIfUnreachable({ baseUrl }: Account): void {
		const { host, origin } = new URL(this.url);
		if (!LOCAL_HOST.test(host) || LOCAL_HOST.test(addressOf(baseUrl))) return;
		const message = `${this.trigger.service.name} probably cannot call n8n at ${origin}. Set the environment variable N8N_WEBHOOK_URL of n8n to its public address, then publish again`;
		this.context.logger.warn(message, { nodeName: this.context.getNode().name });
	}

	/** Never logs a token. */
	private log(
		level: 'info' | 'warn',
		{ id, event }: { id?: Webhook['id']; event: string },
		message: string,
	): void {
		const name = `Webhook ${id ?? 'of unknown ID'} (${event})`;
		const workflowId = this.context.getWorkflow().id;
		const nodeName = this.context.getNode().name;
		this.context.logger[level](`${name} ${message}`, { workflowId, nodeName });
	}
}

/** Returns the part of a webhook URL that all webhooks of an n8n share, in front of the webhook's own path. */
function n8nOf(url: string): string {
	return URL.canParse(url) ? new URL('..', url).href : url;
}
