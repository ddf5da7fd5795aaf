import type { IDataObject } from 'n8n-workflow';

import { campaignOf, scoreTypeOf } from './events';
import type { Filters } from './settings';

/**
 * Tells whether the node's filters let data through. A filter holds back only what is known not to
 * fit: an event without a score, say, passes the filters by score.
 */
export function passes(filters: Filters, data: IDataObject): boolean {
	const { scoreTypes, campaignIds, statuses, minScore, maxScore } = filters;
	return (
		isAmong(scoreTypes, scoreTypeOf(data)) &&
		isAmong(campaignIds, campaignOf(data)) &&
		isAmong(statuses, typeof data.status === 'string' ? data.status : undefined) &&
		isWithin(minScore, maxScore, data.score)
	);
}

function isAmong(wanted: string[] | undefined, value: string | undefined): boolean {
	if (wanted === undefined || wanted.length === 0 || value === undefined) return true;
	return wanted.some((entry) => entry.toLowerCase() === value.toLowerCase());
}

function isWithin(min = -Infinity, max = Infinity, score: IDataObject[string]): boolean {
	return typeof score !== 'number' || (score >= min && score <= max);
}
