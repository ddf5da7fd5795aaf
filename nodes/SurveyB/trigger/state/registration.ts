import { z } from 'zod/v4';

import { lazy } from '../../../shared/http/lazy';

/** Limits the size of a workflow's static data. */
const LONGEST_ID = 200;
const MOST_WEBHOOKS = 100;

export const webhookId = z.union([z.number(), z.string().min(1).max(LONGEST_ID)]);

/** A webhook that may exist at the service. */
const webhookRecord = z.object({
	id: webhookId,
	event: z.string(),
	/** The node's webhook URL when it was created. */
	url: z.string(),
	/** The service's base URL when it was created. */
	baseUrl: z.string(),
	tokenHash: z.string(),
	/** In ms since 1970. */
	createdAt: z.number(),
});

/** A node's webhooks, for its live or its test URL. */
export const registrationRecord = lazy(() =>
	z.object({
		/** The n8n instance, workflow and node, so that a copy of the workflow ignores it. */
		owner: z.string(),
		/** Grows with every save, so that the newer of two versions is known. */
		savedAt: z.number(),
		/** When the node last subscribed, in ms since 1970; `url`, `baseUrl` and `tokenHash` are of that time. */
		publishedAt: z.number(),
		url: z.string(),
		baseUrl: z.string(),
		tokenHash: z.string(),
		webhooks: z.array(webhookRecord),
	}),
);

export type Webhook = z.infer<typeof webhookRecord>;
export type Registration = z.infer<ReturnType<typeof registrationRecord>>;

/** Adds webhooks to a list, without duplicates, and limits its length. */
export function withWebhooks(webhooks: Webhook[], more: Webhook[]): Webhook[] {
	return [...withoutWebhooks(webhooks, more), ...more].slice(-MOST_WEBHOOKS);
}

export function withoutWebhooks(webhooks: Webhook[], removed: Webhook[]): Webhook[] {
	const keys = new Set(removed.map(keyOf));
	return webhooks.filter((webhook) => !keys.has(keyOf(webhook)));
}

export function keyOf({ baseUrl, id, event }: Webhook): string {
	return [baseUrl, id, event].join(' ');
}
