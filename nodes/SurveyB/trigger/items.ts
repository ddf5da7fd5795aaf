import type { IDataObject } from 'n8n-workflow';

import { inForm } from '../../shared/records';
import { flatItem, passes } from '../../shared/triggers/items';
import { withoutToken } from '../../shared/webhooks/token';
import type { AboutDelivery, Delivery } from '../../shared/webhooks/webhookTrigger';
import { npsType } from '../../surveys/nps';
import { campaignOf, eventTypeOf, isFeedbackEvent } from '../events';
import { numericId } from '../parameters/common';
import type { Settings } from './fields';

/** Returns the item of a delivery; undefined if a filter holds it back. */
export function deliveryItem(delivery: Delivery, about: AboutDelivery, settings: Settings) {
	const normalized = normalize(delivery);
	if (!about.isSample && !isWanted(settings.filters, normalized.data)) return undefined;
	const json = deliveryJson(delivery, normalized, about, settings.form);
	return { json, scoreType: scoreTypeOf(normalized.data) };
}

/** `promoter`, `passive` or `detractor`, by the score if the data has no score type. @internal */
export function scoreTypeOf(data: IDataObject): string | undefined {
	const { score, score_type: scoreType } = data;
	if (typeof scoreType === 'string' && scoreType !== '') return scoreType.toLowerCase();
	return npsType(score);
}

export function isWanted(filters: Settings['filters'], data: IDataObject): boolean {
	const { id, name } = campaignOf(data);
	return passes(filters, {
		score: typeof data.score === 'number' ? data.score : undefined,
		values: {
			scoreTypes: [scoreTypeOf(data)],
			campaignIds: [id, name],
			statuses: [typeof data.status === 'string' ? data.status : undefined],
		},
	});
}

/** A delivery's data in the contract's current shape. */
interface Normalized {
	/** The revision of the payload; 2 is the current one. */
	revision: 1 | 2;
	data: IDataObject;
}

/** @internal */
export function normalize({ hook: { event }, data }: Delivery): Normalized {
	const revision = isFeedbackEvent(event) && isOfRevision1(data) ? 1 : 2;
	const current = revision === 1 ? currentFeedback(data) : data;
	return { revision, data: eventTypeOf(event)?.record.raw.typed(current) ?? current };
}

/** Only feedback differs between the revisions. */
function isOfRevision1({ posted_date, comment_updated_date, campaign }: IDataObject): boolean {
	const isBareId = typeof campaign === 'number' || typeof campaign === 'string';
	return posted_date !== undefined || comment_updated_date !== undefined || isBareId;
}

/** Renames the fields of the earlier revision (contract, section Events, Rules). */
function currentFeedback(data: IDataObject): IDataObject {
	const { posted_date, comment_updated_date, campaign, ...feedback } = data;
	feedback.created ??= posted_date;
	feedback.comment_modified ??= comment_updated_date;
	return { ...feedback, campaign: embeddedCampaign(campaign) };
}

/** Embeds the campaign as the current revision does. */
function embeddedCampaign(campaign: IDataObject[string]): IDataObject[string] {
	if (typeof campaign === 'number') return { id: campaign };
	if (typeof campaign !== 'string') return campaign;
	return /^\d+$/.test(campaign) ? { id: numericId(campaign) } : { name: campaign };
}

/** A payload that breaks its schema has `issues`. @internal */
export function deliveryJson(
	{ hook: { event, id, target }, data }: Delivery,
	normalized: Normalized,
	{ deliveryId, isSample }: AboutDelivery,
	form: Settings['form'],
): IDataObject {
	const issues = issuesOf(event, normalized.data);
	const last = {
		issues: issues.length > 0 ? issues : undefined,
		sample: isSample || undefined,
		sampleNote: isSample ? sampleNote(target) : undefined,
	};
	if (form.simplify) {
		const forms = eventTypeOf(event)?.record;
		const record = forms && inForm(forms, normalized.data, form);
		return flatItem({ event }, record ?? normalized.data, { ...last, deliveryId });
	}
	const { revision } = normalized;
	const receivedAt = new Date().toISOString();
	const hook = { id, event, target: withoutToken(target) };
	return flatItem({ event, data, deliveryId, receivedAt, revision, hook }, {}, last);
}

/** n8n delivers a sample itself, although the service may be unable to call n8n. */
function sampleNote(target: string): string {
	const { origin } = new URL(target, 'http://localhost');
	return `A real response, which n8n delivered itself: nodes after this one act on it, for example reply to it. To start runs, Survey B has to reach ${origin}`;
}

/** One line for each problem of an event's normalized data. */
function issuesOf(event: string, data: IDataObject): string[] {
	const error = ({ input }: { input?: unknown }) =>
		input === undefined ? 'missing' : 'unexpected value';
	const read = eventTypeOf(event)?.record.raw().safeParse(data, { error });
	return (read?.error?.issues ?? []).map(
		({ path, message }) => `${['data', ...path].join('.')}: ${message}`,
	);
}
