import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { isObject } from '../../shared/base/json';
import { lazy } from '../../shared/base/lazy';
import { npsType } from '../../shared/nps';
import { simplifiedSchema } from '../../shared/recordForms';
import { campaignIdOf, campaignMetricsRecord } from '../records/metric';
import { feedbackContactRecord } from '../records/contact';
import { feedback as feedbackForms, feedbackRecord } from '../records/feedback';
import { tagChangeRecord, tagRemovalRecord } from '../records/tag';

// The nine events (contract, section Events) and their items, with `data` as returned by `normalize.ts`. The trigger's
// checks and the editor's preview derive from here.

const feedback = lazy(() => feedbackRecord().extend({ score: z.number().int().min(0).max(10) }));

const campaign = () =>
	z.looseObject({ id: z.number().nullish(), name: z.string().nullish() }).nullish();
const tagChange = lazy(() =>
	tagChangeRecord().extend({ campaign: campaign(), before: z.string(), after: z.string() }),
);
const tagRemoval = lazy(() =>
	tagRemovalRecord().extend({ campaign: campaign(), name: z.string() }),
);

/** The webhook ID in a sample, which the node delivers to itself while the editor listens. */
export const SAMPLE_ID = 'sample';

/** The webhook that a delivery names. */
export const hookRecord = lazy(() =>
	z.object({
		id: z.union([z.number(), z.string()]),
		event: z.string(),
		target: z.string(),
	}),
);

/** The fields of every item beside its event and data. */
const envelope = lazy(() =>
	z.object({
		/** Equal for every delivery of one change. */
		deliveryId: z.string(),
		receivedAt: z.string(),
		/** The revision of the payload; 2 is the current one. */
		revision: z.union([z.literal(1), z.literal(2)]),
		hook: hookRecord(),
		/** Problems of a payload that breaks its schema. */
		issues: z.array(z.string()).optional(),
		/** True for a sample that the node delivered to itself while the editor listened. */
		sample: z.literal(true).optional(),
	}),
);

/** @internal */
export const eventData = new Map<string, () => z.ZodType>([
	['feedback.added_or_changed', feedback],
	['feedback.tags_added_or_changed', feedback],
	['feedback.status_changed', feedback],
	['feedback.removed', feedback],
	['metric.score_changed', lazy(campaignMetricsRecord)],
	['contact.unsubscribed', lazy(feedbackContactRecord)],
	['tag.merged', tagChange],
	['tag.removed', tagRemoval],
	['tag.renamed', tagChange],
]);

/** The item that the editor previews for all events: the simplified item of feedback. */
export const triggerItemRecord = () =>
	z.object({
		event: z.string(),
		...envelope().pick({ deliveryId: true }).shape,
		...simplifiedSchema(feedbackForms).shape,
	});

/** An item as the trigger emits it. Data of a custom event is as the service sends it. */
export type TriggerItem = { event: string; data: IDataObject } & z.infer<
	ReturnType<typeof envelope>
>;

/** Returns the problems of an event's normalized data, one line each; none for a custom event. */
export function issuesOf(event: string, data: IDataObject): string[] {
	const error = ({ input }: { input?: unknown }) =>
		input === undefined ? 'missing' : 'unexpected value';
	const read = eventData.get(event)?.().safeParse(data, { error });
	return (read?.error?.issues ?? []).map(
		({ path, message }) => `${['data', ...path].join('.')}: ${message}`,
	);
}

/** The names of the outputs if each event has its own. */
export const eventLabels: Record<string, string> = {
	'contact.unsubscribed': 'Unsubscribed',
	'feedback.added_or_changed': 'Feedback',
	'feedback.removed': 'Removed',
	'feedback.status_changed': 'Status',
	'feedback.tags_added_or_changed': 'Tags',
	'metric.score_changed': 'Score',
	'tag.merged': 'Tag Merged',
	'tag.removed': 'Tag Removed',
	'tag.renamed': 'Tag Renamed',
};

export function isFeedbackEvent(event: string): boolean {
	return event.startsWith('feedback.');
}

/** Returns `promoter`, `passive` or `detractor`, by the score if the data has no score type. */
export function scoreTypeOf(data: IDataObject): string | undefined {
	if (typeof data.score_type === 'string') return data.score_type.toLowerCase();
	if (typeof data.score !== 'number') return undefined;
	return npsType(data.score);
}

/** Returns the ID of the data's campaign. */
export function eventCampaignId(data: IDataObject): string | undefined {
	const isMetric = typeof (data.campaign_name ?? data.campaign) === 'string';
	const ofMetric = isMetric ? campaignIdOf(data) : undefined;
	const id = isObject(data.campaign) ? data.campaign.id : ofMetric;
	return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined;
}

/** Returns the name of the data's campaign, which tag events write as `Name`, and older metrics as `campaign`. */
export function eventCampaignName(data: IDataObject): string | undefined {
	const { name, Name } = isObject(data.campaign) ? data.campaign : {};
	const campaignName = name ?? Name ?? data.campaign_name ?? data.campaign;
	return typeof campaignName === 'string' ? campaignName : undefined;
}
