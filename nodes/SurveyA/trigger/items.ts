import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { npsType } from '../../shared/triggerOutputs';
import type { Route } from '../../shared/triggerOutputs';
import { customerRecord, feedbackRecord } from '../records/all';

/** What the trigger can be started by. Public interface: saved workflows hold these names. */
const TRIGGER_EVENTS = ['feedback.created', 'customer.created'] as const;

export const triggerEvent = z.enum(TRIGGER_EVENTS);

export type TriggerEvent = z.infer<typeof triggerEvent>;

/** An item of the trigger: the event, and the service's record as it came. */
export const triggerItemRecord = z.object({
	event: triggerEvent,
	data: z.union([feedbackRecord, customerRecord]),
});

export interface TriggerItem {
	event: TriggerEvent;
	data: IDataObject;
}

/** What an item is routed by. Only an NPS score tells a promoter from a detractor. */
export function routeOf({ event, data }: TriggerItem): Route {
	return { event, scoreType: event === 'feedback.created' ? scoreTypeOf(data) : undefined };
}

function scoreTypeOf({ metricsType, score }: IDataObject): string | undefined {
	const value = scoreOf(score);
	if (String(metricsType).toUpperCase() !== 'NPS' || value === undefined) return undefined;
	return npsType(value);
}

/** A score as a number: some servers write it as text. */
export function scoreOf(score: unknown): number | undefined {
	const value = typeof score === 'string' && score.trim() !== '' ? Number(score) : score;
	return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
}
