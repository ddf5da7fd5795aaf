import type { IDataObject } from 'n8n-workflow';

import { eventCampaignId, eventCampaignName, scoreTypeOf } from './events';
import type { Filters } from './fields';

/** Returns true unless a filter rejects the data. A filter does not apply to data that lacks its field. */
export function passes(filters: Filters, data: IDataObject): boolean {
	const { scoreTypes, campaignIds, statuses, minScore, maxScore } = filters;
	return (
		isAmong(scoreTypes, [scoreTypeOf(data)]) &&
		isAmong(campaignIds, [eventCampaignId(data), eventCampaignName(data)]) &&
		isAmong(statuses, [typeof data.status === 'string' ? data.status : undefined]) &&
		isWithin(minScore, maxScore, data.score)
	);
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

/** Returns true if one of the values is wanted, or if there is nothing to compare. */
function isAmong(wanted: string[] | undefined, values: Array<string | undefined>): boolean {
	const known = values.filter((value) => value !== undefined).map((value) => value.toLowerCase());
	if (wanted === undefined || wanted.length === 0 || known.length === 0) return true;
	return wanted.some((entry) => known.includes(entry.toLowerCase()));
}

function isWithin(min = -Infinity, max = Infinity, score: IDataObject[string]): boolean {
	return typeof score !== 'number' || (score >= min && score <= max);
}
