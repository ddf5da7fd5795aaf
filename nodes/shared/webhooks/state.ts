import { deepCopy } from 'n8n-workflow';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Cache, lazy } from '../base/cache';
import { Deliveries } from './deliveries';

/** Limits the size of a workflow's static data. */
// promise: long-id
const LONGEST_ID = 200;
const MOST_WEBHOOKS = 100;

const webhookId = z.union([z.number(), z.string().min(1).max(LONGEST_ID)]);

/** The response to a creation. */
export const createdWebhook = z.object({ id: webhookId, target: z.string().nullish() });

const savedWebhook = z.object({
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

const savedList = lazy(() => z.array(savedWebhook));

/** A webhook that was created for a node, and may exist at the service. */
export interface Webhook extends z.infer<typeof savedWebhook> {
	/** True if this process created it and has not begun to remove it. It is not saved. */
	isOurs?: boolean;
}

type Context = IHookFunctions | IWebhookFunctions;

/** Reads the webhooks of all nodes of one type in a workflow, the newest last. */
export function savedWebhooks(context: Context): Webhook[] {
	const data = context.getWorkflowStaticData('global');
	// n8n's static data has hidden fields, which a copy leaves out.
	return savedList().safeParse(deepCopy(data[nameOf(context)])).data ?? [];
}

/**
 * Writes the webhooks of a URL into static data, which n8n stores as a whole when the hook has returned. Deliveries do not write
 * it: one that began before a publish would put back the earlier list.
 */
export function saveWebhooks(context: IHookFunctions, url: string): void {
	const others = savedWebhooks(context).filter((webhook) => webhook.url !== url);
	const newest = [...others, ...urlStateOf(url).webhooks].slice(-MOST_WEBHOOKS);
	// A copy, which removals in the background do not change.
	context.getWorkflowStaticData('global')[nameOf(context)] = savedList().parse(newest);
}

function nameOf(context: Context): string {
	return context.getNode().type.replace(/^.*\./, '');
}

/** The state of a webhook URL that only this process knows. */
interface UrlState {
	/** The webhooks that are known, the newest last. */
	webhooks: Webhook[];
	/** The creations of the last publish. */
	creating: Promise<unknown>;
	/** Ends what the last hook left to do in the background. */
	background: AbortController;
	deliveries: Deliveries;
}

/** URLs that this process remembers; it forgets the least recently used first. */
const MOST_URLS = 5000;

const urlStates = new Cache<UrlState>(MOST_URLS);

export function urlStateOf(url: string): UrlState {
	return urlStates.of(url, () => ({
		webhooks: [],
		creating: Promise.resolve(),
		background: new AbortController(),
		deliveries: new Deliveries(),
	}));
}
