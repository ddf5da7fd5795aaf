import type { IDataObject } from 'n8n-workflow';

import { AnswerColumns, inForm } from '../../shared/records';
import { flatItem } from '../../shared/triggers/items';
import type { HourlyLog } from '../../shared/triggers/hourlyLog';
import { withoutToken } from '../../shared/webhooks/account';
import type { AboutDelivery, Delivery } from '../../shared/webhooks/webhookTrigger';
import { campaignMismatch, isWanted, scoreTypeOf } from './eventData';
import { EVENT_TYPES, isFeedbackEvent } from './events';
import type { Settings } from './fields';

/** Returns the item of a delivery; undefined if a filter holds it back. */
export function deliveryItem(
	delivery: Delivery,
	about: AboutDelivery,
	settings: Settings,
	log: HourlyLog,
) {
	const normalized = normalize(delivery);
	if (!about.isSample && !isWanted(settings.filters, normalized.data)) {
		const mismatch = campaignMismatch(settings.filters, normalized.data);
		if (mismatch !== undefined) log.warn(mismatch);
		return undefined;
	}
	const json = itemOf(delivery, normalized, about, settings.form);
	return { json, scoreType: scoreTypeOf(normalized.data) };
}

/** A delivery's data in the contract's current shape. */
interface Normalized {
	/** The revision of the payload; 2 is the current one. */
	revision: 1 | 2;
	data: IDataObject;
}

/** @internal */
export function normalize({ hook: { event }, data }: Delivery): Normalized {
	const revision = isFeedbackEvent(event) && isEarlier(data) ? 1 : 2;
	const current = revision === 1 ? currentFeedback(data) : data;
	return { revision, data: EVENT_TYPES.get(event)?.forms.typed?.(current) ?? current };
}

/** Only feedback differs between the revisions. */
function isEarlier({ posted_date, comment_updated_date, campaign }: IDataObject): boolean {
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

/** Returns the campaign as the current revision embeds it. */
function embeddedCampaign(campaign: IDataObject[string]): IDataObject[string] {
	if (typeof campaign === 'number') return { id: campaign };
	if (typeof campaign !== 'string') return campaign;
	return /^\d+$/.test(campaign) ? { id: Number(campaign) } : { name: campaign };
}

/** Returns the item of a delivery. A payload that breaks its schema has `issues`. @internal */
export function itemOf(
	{ hook: { event, id, target }, data }: Delivery,
	normalized: Normalized,
	{ deliveryId, isSample }: AboutDelivery,
	form: Settings['form'],
): IDataObject {
	const found = issuesOf(event, normalized.data);
	const issues = found.length > 0 ? found : undefined;
	const sample = isSample || undefined;
	if (form.simplify) {
		const forms = EVENT_TYPES.get(event)?.forms;
		const record = forms && inForm(forms, normalized.data, form, new AnswerColumns());
		return flatItem({ event, deliveryId, issues, sample }, record ?? normalized.data);
	}
	const { revision } = normalized;
	const receivedAt = new Date().toISOString();
	const hook = { id, event, target: withoutToken(target) };
	const item = { event, data, deliveryId, receivedAt, revision, hook };
	return { ...item, ...(issues && { issues }), ...(sample && { sample }) };
}

/** Returns the problems of an event's normalized data, one line each; none for a custom event. */
function issuesOf(event: string, data: IDataObject): string[] {
	const error = ({ input }: { input?: unknown }) =>
		input === undefined ? 'missing' : 'unexpected value';
	const read = EVENT_TYPES.get(event)?.forms.raw().safeParse(data, { error });
	return (read?.error?.issues ?? []).map(
		({ path, message }) => `${['data', ...path].join('.')}: ${message}`,
	);
}
