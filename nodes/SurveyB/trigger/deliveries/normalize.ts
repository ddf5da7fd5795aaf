import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../../shared/http/json';
import { contactFromAnswer } from '../../records/contact';
import { feedbackFromAnswer } from '../../records/feedback';
import { metricFromAnswer } from '../../records/metric';
import { isFeedbackEvent } from '../events';

export interface Normalized {
	/** 1 for the earlier revision of the webhooks, 2 for the current one. */
	revision: 1 | 2;
	data: IDataObject;
}

/** Gives an event's data in the contract's current shape, whatever revision it was delivered in. */
export function normalize(event: string, data: IDataObject): Normalized {
	if (isFeedbackEvent(event)) {
		return isEarlier(data)
			? { revision: 1, data: currentFeedback(data) }
			: { revision: 2, data: feedbackFromAnswer(data) };
	}
	return { revision: 2, data: current(event, data) };
}

/** Only feedback tells its revision: the other events look alike in both. */
function isEarlier({ posted_date, comment_updated_date, campaign }: IDataObject): boolean {
	const isBareId = typeof campaign === 'number' || typeof campaign === 'string';
	return posted_date !== undefined || comment_updated_date !== undefined || isBareId;
}

/** A feedback of the earlier revision under today's names (contract, section Events, Rules). */
function currentFeedback(data: IDataObject): IDataObject {
	const { posted_date, comment_updated_date, campaign, ...feedback } = data;
	if (posted_date !== undefined) feedback.created ??= posted_date;
	if (comment_updated_date !== undefined) feedback.comment_modified ??= comment_updated_date;
	return feedbackFromAnswer({ ...feedback, campaign: embedded(campaign) });
}

/** The campaign as the object that it is embedded as today. */
function embedded(campaign: IDataObject[string]): IDataObject[string] {
	if (typeof campaign === 'number') return { id: campaign };
	if (typeof campaign !== 'string') return campaign;
	return /^\d+$/.test(campaign) ? { id: Number(campaign) } : { name: campaign };
}

function current(event: string, data: IDataObject): IDataObject {
	if (event === 'metric.score_changed') return metricFromAnswer(data);
	if (event === 'contact.unsubscribed') return contactFromAnswer(data);
	return event.startsWith('tag.') ? tagWithName(data) : data;
}

/** Tag events write the campaign's `name` as `Name` (contract, section Events). */
function tagWithName(data: IDataObject): IDataObject {
	if (!isObject(data.campaign)) return data;
	const { Name, ...campaign } = data.campaign;
	return { ...data, campaign: Name === undefined ? campaign : { ...campaign, name: Name } };
}
