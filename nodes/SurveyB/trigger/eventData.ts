import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/base/json';
import { npsType } from '../../shared/records';
import { passes } from '../../shared/triggers/items';
import type { Subject } from '../../shared/webhooks/webhookTrigger';
import { eventTypeOf } from '../events';
import { campaignIdOf } from '../records/metric';
import type { Settings } from './fields';

// Readers of an event's data, for every event and revision: its subject, its score type, and whether the filters pass it.

/** Returns what a delivery is about: the ID in the data, or what else names its record; and its tags in sorted order. */
export function subjectOf(event: string, data: IDataObject): Subject {
	const { isDated, isOnce } = eventTypeOf(event) ?? {};
	const campaign = eventCampaignId(data) ?? data.href ?? eventCampaignName(data);
	const id = data.id ?? data.email ?? campaign;
	const tags = event.startsWith('tag.') ? [data.name, data.before, data.after] : [];
	const date = isDated ? changeDates(data) : undefined;
	const record = [id, ...tags.map((tag) => JSON.stringify(tag)).sort()];
	return { record, date: isOnce ? 'once' : date };
}

/** Returns all dates of changes in the data: an older set of them is an older delivery, whatever came after it. */
function changeDates(data: IDataObject): string | undefined {
	const { score_changed, comment_created, comment_modified, status_changed } = data;
	const dates = [score_changed, comment_created, comment_modified, status_changed];
	const known = dates.map((date) => (typeof date === 'string' ? date : ''));
	return known.some(Boolean) ? known.join() : undefined;
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

/** Returns the number that ends the link of metrics, which may be the only ID that they have. */
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

/** Returns true unless a filter rejects the data. */
export function isWanted(filters: Settings['filters'], data: IDataObject): boolean {
	return passes(filters, {
		score: typeof data.score === 'number' ? data.score : undefined,
		values: {
			scoreTypes: [scoreTypeOf(data)],
			campaignIds: [eventCampaignId(data), eventCampaignName(data), linkedCampaignId(data)],
			statuses: [typeof data.status === 'string' ? data.status : undefined],
		},
	});
}
