import type { IHookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { ApiClient } from '../../../shared/http/client';
import { Failure } from '../../../shared/base/failure';
import { maybeEmpty } from '../../../shared/http/json';
import { path, post, remove } from '../../../shared/http/request';
import { isTransient } from '../../../shared/http/retry';
import { surveyB } from '../../service';
import { webhookId } from '../state/registration';
import type { Webhook } from '../state/registration';
import { tokenHash, withToken } from '../webhookTarget';
import type { WebhookTarget } from '../webhookTarget';

/** n8n cancels an activation after two minutes. */
const TIME_LIMITS = { maxWait: 60, timeout: 30 };

const createdWebhook = z.object({ id: webhookId });

const BY_HAND = 'If it exists, remove it in the webhook settings of Survey B';

export interface Removal {
	webhook: Webhook;
	/**
	 * `missing`: the service does not know it, or cannot remove webhooks (404). `failed`: a retry may succeed.
	 * `foreign`: not tried, because it belongs to another service or calls another n8n.
	 */
	kind: 'removed' | 'missing' | 'failed' | 'refused' | 'foreign';
	/** The rest of the sentence "Webhook 7 …". */
	message: string;
}

/** The service's two endpoints for webhooks (contract, section Webhooks). */
export class WebhookApi {
	private readonly client: ApiClient;

	constructor(
		context: IHookFunctions,
		private readonly target: WebhookTarget,
	) {
		this.client = new ApiClient(context, surveyB, TIME_LIMITS);
	}

	/** Creates a webhook. The failure is `uncertain` if the webhook may exist. Never throws. */
	async create(event: string): Promise<Webhook | Failure> {
		const { url, baseUrl, token } = this.target;
		try {
			const target = withToken(url, token);
			const request = post('notIdempotent', '/api/v2/hooks', { event, target });
			const { id } = await this.client.send(request, createdWebhook);
			return { id, event, url, baseUrl, tokenHash: tokenHash(token), createdAt: Date.now() };
		} catch (error) {
			const failure = Failure.from(error);
			const words = `Could not subscribe to '${event}': ${failure.message}`;
			return failure.with({ message: words.split(token).join('***') });
		}
	}

	/** Removes a webhook with a request that the contract does not show. Never throws. */
	async remove(webhook: Webhook): Promise<Removal> {
		const { baseUrl, url } = this.target;
		if (addressOf(webhook.baseUrl) !== addressOf(baseUrl)) {
			const message = `was not removed, because it belongs to another base URL (${webhook.baseUrl}) than the credential now has. If it still exists there, remove it in the webhook settings of that account`;
			return { webhook, kind: 'foreign', message };
		}
		// This n8n's database may be a copy of that of another n8n, which still uses the webhook.
		if (originOf(webhook.url) !== originOf(url)) {
			const message = `was not removed, because it calls n8n at another address (${webhook.url}). If no n8n runs there, remove it in the webhook settings of Survey B`;
			return { webhook, kind: 'foreign', message };
		}
		try {
			await this.client.send(remove(path`/api/v2/hooks/${webhook.id}`), maybeEmpty);
			return { webhook, kind: 'removed', message: 'was removed from Survey B' };
		} catch (error) {
			return removalOf(webhook, Failure.from(error));
		}
	}
}

function removalOf(webhook: Webhook, { status, headline }: Failure): Removal {
	if (status === 410) return { webhook, kind: 'removed', message: 'was removed from Survey B' };
	const message = `may still exist in Survey B, which did not confirm its removal: ${headline}. ${BY_HAND}`;
	if (status === 404) return { webhook, kind: 'missing', message };
	if (status === undefined || status === 429 || isTransient(status)) {
		const again = 'It is tried again when the workflow is next published or unpublished';
		return { webhook, kind: 'failed', message: `${message}. ${again}` };
	}
	return { webhook, kind: 'refused', message };
}

/** Returns the base URL without its scheme: http and https are the same account. */
function addressOf(baseUrl: string): string {
	const { host, pathname } = new URL(baseUrl);
	return host + pathname;
}

function originOf(url: string): string {
	return URL.canParse(url) ? new URL(url).origin : url;
}
