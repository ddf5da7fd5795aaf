import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/base/json';
import { npsType } from '../../shared/records';
import { passes } from '../../shared/triggers/items';
import type { Subject } from '../../shared/webhooks/webhookTrigger';
import { campaignIdOf } from '../records/metric';
import type { Settings } from './fields';

// Readers of an event's data, for every event and revision: its subject, its score type, and whether the filters pass it.

/** Returns what a delivery is about: the ID in the data, or what else names its record; and its tags in sorted order. */
export function subjectOf(event: string, data: IDataObject): Subject {
	const campaign = eventCampaignId(data) ?? data.href ?? eventCampaignName(data);
	const id = data.id ?? data.email ?? campaign;
	const tags = event.startsWith('tag.') ? [data.name, data.before, data.after] : [];
	return {
		record: [id, ...tags.map((tag) => JSON.stringify(tag)).sort()],
		date: dateOf(event, data),
		isOnce: event === 'feedback.removed',
	};
}

/** Returns the date of a change if the data has it. */
function dateOf(event: string, { score_changed, status_changed }: IDataObject): string | undefined {
	const changedAt: Record<string, unknown> = {
		'feedback.added_or_changed': score_changed,
		'feedback.status_changed': status_changed,
	};
	const date = changedAt[event];
	return typeof date === 'string' ? date : undefined;
}

/** Returns `promoter`, `passive` or `detractor`, by the score if the data has no score type. */
export function scoreTypeOf(data: IDataObject): string | undefined {
	const { score, score_type: scoreType } = data;
	if (typeof scoreType === 'string' && scoreType !== '') return scoreType.toLowerCase();
	return typeof score === 'number' ? npsType(score) : undefined;
}

/** Returns the ID of the data's campaign. */
function eventCampaignId({ campaign, campaign_id }: IDataObject): string | undefined {
	const id = isObject(campaign) ? campaign.id : campaign_id;
	return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined;
}

/** Returns the number that ends the link of metrics, under which the drop-down lists a campaign without a stated ID. */
function linkedCampaignId(data: IDataObject): string | undefined {
	const isMetric = typeof (data.campaign_name ?? data.campaign) === 'string';
	return isMetric ? campaignIdOf(data)?.toString() : undefined;
}

/** Returns the name of the data's campaign, which tag events write as `Name`, and older metrics as `campaign`. */
function eventCampaignName(data: IDataObject): string | undefined {
	const { name, Name } = isObject(data.campaign) ? data.campaign : {};
	const campaignName = name ?? Name ?? data.campaign_name ?? data.campaign;
	return typeof campaignName === 'string' ? campaignName : undefined;
}

type Filters = Settings['filters'];

/** Returns true unless a filter rejects the data. A filter does not apply to data that lacks its field. */
export function isWanted(filters: Filters, data: IDataObject): boolean {
	const campaign = [eventCampaignId(data), eventCampaignName(data)];
	const listed = (...values: unknown[]) => {
		const known = values.filter((value) => typeof value === 'string');
		return known.length > 0 ? known : undefined;
	};
	return passes(filters, {
		score: typeof data.score === 'number' ? data.score : undefined,
		values: {
			scoreTypes: listed(scoreTypeOf(data)),
			campaignIds: listed(...campaign, linkedCampaignId(data)),
			statuses: listed(data.status),
		},
	});
}

/**
 * Says why a filter by campaigns cannot be right for an event: it has names only and the event an ID only, or the other
 * way round.
 */
export function campaignMismatch({ campaignIds = [] }: Filters, data: IDataObject) {
	const [id, name] = [eventCampaignId(data), eventCampaignName(data)];
	const isId = (wanted: string) => /^\d+$/.test(wanted);
	if (campaignIds.length === 0 || (id === undefined) === (name === undefined)) return undefined;
	if (id !== undefined && !campaignIds.some(isId)) {
		return `An event of campaign ${id} has only the ID of its campaign, and the filter 'Campaign Names or IDs' only names. It started no run. Add the IDs to the filter`;
	}
	if (id === undefined && campaignIds.every(isId)) {
		return `An event has only the name of its campaign, and the filter 'Campaign Names or IDs' only IDs. It started no run. Add the names to the filter`;
	}
	return undefined;
}
