import type { IHookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { ApiClient } from '../../../shared/http/client';
import { Failure } from '../../../shared/base/failure';
import { maybeEmpty } from '../../../shared/base/json';
import { path, post, remove } from '../../../shared/http/request';
import { isTransient } from '../../../shared/http/retry';
import { surveyB } from '../../service';
import { webhookId } from '../state/nodeState';
import type { Webhook } from '../state/nodeState';
import { withToken } from '../token';
import type { Account } from '../token';

/** n8n cancels an activation after two minutes. */
const TIME_LIMITS = { maxWait: 60, timeout: 30 };

const createdWebhook = z.object({ id: webhookId });

/** Why a webhook may still exist after an attempt to remove it. */
interface Stay {
	/** The rest of the sentence "Webhook 7 …". */
	message: string;
	/** True if removing it later may succeed. */
	isKept: boolean;
}

/** The service's two endpoints for webhooks (contract, section Webhooks), for one webhook URL of a node. */
export class WebhookApi {
	private readonly client: ApiClient;

	constructor(
		context: IHookFunctions,
		private readonly account: Account,
		private readonly url: string,
	) {
		this.client = new ApiClient(context, surveyB, TIME_LIMITS);
	}

	/** Returns the webhook, or a failure that is `uncertain` if the webhook may exist. Never throws. */
	async create(event: string): Promise<Webhook | Failure> {
		const { baseUrl, token } = this.account;
		try {
			const target = withToken(this.url, token);
			const request = post('notIdempotent', '/api/v2/hooks', { event, target });
			const { id } = await this.client.send(request, createdWebhook);
			return { id, event, url: this.url, baseUrl };
		} catch (error) {
			const failure = Failure.from(error);
			const message = `Could not subscribe to '${event}': ${failure.message}`;
			return failure.with({ message: message.split(token).join('***') });
		}
	}

	/** Removes a webhook with a request that the contract does not show. Never throws. */
	async remove(webhook: Webhook): Promise<Stay | undefined> {
		if (addressOf(webhook.baseUrl) !== addressOf(this.account.baseUrl)) {
			const message = `was not removed, because it belongs to another base URL (${webhook.baseUrl}) than the credential now has. If it still exists there, remove it in the webhook settings of that account`;
			return { message, isKept: true };
		}
		// This n8n's database may be a copy of that of another n8n, which still uses the webhook.
		if (originOf(webhook.url) !== originOf(this.url)) {
			const message = `was not removed, because it calls n8n at another address (${webhook.url}). If no n8n runs there, remove it in the webhook settings of Survey B`;
			return { message, isKept: true };
		}
		try {
			await this.client.send(remove(path`/api/v2/hooks/${webhook.id}`), maybeEmpty);
			return undefined;
		} catch (error) {
			return stayOf(Failure.from(error));
		}
	}
}

function stayOf({ status, headline }: Failure): Stay | undefined {
	if (status === 410) return undefined;
	const isKept = status === undefined || status === 429 || isTransient(status);
	const next = isKept
		? ' It is tried again when the workflow is next published or unpublished.'
		: '';
	const message = `may still exist in Survey B, which did not confirm its removal: ${headline}.${next} If it exists, remove it in the webhook settings of Survey B`;
	return { message, isKept };
}

/** Returns the base URL without its scheme: http and https are the same account. */
function addressOf(baseUrl: string): string {
	const { host, pathname } = new URL(baseUrl);
	return host + pathname;
}

function originOf(url: string): string {
	return URL.canParse(url) ? new URL(url).origin : url;
}
