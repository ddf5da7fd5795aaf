import { sleep } from 'n8n-workflow';
import type { IHookFunctions } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { sha256 } from '../base/hash';
import { maybeEmpty } from '../base/json';
import { withFullStop } from '../base/text';
import { ApiClient, connectionOf } from '../http/client';
import type { TimeLimits } from '../http/client';
import type { Credential } from '../http/credential';
import type { Connection } from '../http/exchange';
import { notRemoved } from '../http/response';
import { sleepWithAbort } from '../http/retry';
import { isUnattended, processOf, PUBLISH_MS } from '../n8nInternals';
import { createdWebhook, savedWebhooks, saveWebhooks, urlStateOf } from './state';
import type { Webhook } from './state';
import { targetOf, tokenOf, withoutToken } from './token';
import type { WebhookTrigger } from './webhookTrigger';

// The order keeps a trigger from ever being deaf: no webhook of a wanted event is removed before a creation for that event
// has returned. If n8n ends before the creation, the earlier webhook is there. If it ends after it, the new one is, saved or
// not, with the same token. One that was not saved is a second one, whose deliveries are repeats.

/** All creations end before n8n cancels a publish, so that n8n shows our error and not its own, in ms. */
const CREATION_MS = (PUBLISH_MS.deadline * 2) / 3;

/** If the first creation takes longer, there is no time to remove that webhook and to create it again. */
const SLOW_MS = CREATION_MS / 3;

/** After `delete`, n8n calls `create` at the latest after its longest pause, in ms. */
const REMOVAL_DELAY = PUBLISH_MS.longestPause + 2000;

/** How long a publish waits for removals, in ms. Then they go on in the background. */
const REMOVAL_WAIT = 3000;

const TRIAL_LIMITS: TimeLimits = { maxWait: 1000, timeout: 4000, attempts: 1, isInteractive: true };
const REMOVAL_LIMITS: TimeLimits = { maxWait: 600_000, timeout: 30_000 };

/** The connection of a node, and the token that derives from its credential. */
type TokenConnection = Connection & { token: string; tokenHash: string };

/** The webhooks that call one URL of a node, during one call of a hook and its work in the background. */
export class NodeWebhooks {
	readonly url: string;
	/** Aborts when n8n calls the next hook for the URL. */
	readonly signal: AbortSignal;
	private readonly state: ReturnType<typeof urlStateOf>;
	/** Read at once, because n8n decrypts no credentials after the hook has returned. */
	private readonly connection: Promise<TokenConnection>;
	private readonly endAt = performance.now() + CREATION_MS;

	constructor(
		private readonly context: IHookFunctions,
		private readonly trigger: WebhookTrigger,
	) {
		this.url = context.getNodeWebhookUrl('default') ?? '';
		this.connection = tokenConnectionOf(context, trigger);
		this.connection.catch(() => undefined);
		const state = urlStateOf(this.url);
		this.state = state;
		state.background.abort();
		state.background = new AbortController();
		this.signal = state.background.signal;
		const saved = savedWebhooks(context).filter(({ url }) => url === this.url);
		const unsaved = state.webhooks.filter(
			(webhook) => webhook.isOurs && !saved.some(isSame(webhook)),
		);
		state.webhooks = [
			...saved.map((webhook) => state.webhooks.find(isSame(webhook)) ?? webhook),
			// Another process may have removed it since, and published.
			...unsaved.map((webhook) => ({ ...webhook, isOurs: webhook.stays })),
		];
	}

	/**
	 * Uses the webhooks that the node has, creates those that are missing, and then removes those that it needs no more. If it
	 * throws, n8n calls `delete`.
	 */
	async subscribe(events: string[]): Promise<void> {
		const { context, state } = this;
		const connection = await this.connection;
		const usable = this.usable(connection);
		const used = events.flatMap((event) => usable.find((webhook) => webhook.event === event) ?? []);
		const missing = events.filter((event) => !used.some((webhook) => webhook.event === event));
		for (const webhook of state.webhooks) webhook.isLive = used.includes(webhook);
		await this.createAll(missing, connection.credential);
		saveWebhooks(context, this.url);
		// promise: one-webhook
		const unused = state.webhooks.filter(({ isLive }) => !isLive);
		// A start that created nothing sends nothing: static data may be older than the webhooks.
		if (missing.length === 0 && isUnattended(context)) return;
		const ofOtherUrls = savedWebhooks(context).filter(
			({ tokenHash, url }) => tokenHash === connection.tokenHash && url !== this.url,
		);
		await Promise.race([this.removeAll([...unused, ...ofOtherUrls]), sleep(REMOVAL_WAIT)]);
		saveWebhooks(context, this.url);
	}

	/**
	 * Notes that no webhook is used any more, and removes them some seconds later, unless n8n calls `create` before: an edit uses
	 * them again, and they work all the time. Never throws.
	 */
	unsubscribe(): void {
		const { context, state } = this;
		state.deliveries.unpublishedAt = performance.now();
		for (const webhook of state.webhooks) webhook.isLive = false;
		saveWebhooks(context, this.url);
		if (!processOf(context).isFollower) return void this.removeLater().catch(() => undefined);
		// Another process calls `create` for an edit, and could not stop a removal here.
		const message = 'stays until the next publish, because this n8n process does not lead';
		for (const webhook of state.webhooks) this.log('warn', webhook, message);
	}

	/** Lists the webhooks that this call can use, the newest first. */
	private usable({ credential, tokenHash }: TokenConnection): Webhook[] {
		const { webhooks } = this.state;
		// The token is also of the base URL.
		const newest = webhooks.filter((webhook) => webhook.tokenHash === tokenHash).reverse();
		if (this.isKept(credential.baseUrl)) return newest;
		if (isUnattended(this.context)) return newest.filter(({ isLive }) => isLive);
		// Somebody may have removed the others by hand, or the service may have restored a backup.
		const isEdit = this.context.getActivationMode() === 'update';
		return isEdit ? newest.filter(({ isOurs }) => isOurs) : [];
	}

	/** True if the service has shown that it does not remove webhooks. */
	private isKept(baseUrl: string): boolean {
		return this.state.webhooks.some((webhook) => webhook.stays && webhook.baseUrl === baseUrl);
	}

	/** @throws Failure that names each event for which a webhook may exist, or else the first one without any */
	private async createAll(events: string[], { baseUrl }: Credential): Promise<void> {
		const [first, ...others] = events;
		const isFirst = !this.state.webhooks.some((webhook) => webhook.baseUrl === baseUrl);
		const isTried = isFirst && first !== undefined && (await this.tryOut(first));
		const missing = isTried ? others : events;
		const creating = Promise.allSettled(missing.map(async (event) => await this.create(event)));
		this.state.creating = creating;
		const failures = (await creating).flatMap((settled) =>
			settled.status === 'rejected' ? Failure.from(settled.reason) : [],
		);
		const [failure] = failures;
		const uncertain = failures.filter(({ isUncertain }) => isUncertain);
		if (failure) throw uncertain.length > 0 ? Failure.all(uncertain) : failure;
	}

	/**
	 * Creates the first webhook at a service, and removes it once: only then does a 404 to a later removal say that it is gone.
	 *
	 * @returns false if it has to be created again
	 */
	private async tryOut(event: string): Promise<boolean> {
		const begun = performance.now();
		const webhook = await this.create(event);
		if (performance.now() - begun > SLOW_MS) return true;
		const failure = await this.sendRemoval(webhook.id, this.client(TRIAL_LIMITS));
		const { status = 0 } = failure ?? {};
		const isRefused = status >= 300 && status < 500 && ![408, 410, 429].includes(status);
		webhook.stays = isRefused || status === 501;
		webhook.isLive = webhook.stays;
		if (!failure) this.forget(webhook);
		return webhook.stays;
	}

	/** Creates a webhook in one long try, which is repeated only if it certainly did nothing. @throws Failure that names the event */
	private async create(event: string): Promise<Webhook> {
		const { trigger, url, endAt } = this;
		const left = () => Math.max(1, Math.floor(endAt - performance.now()));
		const limits: TimeLimits = {
			maxWait: left(),
			isInteractive: true,
			get timeout() {
				return left();
			},
		};
		try {
			const { credential, token, tokenHash } = await this.connection;
			const asked = targetOf(url, token);
			const address = withoutToken(asked);
			// An existing webhook that calls somebody else is not ours, and must not be removed.
			const ours = (body: unknown) => {
				const { data } = createdWebhook.safeParse(body);
				return (data?.target ?? asked).startsWith(address) ? data : undefined;
			};
			const { id } = await this.client(limits).send(trigger.create(event, asked), ours);
			const common = { event, url, tokenHash, baseUrl: credential.baseUrl };
			const webhook = { id, ...common, isLive: true, stays: false, isOurs: true };
			this.forget(webhook);
			this.state.webhooks.push(webhook);
			this.log('info', webhook, `was created in ${trigger.service.name}`);
			return webhook;
		} catch (error) {
			const failure = Failure.from(error);
			const message = `Could not subscribe to '${event}': ${failure.message}`;
			if (!failure.isUncertain) throw failure.with({ message });
			const place = `look for one that calls ${url} in ${trigger.lookAt}, and remove it`;
			this.log('warn', { event }, `may exist in ${trigger.service.name}: ${place}`);
			const hint = `A webhook for it may exist: ${place}. Then publish again`;
			throw failure.with({ message, hint });
		}
	}

	/** Removes all that is known some seconds later, also what creations have added until then. */
	private async removeLater(): Promise<void> {
		await sleepWithAbort(REMOVAL_DELAY, this.signal);
		await this.state.creating;
		await this.removeAll(this.state.webhooks);
	}

	/** Never throws. The log names each webhook that may still exist. */
	private async removeAll(webhooks: Webhook[]): Promise<void> {
		for (const webhook of webhooks) webhook.isOurs = webhook.stays;
		const client = this.client(REMOVAL_LIMITS, this.signal);
		await Promise.all(webhooks.map(async (webhook) => await this.remove(webhook, client)));
	}

	private async remove(webhook: Webhook, client: ApiClient): Promise<void> {
		const { service, lookAt } = this.trigger;
		const { id, url, baseUrl } = webhook;
		const { credential, tokenHash } = (await this.connection.catch(() => undefined)) ?? {};
		if (url !== this.url || (credential && credential.baseUrl !== baseUrl)) {
			this.forget(webhook);
			const message = `was not removed, because it belongs to another address or another base URL: it calls ${url} from ${baseUrl}. If nothing uses it, remove it there`;
			return this.log('warn', webhook, message);
		}
		const failure = await this.sendRemoval(id, client);
		if (this.signal.aborted) return;
		const { status = 0, headline = '' } = failure ?? {};
		const why = withFullStop(headline);
		if ([405, 501].includes(status) || (status === 404 && this.isKept(baseUrl))) {
			webhook.stays = true;
			webhook.isOurs = true;
			const message = `stays in ${service.name}: ${why} It starts no runs, and is used again when this node is published with its event. If you remove it in ${lookAt}, replace the node by a copy before you publish again`;
			return this.log('warn', webhook, message);
		}
		if (failure && ![404, 410].includes(status)) {
			const message = `may still exist in ${service.name}, which did not confirm its removal: ${why} Publishing this node tries again. If you do not publish it again, remove the webhook in ${lookAt}`;
			return this.log('warn', webhook, message);
		}
		this.forget(webhook);
		if (!failure) return this.log('info', webhook, `was removed from ${service.name}`);
		if (webhook.tokenHash === tokenHash) {
			return this.log('info', webhook, `was no longer in ${service.name}`);
		}
		const message = `was not found in ${service.name} with the present API key. If it belongs to an earlier key, remove it in ${lookAt}`;
		this.log('warn', webhook, message);
	}

	/** Returns why the service may not have removed a webhook; undefined if it has. */
	private async sendRemoval(id: Webhook['id'], client: ApiClient): Promise<Failure | undefined> {
		const { service, remove } = this.trigger;
		const removal = client.send(remove(id), maybeEmpty);
		return await removal.then((body) => notRemoved(service, body), Failure.from);
	}

	private forget(webhook: Webhook): void {
		const isForgotten = isSame(webhook);
		this.state.webhooks = this.state.webhooks.filter((known) => !isForgotten(known));
	}

	private client(limits: TimeLimits, signal?: AbortSignal): ApiClient {
		return new ApiClient(async () => await this.connection, this.trigger.service, limits, signal);
	}

	private log(
		level: 'info' | 'warn',
		{ id, event }: { id?: Webhook['id']; event: string },
		message: string,
	): void {
		const { context } = this;
		const name = `Webhook ${id ?? 'of unknown ID'} (${event})`;
		const workflowId = context.getWorkflow().id;
		context.logger[level](`${name} ${message}`, { workflowId, nodeName: context.getNode().name });
	}
}

/** Responses come without the token, which the service may repeat. */
async function tokenConnectionOf(context: IHookFunctions, { service }: WebhookTrigger) {
	const { credential, transport } = await connectionOf(context, service);
	const token = tokenOf(context, credential);
	const redact = (text: string) => credential.redact(text).replaceAll(token, '***');
	return { transport, credential: { ...credential, redact }, token, tokenHash: sha256(token) };
}

/** The ID names a webhook only at its service. */
function isSame({ id, baseUrl }: Webhook) {
	return (other: Webhook): boolean => other.id === id && other.baseUrl === baseUrl;
}
