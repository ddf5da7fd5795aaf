import type { IHookFunctions } from 'n8n-workflow';

import { Failure } from '../../../shared/base/failure';
import { keyOf, withoutWebhooks, withWebhooks } from '../state/registration';
import type { Webhook } from '../state/registration';
import type { TriggerStore } from '../state/triggerStore';
import { tokenHash } from '../webhookTarget';
import type { WebhookTarget } from '../webhookTarget';
import { WebhookApi } from './webhookApi';
import type { Removal } from './webhookApi';

/**
 * How long after its creation an unremoved webhook is used again, in ms. n8n tries a failed publish again within
 * seconds; later, a user may have removed the webhook by hand.
 */
const REUSE_TIME = 5 * 60 * 1000;

export class Subscriptions {
	private readonly api: WebhookApi;

	constructor(
		private readonly context: IHookFunctions,
		private readonly store: TriggerStore,
		private readonly target: WebhookTarget,
	) {
		this.api = new WebhookApi(context, target);
	}

	/**
	 * Creates the missing webhooks, one per event, then removes the earlier ones. If it throws, n8n calls `unsubscribe`.
	 *
	 * @throws Failure that names the event
	 */
	async subscribe(events: string[]): Promise<void> {
		const { store, target } = this;
		const before = store.registration;
		const hash = tokenHash(target.token);
		const justCreated = this.justCreated();
		const candidates = this.isStart ? withWebhooks(before.webhooks, justCreated) : justCreated;
		const kept = candidates.filter((one) => one.tokenHash === hash && events.includes(one.event));
		const missing = events.filter((event) => !kept.some((webhook) => webhook.event === event));
		const leftover = withoutWebhooks(before.webhooks, kept);
		if (this.isStart && missing.length + leftover.length === 0) return;

		// Saved first, because webhooks may deliver before the service has returned their IDs.
		const { url, baseUrl } = target;
		const publishedAt = this.isStart ? before.publishedAt : Date.now();
		store.save({ url, baseUrl, tokenHash: hash, publishedAt });
		store.add(kept);
		for (const event of missing) await this.create(event);
		await this.remove(leftover);
	}

	async unsubscribe(): Promise<void> {
		await this.remove(this.store.registration.webhooks);
	}

	/** True if n8n starts. Otherwise a user published, who may have removed stored webhooks by hand. */
	private get isStart(): boolean {
		return ['init', 'leadershipChange'].includes(this.context.getActivationMode());
	}

	private justCreated(): Webhook[] {
		const since = Date.now() - REUSE_TIME;
		return this.store.process.unremoved.filter(({ createdAt }) => createdAt > since);
	}

	private async create(event: string): Promise<void> {
		const result = await this.api.create(event);
		if (!(result instanceof Failure)) {
			this.store.add([result]);
			this.store.process.created.add(keyOf(result));
			return log(this.context, 'info', result, 'was created in Survey B');
		}
		if (result.kind === 'uncertain') {
			const message =
				'may exist in Survey B, which did not return its ID. If it exists, remove it in the webhook settings of Survey B';
			log(this.context, 'warn', { event }, message);
		}
		throw result;
	}

	private async remove(webhooks: Webhook[]): Promise<void> {
		const { store } = this;
		const results = await Promise.all(webhooks.map(async (one) => await this.api.remove(one)));
		// 404 proves that a webhook does not exist only if the service can remove webhooks.
		const isSupported = results.some(({ kind }) => kind === 'removed');
		const isGone = ({ kind }: Removal) => kind === 'removed' || (kind === 'missing' && isSupported);
		const done = results.filter(({ kind }) => kind !== 'failed').map(({ webhook }) => webhook);
		store.save({ webhooks: withoutWebhooks(store.registration.webhooks, done) });
		store.process.unremoved = results
			.filter((one) => !isGone(one) && store.process.created.has(keyOf(one.webhook)))
			.map(({ webhook }) => webhook);
		for (const removal of results) {
			const { kind, webhook, message } = removal;
			if (!isGone(removal)) log(this.context, 'warn', webhook, message);
			else if (kind === 'removed') log(this.context, 'info', webhook, message);
			else log(this.context, 'info', webhook, 'no longer exists in Survey B');
		}
	}
}

/** Logs the webhooks that cannot be removed because the credential cannot be read. */
export function logUnreachable(
	context: IHookFunctions,
	{ registration }: TriggerStore,
	{ headline }: Failure,
): void {
	for (const webhook of registration.webhooks) {
		const message = `was not removed: ${headline}. If the workflow is not published again, remove it in the webhook settings of Survey B`;
		log(context, 'warn', webhook, message);
	}
}

/** Never logs a token. */
function log(
	context: IHookFunctions,
	level: 'info' | 'warn',
	{ id, event }: { id?: Webhook['id']; event: string },
	message: string,
): void {
	const name = `Webhook ${id ?? 'of unknown ID'} (${event})`;
	const workflowId = context.getWorkflow().id;
	context.logger[level](`${name} ${message}`, { workflowId, nodeName: context.getNode().name });
}
