import type { IDataObject } from 'n8n-workflow';

import { campaignNameOf, campaignOf, scoreTypeOf } from './events';
import type { Filters } from './settings';

/**
 * Tells whether the node's filters let data through. A filter holds back only what is known not to
 * fit: an event without a score, say, passes the filters by score.
 */
export function passes(filters: Filters, data: IDataObject): boolean {
	const { scoreTypes, campaignIds, statuses, minScore, maxScore } = filters;
	return (
		isAmong(scoreTypes, scoreTypeOf(data)) &&
		isCampaignAmong(campaignIds, campaignOf(data), campaignNameOf(data)) &&
		isAmong(statuses, typeof data.status === 'string' ? data.status : undefined) &&
		isWithin(minScore, maxScore, data.score)
	);
}

/** Campaigns are given by ID or by name; what the event does not have of the two decides nothing. */
function isCampaignAmong(wanted: string[] = [], id?: string, name?: string): boolean {
	if (wanted.length === 0) return true;
	const [ids, names] = [wanted.filter(isId), wanted.filter((entry) => !isId(entry))];
	const isUndecided =
		(ids.length > 0 && id === undefined) || (names.length > 0 && name === undefined);
	const isWanted = (entries: string[], value?: string) =>
		entries.length > 0 && value !== undefined && isAmong(entries, value);
	return isUndecided || isWanted(ids, id) || isWanted(names, name);
}

function isId(entry: string): boolean {
	return /^\d+$/.test(entry);
}

function isAmong(wanted: string[] | undefined, value: string | undefined): boolean {
	if (wanted === undefined || wanted.length === 0 || value === undefined) return true;
	return wanted.some((entry) => entry.toLowerCase() === value.toLowerCase());
}

function isWithin(min = -Infinity, max = Infinity, score: IDataObject[string]): boolean {
	return typeof score !== 'number' || (score >= min && score <= max);
}
