import type { IDataObject } from 'n8n-workflow';

import { eventCampaignId, eventCampaignName, scoreTypeOf } from './events';
import type { Filters } from './settings';

/** Returns true unless a filter rejects the data. A filter does not apply to data that lacks its field. */
export function passes(filters: Filters, data: IDataObject): boolean {
	const { scoreTypes, campaignIds, statuses, minScore, maxScore } = filters;
	return (
		isAmong(scoreTypes, scoreTypeOf(data)) &&
		isCampaignAmong(campaignIds, eventCampaignId(data), eventCampaignName(data)) &&
		isAmong(statuses, typeof data.status === 'string' ? data.status : undefined) &&
		isWithin(minScore, maxScore, data.score)
	);
}

/** Compares wanted IDs with the event's ID and wanted names with its name. */
function isCampaignAmong(wanted: string[] = [], id?: string, name?: string): boolean {
	const isId = (entry: string) => /^\d+$/.test(entry);
	const [ids, names] = [wanted.filter(isId), wanted.filter((entry) => !isId(entry))];
	return (
		wanted.length === 0 ||
		(ids.length > 0 && isAmong(ids, id)) ||
		(names.length > 0 && isAmong(names, name))
	);
}

function isAmong(wanted: string[] | undefined, value: string | undefined): boolean {
	if (wanted === undefined || wanted.length === 0 || value === undefined) return true;
	return wanted.some((entry) => entry.toLowerCase() === value.toLowerCase());
}

function isWithin(min = -Infinity, max = Infinity, score: IDataObject[string]): boolean {
	return typeof score !== 'number' || (score >= min && score <= max);
}
