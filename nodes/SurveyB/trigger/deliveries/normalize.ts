import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../shared/base/json';
import { contactFromResponse } from '../../records/contact';
import { feedbackFromResponse } from '../../records/feedback';
import { metricFromResponse } from '../../records/metric';
import { isFeedbackEvent } from '../events';

export interface Normalized {
	/** The revision of the payload; 2 is the current one. */
	revision: 1 | 2;
	data: IDataObject;
}

/** Returns an event's data in the contract's current shape. */
export function normalize(event: string, data: IDataObject): Normalized {
	if (isFeedbackEvent(event)) {
		return isEarlier(data)
			? { revision: 1, data: currentFeedback(data) }
			: { revision: 2, data: feedbackFromResponse(data) };
	}
	return { revision: 2, data: current(event, data) };
}

/** Only feedback differs between the revisions. */
function isEarlier({ posted_date, comment_updated_date, campaign }: IDataObject): boolean {
	const isBareId = typeof campaign === 'number' || typeof campaign === 'string';
	return posted_date !== undefined || comment_updated_date !== undefined || isBareId;
}

/** Renames the fields of the earlier revision (contract, section Events, Rules). */
function currentFeedback(data: IDataObject): IDataObject {
	const { posted_date, comment_updated_date, campaign, ...feedback } = data;
	if (posted_date !== undefined) feedback.created ??= posted_date;
	if (comment_updated_date !== undefined) feedback.comment_modified ??= comment_updated_date;
	return feedbackFromResponse({ ...feedback, campaign: embeddedCampaign(campaign) });
}

/** Returns the campaign as the current revision embeds it. */
function embeddedCampaign(campaign: IDataObject[string]): IDataObject[string] {
	if (typeof campaign === 'number') return { id: campaign };
	if (typeof campaign !== 'string') return campaign;
	return /^\d+$/.test(campaign) ? { id: Number(campaign) } : { name: campaign };
}

function current(event: string, data: IDataObject): IDataObject {
	if (event === 'metric.score_changed') return metricFromResponse(data);
	if (event === 'contact.unsubscribed') return contactFromResponse(data);
	return event.startsWith('tag.') ? tagWithName(data) : data;
}

/** Tag events write the campaign's `name` as `Name` (contract, section Events). */
function tagWithName(data: IDataObject): IDataObject {
	if (!isObject(data.campaign)) return data;
	const { Name, ...campaign } = data.campaign;
	return { ...data, campaign: Name === undefined ? campaign : { ...campaign, name: Name } };
}
