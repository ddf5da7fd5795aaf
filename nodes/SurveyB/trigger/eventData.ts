import type { IDataObject } from 'n8n-workflow';

import { passes } from '../../shared/triggers/items';
import { npsType } from '../../surveys/nps';
import { eventCampaignId, eventCampaignName } from '../events';
import { campaignIdOf } from '../records/metric';
import type { Settings } from './fields';

// Readers of an event's data, for every event and revision: its score type, and whether the filters pass it.

/** `promoter`, `passive` or `detractor`, by the score if the data has no score type. */
export function scoreTypeOf(data: IDataObject): string | undefined {
	const { score, score_type: scoreType } = data;
	if (typeof scoreType === 'string' && scoreType !== '') return scoreType.toLowerCase();
	return typeof score === 'number' ? npsType(score) : undefined;
}

/** The number that ends the link of metrics may be the only ID that they have. */
function linkedCampaignId(data: IDataObject): string | undefined {
	const isMetric = typeof (data.campaign_name ?? data.campaign) === 'string';
	return isMetric ? campaignIdOf(data)?.toString() : undefined;
}

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
