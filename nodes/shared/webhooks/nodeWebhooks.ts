import type { IHookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Failure } from '../base/failure';
import { maybeEmpty } from '../base/json';
import { ApiClient, connectionOf } from '../http/client';
import type { TimeLimits } from '../http/client';
import type { Connection } from '../http/exchange';
import { CHECK_URL, isPassing, mayBeDone, wasRemoved } from '../http/outcome';
import { sleepWithAbort } from '../http/retry';
import { isFollower, isUnattended, PUBLISH_MS, PUBLISH_TRIES } from '../n8nInternals';
import { tokenHash, tokenOf, withToken } from './token';
import { webhookId } from './memory';
import type { Webhook, WorkflowMemory } from './memory';
import type { WebhookTrigger } from './webhookTrigger';

/** So that n8n shows our error and not its own, a try ends long before n8n cancels the publish, in ms. */
const TRY_MS = (PUBLISH_MS.deadline * 2) / 3;

const CREATION_TIMEOUT = PUBLISH_MS.tries / PUBLISH_TRIES;

/** After `delete`, n8n calls `create` at the latest after its longest pause, in ms. */
const REMOVAL_DELAY = PUBLISH_MS.longestPause + 2000;

/** Limits of removals while n8n waits, which take no turn of Requests per Minute, and of those in the background. */
const REMOVAL_LIMITS: TimeLimits = {
	maxWait: 1000,
	timeout: 4000,
	attempts: 2,
	isInteractive: true,
};
const LATER_LIMITS: TimeLimits = { maxWait: 600_000, timeout: 30_000 };

/** The hint if nobody knows whether the service created a webhook. */
const PUBLISH_AGAIN = `Publish again later. If it is the same then: ${CHECK_URL}`;

const createdWebhook = z.object({ id: webhookId });

/** The webhooks of one node at the service, for its live or its test URL. */
export class NodeWebhooks {
	private readonly endAt = performance.now() + TRY_MS;
	/** Read at once, because n8n decrypts no credentials after the hook has returned. */
	private readonly connection: Promise<Connection>;
	private baseUrl = '';
	private token = '';

	constructor(
		private readonly context: IHookFunctions,
		private readonly trigger: WebhookTrigger,
		private readonly memory: WorkflowMemory,
		/** The node's key in the memory. */
		private readonly key: string,
		private readonly url: string,
	) {
		this.connection = connectionOf(context, trigger.service);
		this.connection.catch(() => undefined);
	}

	/**
	 * Uses the webhooks that the node has, creates those that are missing, and then removes those that it needs no more. If it
	 * throws, n8n calls `delete`, and may try again.
	 *
	 * @throws Failure that names the event
	 */
	async subscribe(events: string[]): Promise<void> {
		await this.open();
		this.takeBack();
		this.forgetOthers();
		const usable = this.usable();
		const serving = events.flatMap((event) => usable.find((one) => one.event === event) ?? []);
		this.setLive((one) => serving.includes(one));
		this.memory.change(this.key, { url: this.url });
		const missing = events.filter((event) => !serving.some((one) => one.event === event));
		for (const event of missing) await this.create(event);
		// A start removes nothing if it creates nothing: the memory may be older than the webhooks.
		const isStart = isUnattended(this.context);
		if (!isStart || missing.length > 0) await this.removeAll(REMOVAL_LIMITS);
	}

	/**
	 * Notes that no webhook is used any more. They are removed some seconds later, unless n8n calls `create` before: an edit
	 * uses them again, and they work all the time. Never throws.
	 *
	 * @param events those that were published. Static data that is older may have others
	 */
	async unsubscribe(events: string[]): Promise<void> {
		const wereLive = this.webhooks.filter(
			(one) => one.state === 'live' && events.includes(one.event),
		);
		this.setLive(() => false);
		await this.open().catch(() => undefined);
		// Another process calls `create`, and knows nothing of a removal here.
		if (isFollower(this.context)) await this.removeAll(REMOVAL_LIMITS);
		else this.removeLater(wereLive);
	}

	private async open(): Promise<void> {
		const { credential } = await this.connection;
		this.baseUrl = credential.baseUrl;
		this.token = tokenOf(this.context, credential);
	}

	private get webhooks(): Webhook[] {
		return this.memory.node(this.key).webhooks;
	}

	private setLive(isLive: (webhook: Webhook) => boolean): void {
		const webhooks = this.webhooks.map((one): Webhook => {
			if (isLive(one)) return { ...one, state: 'live' };
			return one.state === 'live' ? { ...one, state: 'toRemove' } : one;
		});
		this.memory.change(this.key, { webhooks });
	}

	/** Stops a removal, and uses the webhooks again that it has not begun with. */
	private takeBack(): void {
		const { later } = this.memory;
		const { controller, wereLive = [] } = later.get(this.key) ?? {};
		controller?.abort();
		later.delete(this.key);
		this.setLive(({ id, state }) => state === 'live' || wereLive.some((one) => one.id === id));
	}

	/** Takes webhooks out of the memory that are not this account's or this n8n's to remove. The log has their names. */
	private forgetOthers(): void {
		for (const one of this.webhooks) {
			const isOwnService = withoutScheme(one.baseUrl) === withoutScheme(this.baseUrl);
			// This n8n's database may be a copy of that of another n8n, which still uses the webhook.
			if (isOwnService && n8nOf(one.url) === n8nOf(this.url)) continue;
			const message = `was not removed, because it belongs to another base URL or calls n8n at another address (${one.baseUrl}, ${one.url}). If nothing uses it, remove it there`;
			this.log('warn', one, message);
			this.memory.drop(this.key, one);
			if (!isOwnService) this.memory.change(this.key, { removes: undefined });
		}
	}

	/**
	 * Returns the webhooks that this publish can use, the live and the newest first. If the service removes webhooks, publishing
	 * an unpublished workflow uses only those of its last try that failed: somebody may have removed the others by hand.
	 */
	private usable(): Webhook[] {
		const { context, memory, key, url } = this;
		const hasFailed = memory.failed.delete(key);
		const isFresh = context.getActivationMode() === 'activate' && !hasFailed;
		const hash = tokenHash(this.token);
		const own = this.webhooks.filter((one) => one.url === url && one.tokenHash === hash).reverse();
		const live = own.filter(({ state }) => state === 'live');
		if (memory.node(key).removes === false) return [...live, ...own];
		return isFresh ? [] : live;
	}

	/**
	 * Creates a webhook. The first one is removed and created again, unless the service does not remove it. Only then does a 404 to
	 * a later removal say that somebody has removed the webhook by hand.
	 */
	private async create(event: string): Promise<void> {
		const { removes } = this.memory.node(this.key);
		const isFirst = removes === undefined && !this.webhooks.some(({ state }) => state === 'live');
		const created = await this.post(event);
		if (!isFirst) return;
		const end = await this.remove(created, this.client(REMOVAL_LIMITS), true);
		const mayBeGone = end === 'gone' || (end instanceof Failure && mayBeDone(end));
		if (end !== 'gone') {
			this.memory.put(this.key, { ...created, state: mayBeGone ? 'toRemove' : 'live' });
		}
		if (mayBeGone) await this.post(event);
	}

	/** @throws Failure that names the event */
	private async post(event: string): Promise<Webhook> {
		const { memory, key, url, baseUrl, token } = this;
		const { service, lookAt } = this.trigger;
		try {
			const left = Math.floor(this.endAt - performance.now());
			const slow = `${service.name} took too long to create the webhooks`;
			if (left < 1000) throw new Failure('lost', slow, { hint: 'Publish again' });
			const timeout = Math.min(CREATION_TIMEOUT, left);
			const client = this.client({ maxWait: left, timeout, isInteractive: true });
			const { id } = await this.send(event, client);
			const hash = tokenHash(token);
			const created: Webhook = { id, event, url, baseUrl, tokenHash: hash, state: 'live' };
			memory.put(key, created);
			this.log('info', created, `was created in ${service.name}`);
			return created;
		} catch (error) {
			memory.failed.add(key);
			const failure = Failure.from(error);
			const warning = `may exist in ${service.name}, which did not return its ID. If it exists, remove it in ${lookAt}`;
			if (failure.isUncertain) this.log('warn', { event }, warning);
			const hint = failure.isUncertain ? PUBLISH_AGAIN : failure.hint;
			throw failure.with({
				message: this.masked(`Could not subscribe to '${event}': ${failure.message}`),
				hint: hint && this.masked(hint),
				// The log says it, and publishing again does no harm.
				doubt: undefined,
			});
		}
	}

	/** Sends a second request after a refusal: the service may refuse to add an equal webhook, whose ID nobody knows. */
	private async send(event: string, client: ApiClient) {
		const { trigger, url, token } = this;
		const create = async (mark?: string) =>
			await client.send(trigger.create(event, withToken(url, token, mark)), createdWebhook);
		return await create().catch(async (error: unknown) => {
			const { status = 0 } = Failure.from(error);
			if (![400, 409, 422].includes(status)) throw error;
			return await create(String(Date.now()));
		});
	}

	/** Removes webhooks in the background. @param wereLive those that are used again if `create` comes before */
	private removeLater(wereLive: Webhook[] = []): void {
		const { later } = this.memory;
		const controller = new AbortController();
		const removal = { controller, wereLive };
		later.get(this.key)?.controller.abort();
		later.set(this.key, removal);
		void sleepWithAbort(REMOVAL_DELAY, controller.signal)
			.then(async () => {
				removal.wereLive = [];
				await this.removeAll(LATER_LIMITS, controller.signal);
			})
			.catch(() => undefined);
	}

	/** Removes the webhooks that are to be removed. What does not work now is tried again in the background. */
	private async removeAll(limits: TimeLimits, signal?: AbortSignal): Promise<void> {
		const client = this.client(limits, signal);
		let mayPass = false;
		const removing = this.webhooks.map(async (one) => {
			// promise: one-webhook
			if (one.state !== 'toRemove') return;
			const end = await this.remove(one, client);
			if (!(end instanceof Failure) || signal?.aborted) return;
			mayPass ||= end.status === undefined || isPassing(end.kind);
			const { service, lookAt } = this.trigger;
			const message = `may still exist in ${service.name}, which did not confirm its removal: ${end.headline}. The next publish tries again. If you do not publish this workflow again, remove it in ${lookAt}`;
			this.log('warn', one, message);
		});
		await Promise.all(removing);
		if (mayPass && !signal) this.removeLater();
	}

	/**
	 * Removes a webhook, and notes whether the service does that. Never throws.
	 *
	 * @param exists true if it certainly exists, since it has just been created
	 * @returns the failure after which it may still exist
	 */
	private async remove(
		webhook: Webhook,
		client: ApiClient,
		exists = false,
	): Promise<'gone' | 'stays' | Failure> {
		const { memory, key, trigger } = this;
		const { service, lookAt } = trigger;
		try {
			await client.send(trigger.remove(webhook.id), maybeEmpty);
			memory.change(key, { removes: true });
			this.log('info', webhook, `was removed from ${service.name}`);
		} catch (error) {
			const failure = Failure.from(error);
			const { removes } = memory.node(key);
			const { status = 0, headline } = failure;
			const isGone = status === 410 || wasRemoved(failure);
			const isRefused = status >= 300 && status < 500 && !isGone && !isPassing(failure.kind);
			const isDenied = (exists && isRefused) || (status === 404 && removes === false);
			if ([405, 501].includes(status) || isDenied) {
				memory.change(key, { removes: false });
				memory.put(key, { ...webhook, state: 'stays' });
				const message = `stays in ${service.name}: ${headline}. It starts no runs, and is used again when this node is published with its event. If you remove it in ${lookAt}, replace the node by a copy before you publish again`;
				if (!exists) this.log('warn', webhook, message);
				return 'stays';
			}
			if (!isGone && !(status === 404 && removes)) return failure;
		}
		memory.drop(key, webhook);
		return 'gone';
	}

	private client(limits: TimeLimits, signal?: AbortSignal): ApiClient {
		return new ApiClient(async () => await this.connection, this.trigger.service, limits, signal);
	}

	private log(
		level: 'info' | 'warn',
		{ id, event }: { id?: Webhook['id']; event: string },
		message: string,
	): void {
		const name = `Webhook ${id ?? 'of unknown ID'} (${event})`;
		const workflowId = this.context.getWorkflow().id;
		const nodeName = this.context.getNode().name;
		this.context.logger[level](this.masked(`${name} ${message}`), { workflowId, nodeName });
	}

	/** Returns a text without the token, which the service may repeat. */
	private masked(text: string): string {
		return this.token === '' ? text : text.split(this.token).join('***');
	}
}

/** Returns a base URL without its scheme: http and https are the same account. */
function withoutScheme(url: string): string {
	return url.replace(/^https?:\/\//i, '');
}

/** Returns the part of a webhook URL that all webhooks of an n8n share, in front of the webhook's own path. */
function n8nOf(url: string): string {
	return URL.canParse(url) ? new URL('..', url).href : url;
}
