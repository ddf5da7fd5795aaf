import type { IHookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { ApiClient } from '../../../shared/http/client';
import { Failure } from '../../../shared/http/failure';
import { maybeEmpty } from '../../../shared/http/json';
import { path, post, remove } from '../../../shared/http/request';
import { isTransient } from '../../../shared/http/retry';
import { surveyB } from '../../service';
import { secretHash, subscriptionId } from '../state/records';
import type { Orphan, Subscription } from '../state/records';
import { isOfAccount, isOfThisN8n } from './plan';
import type { Place } from './plan';

/** n8n gives up on an activation after two minutes. */
const TIME_LIMITS = { maxWait: 60, timeout: 30 };

const createdWebhook = z.object({ id: subscriptionId });

/** What became of a subscription that was to be removed. */
export type Removal =
	| { kind: 'removed'; subscription: Orphan }
	/** `why` ends the sentence "Webhook 7 …". */
	| { kind: 'orphaned'; subscription: Orphan; why: string };

/** The service's two endpoints for subscriptions (contract, section Webhooks). Nothing here throws. */
export class WebhookApi {
	private readonly client: ApiClient;

	constructor(
		context: IHookFunctions,
		private readonly place: Place,
	) {
		this.client = new ApiClient(context, surveyB, TIME_LIMITS);
	}

	/** Makes a subscription: `POST /api/v2/hooks`. Its failure is `uncertain` where it may exist. */
	async create(event: string, token: string): Promise<Subscription | Failure> {
		try {
			const target = targetOf(this.place.url, token);
			const request = post('notIdempotent', '/api/v2/hooks', { event, target });
			const { id } = await this.client.send(request, createdWebhook);
			return { id, event, tokenHash: secretHash(token), ...this.place };
		} catch (error) {
			const { details } = Failure.from(error);
			const words = `Could not subscribe to '${event}': ${details.words}`;
			return new Failure({ ...details, words: words.split(token).join('***') });
		}
	}

	/**
	 * Removes a subscription: `DELETE /api/v2/hooks/{id}`, which the contract does not show. So only a
	 * success, or 410 for one removed earlier, proves anything: a 404 may mean the endpoint. What
	 * belongs to another account or to another n8n is left alone.
	 */
	async remove(one: Orphan): Promise<Removal> {
		const subscription = { ...one, seenAt: undefined, retry: undefined, permanent: undefined };
		const why = whyLeft(one, this.place);
		if (why !== undefined) return { kind: 'orphaned', subscription, why };
		try {
			await this.client.send(remove(path`/api/v2/hooks/${one.id ?? ''}`), maybeEmpty);
			return { kind: 'removed', subscription };
		} catch (error) {
			return removalOf(subscription, Failure.from(error));
		}
	}
}

/** The URL that the service is to call. */
export function targetOf(url: string, token: string): string {
	const target = new URL(url);
	target.searchParams.set('token', token);
	return target.href;
}

/** Why a subscription is not even tried to be removed. */
function whyLeft(one: Orphan, place: Place): string | undefined {
	if (!isOfAccount(one, place)) {
		return `was not removed, because it belongs to another account or base URL (${one.service}) than the credential now has. If it still exists there, remove it in the webhook settings of that account`;
	}
	if (!isOfThisN8n(one, place)) {
		return `was not removed, because it calls n8n at another address (${one.url}). If no n8n runs there, remove it in the webhook settings of Survey B`;
	}
	if (one.id === undefined) {
		return 'may exist in Survey B, which did not say its ID. If it exists, remove it in the webhook settings of Survey B';
	}
	return undefined;
}

function removalOf(subscription: Orphan, failure: Failure): Removal {
	const { status } = failure.details;
	if (status === 410) return { kind: 'removed', subscription };
	if (status === 405) {
		const why =
			'stays in Survey B, which does not let webhooks be removed (HTTP 405). It is used again when this workflow is published';
		return { kind: 'orphaned', subscription: { ...subscription, permanent: true }, why };
	}
	const retry = status === undefined || status === 429 || isTransient(status) || undefined;
	const why = `may still exist in Survey B, which did not confirm its removal: ${failure.headline}. If it exists, remove it in the webhook settings of Survey B`;
	return { kind: 'orphaned', subscription: { ...subscription, retry }, why };
}
