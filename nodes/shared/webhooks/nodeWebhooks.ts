import { sleep } from 'n8n-workflow';
import type { IHookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Failure } from '../base/failure';
import { maybeEmpty } from '../base/json';
import { ApiClient, connectionOf } from '../http/client';
import type { TimeLimits } from '../http/client';
import type { Connection } from '../http/exchange';
import { sleepWithAbort } from '../http/retry';
import { isFollower, isUnattended, PUBLISH_MS } from '../n8nInternals';
import { memoryOf, savedWebhooks, saveWebhooks, webhookId } from './memory';
import type { Webhook } from './memory';
import { targetOf, tokenHash, tokenOf } from './token';
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

const createdWebhook = z.object({ id: webhookId });

/** The account that a node uses, and the token that derives from it. */
type Account = Connection & { token: string };

/** The webhooks that call one URL of a node, during one call of a hook and its work in the background. */
export class NodeWebhooks {
	/** Aborts when n8n calls the next hook for the URL. */
	readonly signal: AbortSignal;
	/** Read at once, because n8n decrypts no credentials after the hook has returned. */
	private readonly account: Promise<Account>;
	private readonly endAt = performance.now() + CREATION_MS;
	/** All that are known, the newest last. */
	private webhooks: Webhook[];

	constructor(
		private readonly context: IHookFunctions,
		private readonly trigger: WebhookTrigger,
		readonly url: string,
	) {
		this.account = accountOf(context, trigger);
		this.account.catch(() => undefined);
		this.memory.background.abort();
		this.memory.background = new AbortController();
		this.signal = this.memory.background.signal;
		this.webhooks = this.known();
	}

	/**
	 * Uses the webhooks that the node has, creates those that are missing, and then removes those that it needs no more. If it
	 * throws, n8n calls `delete`.
	 */
	async subscribe(events: string[]): Promise<void> {
		const account = await this.account;
		this.leaveElsewhere(account);
		const usable = this.usable(account);
		const used = events.flatMap((event) => usable.find((one) => one.event === event) ?? []);
		const missing = events.filter((event) => !used.some((one) => one.event === event));
		used.push(...(await this.createAll(missing, account)));
		this.webhooks = this.webhooks.map((one) => ({ ...one, isLive: used.some(isSame(one)) }));
		this.save();
		// promise: one-webhook
		const others = this.webhooks.filter(({ isLive }) => !isLive);
		// A start that created nothing sends nothing: static data may be older than the webhooks.
		const isStart = missing.length === 0 && isUnattended(this.context);
		if (isStart || others.length === 0) return;
		await Promise.race([this.removeAll(others), sleep(REMOVAL_WAIT)]);
		this.save();
	}

	/**
	 * Notes that no webhook is used any more, and removes them some seconds later, unless n8n calls `create` before: an edit uses
	 * them again, and they work all the time. Never throws.
	 */
	unsubscribe(): void {
		this.memory.deliveries.forgetUndated();
		this.webhooks = this.webhooks.map((one) => ({ ...one, isLive: false }));
		this.save();
		if (!isFollower(this.context)) return void this.removeLater().catch(() => undefined);
		// Another process calls `create` for an edit, and could not stop a removal here.
		const message = 'stays until the next publish, because this n8n process does not lead';
		for (const one of this.webhooks) this.log('warn', one, message);
	}

	private get memory() {
		return memoryOf(this.url);
	}

	/** Returns the webhooks of the URL that are saved, and those that only this process knows; the newest last. */
	private known(): Webhook[] {
		const saved = savedWebhooks(this.context).filter(({ url }) => url === this.url);
		return [...saved, ...this.memory.ours.filter((one) => !saved.some(isSame(one)))];
	}

	/** Writes the list into static data, which has the webhooks of other nodes, too. */
	private save(): void {
		const others = savedWebhooks(this.context).filter(({ url }) => url !== this.url);
		saveWebhooks(this.context, [...others, ...this.webhooks]);
	}

	/** Takes the node's webhooks at another address out of the list: a copy of n8n's database has those of the original. */
	private leaveElsewhere({ token }: Account): void {
		const hash = tokenHash(token);
		const all = savedWebhooks(this.context);
		const elsewhere = all.filter((one) => one.tokenHash === hash && one.url !== this.url);
		for (const one of elsewhere) {
			this.log('warn', one, `was not removed, because it calls another address (${one.url})`);
		}
		saveWebhooks(
			this.context,
			all.filter((one) => !elsewhere.includes(one)),
		);
	}

	/** Returns the webhooks that this hook can use, the newest first. */
	private usable({ credential: { baseUrl }, token }: Account): Webhook[] {
		const hash = tokenHash(token);
		const own = this.webhooks.filter((one) => one.baseUrl === baseUrl && one.tokenHash === hash);
		const newest = own.reverse();
		if (this.isKept(baseUrl)) return newest;
		if (isUnattended(this.context)) return newest.filter(({ isLive }) => isLive);
		// Somebody may have removed the others by hand, or the service may have restored a backup.
		const isEdit = this.context.getActivationMode() === 'update';
		return isEdit ? newest.filter((one) => this.memory.ours.some(isSame(one))) : [];
	}

	/** Returns whether a service has shown that it does not remove webhooks. */
	private isKept(baseUrl: string): boolean {
		const all = [...this.webhooks, ...this.memory.ours];
		return all.some((one) => one.stays && one.baseUrl === baseUrl);
	}

	// Creating

	/** @throws Failure that names each event for which a webhook may exist, or else the first one without any */
	private async createAll(events: string[], { credential }: Account): Promise<Webhook[]> {
		const [first] = events;
		const isFirst = !this.webhooks.some(({ baseUrl }) => baseUrl === credential.baseUrl);
		const tried = first !== undefined && isFirst ? await this.tryOut(first) : undefined;
		const missing = events.filter((event) => event !== tried?.event);
		const creating = Promise.allSettled(missing.map(async (event) => await this.create(event)));
		this.memory.creating = creating;
		const ends = await creating;
		const created = ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : []));
		if (created.length === missing.length) return tried ? [tried, ...created] : created;
		const failures = ends.flatMap((end) =>
			end.status === 'rejected' ? Failure.from(end.reason) : [],
		);
		const uncertain = failures.filter(({ isUncertain }) => isUncertain);
		throw uncertain.length > 0 ? Failure.all(uncertain) : failures[0];
	}

	/**
	 * Creates the first webhook at a service, and removes it once: only then does a 404 to a later removal say that it is gone.
	 *
	 * @returns the webhook if it may be used; otherwise it has to be created again
	 */
	private async tryOut(event: string): Promise<Webhook | undefined> {
		const begun = performance.now();
		const webhook = await this.create(event);
		if (performance.now() - begun > SLOW_MS) return webhook;
		const failure = await this.sendRemoval(webhook, this.client(TRIAL_LIMITS));
		if (!failure) return void this.drop(webhook);
		const { status = 0 } = failure;
		const isRefused = status >= 300 && status < 500 && ![408, 410, 429].includes(status);
		return isRefused || status === 501 ? this.put({ ...webhook, stays: true }) : undefined;
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
			const { credential, token } = await this.account;
			const request = trigger.create(event, targetOf(url, token));
			const { id } = await this.client(limits).send(request, createdWebhook);
			const { baseUrl } = credential;
			const hash = tokenHash(token);
			const webhook = { id, event, url, tokenHash: hash, baseUrl, isLive: false, stays: false };
			this.log('info', webhook, `was created in ${trigger.service.name}`);
			return this.put(webhook);
		} catch (error) {
			throw this.notCreated(event, Failure.from(error));
		}
	}

	private notCreated(event: string, failure: Failure): Failure {
		const { service, lookAt } = this.trigger;
		const message = `Could not subscribe to '${event}': ${failure.message}`;
		if (!failure.isUncertain) return failure.with({ message });
		const place = `look for one that calls ${this.url} in ${lookAt}, and remove it`;
		this.log('warn', { event }, `may exist in ${service.name}: ${place}`);
		return failure.with({
			message,
			hint: `A webhook for it may exist: ${place}. Then publish again`,
		});
	}

	// Removing

	/** Removes all that is known some seconds later, also what creations have added until then. */
	private async removeLater(): Promise<void> {
		await sleepWithAbort(REMOVAL_DELAY, this.signal);
		await this.memory.creating;
		this.webhooks = this.known();
		await this.removeAll(this.webhooks);
	}

	/** Never throws. The log names each webhook that may still exist. */
	private async removeAll(webhooks: Webhook[]): Promise<void> {
		const { memory, signal } = this;
		memory.ours = memory.ours.filter((one) => one.stays || !webhooks.some(isSame(one)));
		const client = this.client(REMOVAL_LIMITS, signal);
		await Promise.all(webhooks.map(async (one) => await this.remove(one, client)));
	}

	private async remove(webhook: Webhook, client: ApiClient): Promise<void> {
		const { service, lookAt } = this.trigger;
		const { credential, token } = (await this.account.catch(() => undefined)) ?? {};
		if (credential && webhook.baseUrl !== credential.baseUrl) {
			this.drop(webhook);
			const message = `was not removed, because it belongs to another base URL (${webhook.baseUrl}). If nothing uses it, remove it there`;
			return this.log('warn', webhook, message);
		}
		const failure = await this.sendRemoval(webhook, client);
		if (this.signal.aborted) return;
		const { status = 0, headline } = failure ?? {};
		const isRefused =
			[405, 501].includes(status) || (status === 404 && this.isKept(webhook.baseUrl));
		if (isRefused) {
			this.put({ ...webhook, stays: true });
			const message = `stays in ${service.name}: ${headline}. It starts no runs, and is used again when this node is published with its event. If you remove it in ${lookAt}, replace the node by a copy before you publish again`;
			return this.log('warn', webhook, message);
		}
		if (failure && ![404, 410].includes(status)) {
			const message = `may still exist in ${service.name}, which did not confirm its removal: ${headline}. The next publish tries again. If you do not publish this workflow again, remove it in ${lookAt}`;
			return this.log('warn', webhook, message);
		}
		this.drop(webhook);
		if (!failure) return this.log('info', webhook, `was removed from ${service.name}`);
		if (token !== undefined && webhook.tokenHash === tokenHash(token)) {
			return this.log('info', webhook, `was no longer in ${service.name}`);
		}
		const message = `was not found in ${service.name} with the present API key. If it belongs to an earlier key, remove it in ${lookAt}`;
		this.log('warn', webhook, message);
	}

	/** Returns why the service may not have removed a webhook; undefined if it has. */
	private async sendRemoval({ id }: Webhook, client: ApiClient): Promise<Failure | undefined> {
		const removal = client.send(this.trigger.remove(id), maybeEmpty);
		return await removal.then(
			() => undefined,
			(error: unknown) => Failure.from(error),
		);
	}

	/** Adds a webhook to what is known, or replaces the one with its ID. */
	private put(webhook: Webhook): Webhook {
		const isPut = isSame(webhook);
		const withIt = (list: Webhook[]) =>
			list.some(isPut) ? list.map((one) => (isPut(one) ? webhook : one)) : [...list, webhook];
		this.webhooks = withIt(this.webhooks);
		this.memory.ours = withIt(this.memory.ours);
		return webhook;
	}

	private drop(webhook: Webhook): void {
		const isOther = (one: Webhook) => !isSame(webhook)(one);
		this.webhooks = this.webhooks.filter(isOther);
		this.memory.ours = this.memory.ours.filter(isOther);
	}

	private client(limits: TimeLimits, signal?: AbortSignal): ApiClient {
		return new ApiClient(async () => await this.account, this.trigger.service, limits, signal);
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

/** Reads a node's account. Its responses come without the token, which the service may repeat. */
async function accountOf(context: IHookFunctions, { service }: WebhookTrigger): Promise<Account> {
	const { credential, transport } = await connectionOf(context, service);
	const token = tokenOf(context, credential);
	const redact = (text: string) => credential.redact(text).replaceAll(token, '***');
	return { transport, credential: { ...credential, redact }, token };
}

/** The ID names a webhook only at its service. */
function isSame({ id, baseUrl }: Webhook) {
	return (other: Webhook): boolean => other.id === id && other.baseUrl === baseUrl;
}
