import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/base/json';
import { npsType } from '../../shared/records';
import { campaignIdOf } from '../records/metric';

// Readers of an event's data, for every event and revision.

/** Returns `promoter`, `passive` or `detractor`, by the score if the data has no score type. */
export function scoreTypeOf(data: IDataObject): string | undefined {
	const { score, score_type: scoreType } = data;
	if (typeof scoreType === 'string' && scoreType !== '') return scoreType.toLowerCase();
	return typeof score === 'number' ? npsType(score) : undefined;
}

/** Returns the ID of the data's campaign. */
export function eventCampaignId({ campaign, campaign_id }: IDataObject): string | undefined {
	const id = isObject(campaign) ? campaign.id : campaign_id;
	return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined;
}

/** Returns the number that ends the link of metrics, under which the drop-down lists a campaign without a stated ID. */
export function linkedCampaignId(data: IDataObject): string | undefined {
	const isMetric = typeof (data.campaign_name ?? data.campaign) === 'string';
	return isMetric ? campaignIdOf(data)?.toString() : undefined;
}

/** Returns the name of the data's campaign, which tag events write as `Name`, and older metrics as `campaign`. */
export function eventCampaignName(data: IDataObject): string | undefined {
	const { name, Name } = isObject(data.campaign) ? data.campaign : {};
	const campaignName = name ?? Name ?? data.campaign_name ?? data.campaign;
	return typeof campaignName === 'string' ? campaignName : undefined;
}
