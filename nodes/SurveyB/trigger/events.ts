import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { isObject } from '../../shared/http/json';
import { lazy } from '../../shared/http/lazy';
import { npsType } from '../../shared/nps';
import { simplifiedSchema } from '../../shared/recordForms';
import { campaignIdOf, campaignMetricsRecord } from '../records/metric';
import { feedbackContactRecord } from '../records/contact';
import { feedback as feedbackForms, feedbackRecord } from '../records/feedback';
import { tagChangeRecord, tagRemovalRecord } from '../records/tag';

// The nine events (contract, section Events) and the items that come of them, `data` as normalized
// by `normalize.ts`. The trigger's checks and the editor's preview derive from here; its choices, which
// n8n's linter wants as literals, are compared with it by a test.

const feedback = lazy(() => feedbackRecord().extend({ score: z.number().int().min(0).max(10) }));

const campaign = () =>
	z.looseObject({ id: z.number().nullish(), name: z.string().nullish() }).nullish();
const tagChange = lazy(() =>
	tagChangeRecord().extend({ campaign: campaign(), before: z.string(), after: z.string() }),
);
const tagRemoval = lazy(() =>
	tagRemovalRecord().extend({ campaign: campaign(), name: z.string() }),
);

/** The ID of the webhook in a sample, which the node delivers to itself while the editor listens. */
export const SAMPLE_ID = 'sample';

/** What a delivery says of the subscription it was made for. */
export const hookRecord = lazy(() =>
	z.object({
		id: z.union([z.number(), z.string()]),
		event: z.string(),
		target: z.string(),
	}),
);

/** What every item has beside its event and data. */
const envelope = lazy(() =>
	z.object({
		/** The same for the same change, whoever delivers it and however often. */
		deliveryId: z.string(),
		receivedAt: z.string(),
		/** The revision of the webhooks that the service delivered in; 2 is the current one. */
		revision: z.union([z.literal(1), z.literal(2)]),
		hook: hookRecord(),
		/** What is wrong with a payload that breaks its schema. */
		issues: z.array(z.string()).optional(),
		/** True for a feedback response that was gone already when it was fetched to confirm the event. */
		removed: z.literal(true).optional(),
		/** True for what the node delivered to itself while the editor listened. */
		sample: z.literal(true).optional(),
	}),
);

/** The data of each of the nine events. @internal */
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

/** The item that the editor previews, where one shape has to do: the simplified item of feedback. */
export const triggerItemRecord = () =>
	z.object({
		event: z.string(),
		...envelope().pick({ deliveryId: true }).shape,
		...simplifiedSchema(feedbackForms).shape,
	});

/** An item as the trigger emits it; a hand-typed event brings whatever the service sends. */
export type TriggerItem = { event: string; data: IDataObject } & z.infer<
	ReturnType<typeof envelope>
>;

/** Returns what is wrong with an event's normalized data, one line each; nothing for an event without a schema. */
export function issuesOf(event: string, data: IDataObject): string[] {
	const read = eventData.get(event)?.().safeParse(data, { error: wordsOf });
	return (read?.error?.issues ?? []).map(({ path, message }) =>
		[['data', ...path].join('.'), message].join(': '),
	);
}

/** What of zod's names of types a reader would not know. */
const EXPECTED: Record<string, string> = { int: 'integer', record: 'object' };

/** Our words for what zod finds, so that they are the same whichever zod n8n brings. */
const wordsOf: z.core.$ZodErrorMap = (issue) => {
	if (issue.input === undefined) return 'Required';
	switch (issue.code) {
		case 'invalid_type':
			return `Expected ${EXPECTED[issue.expected] ?? issue.expected}, received ${typeOf(issue.input)}`;
		case 'too_small':
			return `Number must be greater than or equal to ${issue.minimum}`;
		case 'too_big':
			return `Number must be less than or equal to ${issue.maximum}`;
		default:
			return 'Invalid input';
	}
};

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return typeof value === 'number' && !Number.isInteger(value) ? 'float' : typeof value;
}

/** What the outputs are called on the node, where each event has one of its own. */
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

/** True for the events that carry a feedback. */
export function isFeedbackEvent(event: string): boolean {
	return event.startsWith('feedback.');
}

/** `promoter`, `passive` or `detractor`; by the score where the data does not say. */
export function scoreTypeOf(data: IDataObject): string | undefined {
	if (typeof data.score_type === 'string') return data.score_type.toLowerCase();
	if (typeof data.score !== 'number') return undefined;
	return npsType(data.score);
}

/** The ID of the campaign that the data belongs to, or undefined where it does not say. */
export function campaignOf(data: IDataObject): string | undefined {
	const ofMetrics = data.campaign_name === undefined ? undefined : campaignIdOf(data);
	const id = isObject(data.campaign) ? data.campaign.id : ofMetrics;
	return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined;
}

/** Its name. Events of tags write `Name`. */
export function campaignNameOf(data: IDataObject): string | undefined {
	const { name, Name } = isObject(data.campaign) ? data.campaign : {};
	const written = name ?? Name ?? data.campaign_name;
	return typeof written === 'string' ? written : undefined;
}
