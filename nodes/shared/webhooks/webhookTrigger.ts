import type {
	IDataObject,
	IHookFunctions,
	IWebhookDescription,
	IWebhookFunctions,
} from 'n8n-workflow';

import { flag } from '../fields/kinds';
import type { ApiClient } from '../http/client';
import type { ApiRequest } from '../http/request';
import type { Service } from '../http/service';
import { END_OF_PUBLISH } from '../n8nInternals';
import type { Subject } from '../records';
import type { TriggerSettings } from '../triggers/settings';

/** One call of a webhook by the service, whatever its body looks like. */
export interface Delivery {
	/** The webhook as the delivery names it. */
	hook: Hook;
	data: IDataObject;
}

/** A webhook as a delivery names it: its ID, its event, and the URL that the service calls. */
export interface Hook {
	id: number | string;
	event: string;
	/** '' if deliveries do not say. */
	target: string;
}

/** Facts about a delivery that its item may show. */
export interface AboutDelivery {
	/** Equal for every delivery of one change. */
	deliveryId: string;
	/** True for a sample, which the node delivers to itself while the editor listens. */
	isSample: boolean;
}

/** The settings that every webhook trigger has. */
export type WebhookSettings = TriggerSettings & { options: { ignoreRepeats?: boolean } };

/** Everything that is special about the webhooks of one service. Shared code knows them only by this. */
export interface WebhookTrigger<Settings extends WebhookSettings = WebhookSettings> {
	service: Service;
	read(context: IHookFunctions | IWebhookFunctions): Settings;
	/** The response has the webhook's `id`, and maybe its `target`. */
	create(event: string, target: string): ApiRequest;
	remove(id: Hook['id']): ApiRequest;
	/** The place where users see and remove webhooks: `the webhook settings of Survey B`. */
	lookAt: string;
	/** The body of a delivery in words: `{hook: {id, event, target}, data: {…}}`. */
	body: string;
	/** Reads the body of a call; undefined if it is no delivery. */
	readDelivery(body: IDataObject): Delivery | undefined;
	subjectOf(event: string, data: IDataObject): Subject;
	/** Names of fields that may differ between deliveries of one change: links may have a token. */
	links?: string[];
	/** Returns the item of a delivery, and the score type that may decide its output; undefined if a filter holds it back. */
	itemOf(
		delivery: Delivery,
		about: AboutDelivery,
		settings: Settings,
	): { json: IDataObject; scoreType?: string } | undefined;
	/** A real record that a test in the editor gets at once; without it, the test waits for an event. */
	sample?: Sample<Settings>;
}

/** The source of a test's sample. */
interface Sample<Settings> {
	isOf(event: string): boolean;
	/** Reads a record of the service, and returns a delivery's body with it; undefined if the service has no record. */
	read(client: ApiClient, hook: Hook, settings: Settings): Promise<IDataObject | undefined>;
}

/** @param path the last part of the webhooks' URL */
export function webhooksAt(path: string): IWebhookDescription[] {
	// An empty `responseData` makes n8n respond with its own message once the run is stored.
	const common = { path, responseMode: 'onReceived', responseData: '', ndvHideUrl: true } as const;
	return [
		{ ...common, name: 'default', httpMethod: 'POST' },
		{ ...common, ...END_OF_PUBLISH },
	];
}

/** The option of a webhook trigger that decides whether repeats start a run. */
export const ignoreRepeats = flag({
	displayName: 'Ignore Repeats',
	description:
		'Whether to skip a delivery with the same event and content as one of the last 1,000 of this node. Without this option, they are skipped.',
});
