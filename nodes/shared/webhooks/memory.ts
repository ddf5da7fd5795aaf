import { deepCopy } from 'n8n-workflow';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Cache, lazy } from '../base/cache';
import { Deliveries } from './deliveries';

/** Limits the size of a workflow's static data. */
// promise: long-id
const LONGEST_ID = 200;
const MOST_WEBHOOKS = 100;

/** Reads the ID of a webhook. */
export const webhookId = z.union([z.number(), z.string().min(1).max(LONGEST_ID)]);

const webhookRecord = z.object({
	id: webhookId,
	event: z.string(),
	/** The webhook URL of the node, and the hash of the token in it. */
	url: z.string(),
	tokenHash: z.string(),
	/** The service's base URL. Only with it the ID names a webhook. */
	baseUrl: z.string(),
	/** True if the last publish uses it. */
	isLive: z.boolean(),
	/** True once the service has shown that it does not remove it. */
	stays: z.boolean(),
});

const savedList = lazy(() => z.array(webhookRecord));

/** A webhook that was created for a node, and may exist at the service. */
export type Webhook = z.infer<typeof webhookRecord>;

type Context = IHookFunctions | IWebhookFunctions;

/** Returns the webhooks of all nodes of one type in a workflow, the newest last, as its static data has them. */
export function savedWebhooks(context: Context): Webhook[] {
	const data = context.getWorkflowStaticData('global');
	// n8n's static data has hidden fields, which a copy leaves out.
	return savedList().safeParse(deepCopy(data[nameOf(context)])).data ?? [];
}

/**
 * Replaces the list in static data, which n8n stores as a whole when the hook has returned. Deliveries do not write it: one that
 * began before a publish would put back the earlier list.
 */
export function saveWebhooks(context: IHookFunctions, webhooks: Webhook[]): void {
	context.getWorkflowStaticData('global')[nameOf(context)] = webhooks.slice(-MOST_WEBHOOKS);
}

function nameOf(context: Context): string {
	return context.getNode().type.replace(/^.*\./, '');
}

/** The state of a webhook URL that only this process knows. */
interface UrlMemory {
	/** Webhooks that this process created and has not begun to remove, and those that stay. */
	ours: Webhook[];
	/** The creations of the last publish. */
	creating: Promise<unknown>;
	/** Ends what the last hook left to do in the background. */
	background: AbortController;
	deliveries: Deliveries;
}

/** URLs that this process remembers; it forgets the least recently used first. */
const MOST_URLS = 5000;

const memories = new Cache<UrlMemory>(MOST_URLS);

/** Returns what this process knows about the URL of a published node, or about its test URL. */
export function memoryOf(url: string): UrlMemory {
	return memories.of(url, () => ({
		ours: [],
		creating: Promise.resolve(),
		background: new AbortController(),
		deliveries: new Deliveries(),
	}));
}
