import type { IHookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { lazy } from '../../../shared/base/cache';

/** Limits the size of a workflow's static data. */
const LONGEST_ID = 200;
const MOST_LEFTOVERS = 100;

export const webhookId = z.union([z.number(), z.string().min(1).max(LONGEST_ID)]);

/** A webhook that may exist at the service. */
const webhookRecord = z.object({
	id: webhookId,
	event: z.string(),
	/** The node's webhook URL when it was created. */
	url: z.string(),
	/** The service's base URL when it was created. */
	baseUrl: z.string(),
});

/** What is remembered of a node's live URL, or of its test URL. */
export const nodeRecord = lazy(() =>
	z.object({
		/** The node's ID, with "test" for its test URL. */
		key: z.string(),
		/** Grows with every change, so that the newer of two versions is known. */
		savedAt: z.number().default(0),
		/** When a user last published, in ms since 1970. */
		publishedAt: z.number().default(0),
		/** The node's webhook URL of the last publish, and the hash of its token. */
		url: z.string().default(''),
		tokenHash: z.string().default(''),
		/** The webhooks of the last publish. */
		webhooks: z.array(webhookRecord).default([]),
		/** Earlier webhooks that may still exist. They are removed, never used again. */
		leftovers: z.array(webhookRecord).default([]),
	}),
);

export type Webhook = z.infer<typeof webhookRecord>;
export type NodeState = z.infer<ReturnType<typeof nodeRecord>>;

/** Returns the key of a node's live URL, or of its test URL, which exists while the editor listens. */
export function keyOfNode(context: Pick<IHookFunctions, 'getNode'>, isTest: boolean): string {
	return isTest ? `${context.getNode().id} test` : context.getNode().id;
}

/** Returns the webhooks without others; of a long list, the newest. */
export function without(webhooks: Webhook[], others: Webhook[]): Webhook[] {
	const keys = new Set(others.map(keyOf));
	return webhooks.filter((webhook) => !keys.has(keyOf(webhook))).slice(-MOST_LEFTOVERS);
}

function keyOf({ baseUrl, id }: Webhook): string {
	return `${baseUrl} ${id}`;
}
