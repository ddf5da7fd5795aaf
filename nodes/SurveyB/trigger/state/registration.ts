import { z } from 'zod/v4';

import { lazy } from '../../../shared/http/lazy';

/** Bounds what the service can add to a workflow's static data. */
const LONGEST_ID = 200;
const MOST_WEBHOOKS = 100;

/** The ID of a webhook, as the service gives it. */
export const webhookId = z.union([z.number(), z.string().min(1).max(LONGEST_ID)]);

/** A webhook at the service that may be alive. */
const webhookRecord = z.object({
	id: webhookId,
	event: z.string(),
	/** The node's webhook URL when it was created. */
	url: z.string(),
	/** The base URL of the service that it was created at. */
	baseUrl: z.string(),
	/** The hash of its token. */
	tokenHash: z.string(),
	/** When the service returned its ID, in ms since 1970. */
	createdAt: z.number(),
});

/** A node's webhooks at the service, for its live or its test URL. */
export const registrationRecord = lazy(() =>
	z.object({
		/** The n8n instance, workflow and node that it belongs to: a copy of the workflow leaves it alone. */
		owner: z.string(),
		/** Grows with every save, so that the newer of two versions can be told. */
		savedAt: z.number(),
		/** When the node last subscribed, in ms since 1970. */
		publishedAt: z.number(),
		/** The node's webhook URL, the service's base URL and the token's hash at that time. */
		url: z.string(),
		baseUrl: z.string(),
		tokenHash: z.string(),
		webhooks: z.array(webhookRecord),
	}),
);

export type Webhook = z.infer<typeof webhookRecord>;
export type Registration = z.infer<ReturnType<typeof registrationRecord>>;

/** Adds webhooks to a list once each, and keeps the list short. */
export function withWebhooks(webhooks: Webhook[], more: Webhook[]): Webhook[] {
	return [...withoutWebhooks(webhooks, more), ...more].slice(-MOST_WEBHOOKS);
}

/** Removes webhooks from a list. */
export function withoutWebhooks(webhooks: Webhook[], removed: Webhook[]): Webhook[] {
	const keys = new Set(removed.map(keyOf));
	return webhooks.filter((webhook) => !keys.has(keyOf(webhook)));
}

/** Names a webhook. */
export function keyOf({ baseUrl, id, event }: Webhook): string {
	return [baseUrl, id, event].join(' ');
}
