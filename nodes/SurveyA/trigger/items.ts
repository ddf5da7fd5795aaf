import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import type { Route } from '../../shared/triggerOutputs';
import { companyRecord } from '../records/company';
import { customerRecord } from '../records/customer';
import { feedbackRecord, scoreOf, scoreTypeOf } from '../records/feedback';
import { outboxSurveyRecord } from '../records/outbox';
import { TRIGGER_EVENTS } from './fields';
import type { Filters } from './fields';
import type { ListedRow } from './listedRow';

export const triggerEvent = z.enum(TRIGGER_EVENTS);

export type TriggerEvent = z.infer<typeof triggerEvent>;

/** An item of the trigger: the event, and the service's record as it came. */
export const triggerItemRecord = () =>
	z.object({
		event: triggerEvent,
		data: z.union([feedbackRecord(), customerRecord(), companyRecord(), outboxSurveyRecord()]),
		/** What is wrong with the record. It comes out all the same. */
		issues: z.array(z.string()).optional(),
	});

export interface TriggerItem {
	event: TriggerEvent;
	data: IDataObject;
	issues?: string[];
}

/** The item of a row. */
export function itemOf(event: TriggerEvent, { data, issues }: ListedRow): TriggerItem {
	return issues ? { event, data, issues } : { event, data };
}

/** What an item is routed by. Only an NPS score tells a promoter from a detractor. */
export function routeOf({ event, data }: TriggerItem): Route {
	return { event, scoreType: event === 'feedback.created' ? scoreTypeOf(data) : undefined };
}

/** Whether an item comes out. A filter does not apply to events that lack its field. */
export function passes({ event, data }: TriggerItem, wanted: Filters): boolean {
	switch (event) {
		case 'feedback.created':
			return (
				isAmong(data.campaignId, wanted.campaignIds) &&
				isAmong(data.metricsType, wanted.metrics) &&
				isBetween(data.score, wanted.minScore, wanted.maxScore)
			);
		case 'survey.sent':
			return isAmong(data.campaignId, wanted.campaignIds);
		default:
			return true;
	}
}

function isAmong(value: unknown, names: string[] = []): boolean {
	return names.length === 0 || names.some((name) => wordOf(name) === wordOf(value));
}

/** The form in which words are compared; undefined for what is none, which not even `String` may read. */
function wordOf(value: unknown): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	return String(value).toLowerCase();
}

/** Feedback without a score is neither high nor low: any bound leaves it out. */
function isBetween(score: unknown, min?: number, max?: number): boolean {
	if (min === undefined && max === undefined) return true;
	const value = scoreOf(score);
	return value !== undefined && value >= (min ?? -Infinity) && value <= (max ?? Infinity);
}
