import type { IHookFunctions } from 'n8n-workflow';

import { Failure } from '../../../shared/base/failure';
import type { WorkflowMemory } from '../state/memory';
import { without } from '../state/nodeState';
import type { Webhook } from '../state/nodeState';
import { tokenHash } from '../token';
import type { Account } from '../token';
import { WebhookApi } from './webhookApi';

/** The webhooks of one node at the service, for its live or its test URL. */
export class Subscriptions {
	constructor(
		private readonly context: IHookFunctions,
		private readonly memory: WorkflowMemory,
		/** The node's key in the memory. */
		private readonly key: string,
		private readonly url: string,
	) {}

	/**
	 * Creates a webhook for each event, then removes the earlier ones. If it throws, n8n calls `unsubscribe`, and may try
	 * again. Webhooks are used again only when n8n starts: after a publish, a user may have removed them by hand.
	 *
	 * @throws Failure that names the event
	 */
	async subscribe(account: Account, events: string[]): Promise<void> {
		const { context, memory, key, url } = this;
		const { baseUrl, token } = account;
		const state = memory.node(key);
		const isStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
		const fits = state.url === url && state.tokenHash === tokenHash(token);
		const usable = isStart && fits ? state.webhooks.filter((one) => one.baseUrl === baseUrl) : [];
		const kept = events.flatMap((event) => usable.find((one) => one.event === event) ?? []);
		const missing = events.filter((event) => !kept.some((webhook) => webhook.event === event));
		const leftovers = without([...state.leftovers, ...state.webhooks], kept);
		const publishedAt = isStart ? state.publishedAt : Date.now();
		if (isStart && missing.length === 0 && kept.length === state.webhooks.length) return;

		memory.change(key, {
			url,
			tokenHash: tokenHash(token),
			publishedAt,
			webhooks: kept,
			leftovers,
		});
		const api = new WebhookApi(context, account, url);
		for (const event of this.inOrder(missing)) await this.create(api, event);
		await this.removeLeftovers(api);
	}

	/** Removes the node's webhooks. */
	async unsubscribe(account: Account): Promise<void> {
		const { memory, key, context, url } = this;
		const { webhooks, leftovers } = memory.node(key);
		memory.change(key, { webhooks: [], leftovers: [...leftovers, ...webhooks] });
		await this.removeLeftovers(new WebhookApi(context, account, url));
	}

	/** Logs the webhooks that cannot be removed because the credential cannot be read. */
	logUnreachable({ headline }: Failure): void {
		const { memory, key } = this;
		const { webhooks, leftovers } = memory.node(key);
		const all = [...leftovers, ...webhooks];
		memory.change(key, { webhooks: [], leftovers: all });
		for (const webhook of all) {
			const message = `was not removed: ${headline}. If the workflow is not published again, remove it in the webhook settings of Survey B`;
			this.log('warn', webhook, message);
		}
	}

	/** Puts the event that failed last first, so that repeated tries do not create the others again and again. */
	private inOrder(events: string[]): string[] {
		const failedEvent = this.memory.failedEvents.get(this.key);
		return [...events].sort((a, b) => Number(b === failedEvent) - Number(a === failedEvent));
	}

	private async create(api: WebhookApi, event: string): Promise<void> {
		const { memory, key } = this;
		const webhook = await api.create(event);
		if (webhook instanceof Failure) {
			memory.failedEvents.set(key, event);
			const message =
				'may exist in Survey B, which did not return its ID. If it exists, remove it in the webhook settings of Survey B';
			if (webhook.kind === 'uncertain') this.log('warn', { event }, message);
			throw webhook;
		}
		const { webhooks, leftovers } = memory.node(key);
		// The service may have returned an existing webhook.
		const remaining = without(leftovers, [webhook]);
		memory.change(key, { webhooks: [...webhooks, webhook], leftovers: remaining });
		this.log('info', webhook, 'was created in Survey B');
	}

	private async removeLeftovers(api: WebhookApi): Promise<void> {
		const { memory, key } = this;
		const before = memory.node(key).leftovers;
		const stays = await Promise.all(before.map(async (one) => await api.remove(one)));
		memory.change(key, { leftovers: before.filter((_, i) => stays[i]?.isKept === true) });
		before.forEach((webhook, i) => {
			const stay = stays[i];
			if (stay) this.log('warn', webhook, stay.message);
			else this.log('info', webhook, 'was removed from Survey B');
		});
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
