import type { IHookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Failure } from '../../../shared/base/failure';
import { maybeEmpty } from '../../../shared/base/json';
import { ApiClient } from '../../../shared/http/client';
import { path, post, remove } from '../../../shared/http/request';
import { confirm } from '../../../shared/http/response';
import { isTransient } from '../../../shared/http/retry';
import { isUnattended } from '../../../shared/n8nInternals';
import { surveyB } from '../../service';
import { webhookId, without } from '../memory';
import type { Webhook, WorkflowMemory } from '../memory';
import { readAccount, tokenHash, withToken } from '../token';
import type { Account } from '../token';

/** n8n 2.41 cancels a publish after 84 seconds, in which earlier webhooks are removed, too. */
const TIME_LIMITS = { maxWait: 60, timeout: 30, isInteractive: true };

/** Short, because a webhook that stays must not keep new ones from being created. */
const REMOVAL_LIMITS = { maxWait: 10, timeout: 5, attempts: 2 };

const TRIED_AGAIN = 'It is tried again when the workflow is next published or unpublished.';

const createdWebhook = z.object({ id: webhookId });

/** The webhooks of one node at the service, for its live or its test URL (contract, section Webhooks). */
export class NodeWebhooks {
	private readonly client: ApiClient;
	private readonly removalClient: ApiClient;

	constructor(
		private readonly context: IHookFunctions,
		private readonly memory: WorkflowMemory,
		/** The node's key in the memory. */
		private readonly key: string,
		private readonly url: string,
	) {
		this.client = new ApiClient(context, surveyB, TIME_LIMITS);
		this.removalClient = new ApiClient(context, surveyB, REMOVAL_LIMITS);
	}

	/**
	 * Creates a webhook for each event, then removes the earlier ones. If it throws, n8n calls `unsubscribe`, and may try
	 * again. Webhooks are used again only when n8n starts: after a publish, a user may have removed them by hand.
	 *
	 * @throws Failure that names the event
	 */
	async subscribe(events: string[]): Promise<void> {
		const { context, memory, key, url } = this;
		const account = await readAccount(context);
		const hash = tokenHash(account.token);
		const state = memory.node(key);
		const isStart = isUnattended(context);
		const fits = isStart && state.url === url && state.tokenHash === hash;
		const usable = fits ? state.webhooks : [];
		const kept = events.flatMap((event) => usable.find((one) => one.event === event) ?? []);
		const missing = events.filter((event) => !kept.some((webhook) => webhook.event === event));
		if (isStart && missing.length === 0 && kept.length === state.webhooks.length) return;

		const publishedAt = isStart ? state.publishedAt : Date.now();
		const leftovers = without([...state.leftovers, ...state.webhooks], kept);
		memory.change(key, { url, tokenHash: hash, publishedAt, webhooks: kept, leftovers });
		for (const event of this.inOrder(missing)) await this.create(account, event);
		await this.removeLeftovers(account);
	}

	/** Removes the node's webhooks. Never throws: the log names every webhook that stays. */
	async unsubscribe(): Promise<void> {
		const { memory, key, context } = this;
		const { webhooks, leftovers } = memory.node(key);
		memory.change(key, { webhooks: [], leftovers: [...leftovers, ...webhooks] });
		await this.removeLeftovers(
			await readAccount(context).catch((error: unknown) => Failure.from(error)),
		);
	}

	/** Puts the event that failed last first, so that repeated tries do not create the others again and again. */
	private inOrder(events: string[]): string[] {
		const failedEvent = this.memory.failedEvents.get(this.key);
		return [...new Set([...events.filter((event) => event === failedEvent), ...events])];
	}

	private async create({ baseUrl, token }: Account, event: string): Promise<void> {
		const { memory, key, url } = this;
		try {
			const request = post('notIdempotent', '/api/v2/hooks', {
				event,
				target: withToken(url, token),
			});
			const { id } = await this.client.send(request, createdWebhook);
			const webhook = { id, event, url, baseUrl };
			const { webhooks, leftovers } = memory.node(key);
			// The service may have returned an existing webhook.
			const remaining = without(leftovers, [webhook]);
			memory.change(key, { webhooks: [...webhooks, webhook], leftovers: remaining });
			this.log('info', webhook, 'was created in Survey B');
		} catch (error) {
			memory.failedEvents.set(key, event);
			const failure = Failure.from(error);
			const warning =
				'may exist in Survey B, which did not return its ID. If it exists, remove it in the webhook settings of Survey B';
			if (failure.kind === 'uncertain') this.log('warn', { event }, warning);
			const message = `Could not subscribe to '${event}': ${failure.message}`;
			throw failure.with({ message: message.split(token).join('***') });
		}
	}

	private async removeLeftovers(account: Account | Failure): Promise<void> {
		const { leftovers } = this.memory.node(this.key);
		const stay = await Promise.all(leftovers.map(async (one) => await this.remove(one, account)));
		this.memory.change(this.key, { leftovers: leftovers.filter((_, i) => stay[i]) });
	}

	/**
	 * Removes a webhook with a request that the contract does not show. Never throws.
	 *
	 * @returns true if it may still exist, and removing it later may succeed
	 */
	private async remove(webhook: Webhook, account: Account | Failure): Promise<boolean> {
		const reason = this.reasonToKeep(webhook, account);
		if (reason !== undefined) {
			this.log('warn', webhook, `was not removed${reason}`);
			return true;
		}
		try {
			const request = remove(path`/api/v2/hooks/${webhook.id}`);
			confirm(surveyB, request, await this.removalClient.send(request, maybeEmpty));
		} catch (error) {
			const { status, headline } = Failure.from(error);
			const mayWork = status === undefined || status === 429 || isTransient(status);
			const next = mayWork ? ` ${TRIED_AGAIN}` : '';
			const message = `may still exist in Survey B, which did not confirm its removal: ${headline}.${next} If it exists, remove it in the webhook settings of Survey B`;
			if (status !== 410) this.log('warn', webhook, message);
			return mayWork;
		}
		this.log('info', webhook, 'was removed from Survey B');
		return false;
	}

	/** Returns the rest of the sentence "Webhook 7 was not removed"; undefined if it can be removed. */
	private reasonToKeep({ url, baseUrl }: Webhook, account: Account | Failure): string | undefined {
		if (account instanceof Failure) {
			return `: ${account.headline}. If the workflow is not published again, remove it in the webhook settings of Survey B`;
		}
		if (addressOf(baseUrl) !== addressOf(account.baseUrl)) {
			return `, because it belongs to another base URL (${baseUrl}) than the credential now has. If it still exists there, remove it in the webhook settings of that account`;
		}
		if (n8nOf(url) === n8nOf(this.url)) return undefined;
		// This n8n's database may be a copy of that of another n8n, which still uses the webhook.
		return `, because it calls n8n at another address (${url}). If no n8n runs there, remove it in the webhook settings of Survey B`;
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

/** Returns the base URL without its scheme: http and https are the same account. */
function addressOf(baseUrl: string): string {
	const { host, pathname } = new URL(baseUrl);
	return host + pathname;
}

/** Returns the part of a webhook URL that all webhooks of an n8n share, in front of the webhook's own path. */
function n8nOf(url: string): string {
	return URL.canParse(url) ? new URL('..', url).href : url;
}
