import type { IDataObject } from 'n8n-workflow';

import { passes } from '../../shared/triggers/items';
import { eventCampaignId, eventCampaignName, linkedCampaignId, scoreTypeOf } from './eventData';
import type { Settings } from './fields';

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
