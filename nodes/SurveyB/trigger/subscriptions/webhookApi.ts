import type { IHookFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { ApiClient } from '../../../shared/http/client';
import { Failure } from '../../../shared/http/failure';
import { maybeEmpty } from '../../../shared/http/json';
import { path, post, remove } from '../../../shared/http/request';
import { isTransient } from '../../../shared/http/retry';
import { surveyB } from '../../service';
import type { Place } from './plan';
import type { Orphan, Subscription } from '../state/records';

/** n8n gives up on an activation after two minutes. */
const TIME_LIMITS = { maxWait: 60, timeout: 30 };

const createdWebhook = z.object({ id: z.union([z.number(), z.string().min(1)]) });

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
	async make(event: string, token: string): Promise<Subscription | Failure> {
		try {
			const target = new URL(this.place.url);
			target.searchParams.set('token', token);
			const request = post('notIdempotent', '/api/v2/hooks', { event, target: target.href });
			const { id } = await this.client.send(request, createdWebhook);
			return { id, event, token, ...this.place };
		} catch (error) {
			const { details } = Failure.from(error);
			const words = `Could not subscribe to '${event}': ${details.words}`;
			return new Failure({ ...details, words: words.split(token).join('***') });
		}
	}

	/**
	 * Removes a subscription: `DELETE /api/v2/hooks/{id}`, which the contract does not show. So only a
	 * success, or 410 for one removed earlier, proves anything: a 404 may mean the endpoint.
	 *
	 * @returns undefined when it is gone, else the orphan that it is now
	 */
	async remove(one: Orphan): Promise<Orphan | undefined> {
		const orphan = { ...one, seenAt: undefined, retry: undefined };
		// Another service's ID may be the ID of somebody else's subscription here.
		if (one.id === undefined || one.service !== this.place.service) return orphan;
		try {
			await this.client.send(remove(path`/api/v2/hooks/${one.id}`), maybeEmpty);
			return undefined;
		} catch (error) {
			const { status } = Failure.from(error).details;
			if (status === 410) return undefined;
			const retry = status === undefined || status === 429 || isTransient(status) || undefined;
			return { ...orphan, retry };
		}
	}
}
