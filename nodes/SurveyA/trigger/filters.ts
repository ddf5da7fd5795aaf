import { z } from 'zod';

import { collection, stringList, optionalNumber } from '../../shared/parameters/schemas';
import { scoreOf } from './items';
import type { TriggerItem } from './items';

/** The schema of the trigger's filters. */
export const filters = collection({
	campaignIds: stringList,
	metrics: stringList,
	minScore: optionalNumber,
	maxScore: optionalNumber,
});

export type Filters = z.output<typeof filters>;

/** Whether an item comes out. The filters are about feedback: customers all pass. */
export function passes({ event, data }: TriggerItem, wanted: Filters): boolean {
	if (event !== 'feedback.created') return true;
	return (
		isAmong(data.campaignId, wanted.campaignIds) &&
		isAmong(data.metricsType, wanted.metrics) &&
		isBetween(data.score, wanted.minScore, wanted.maxScore)
	);
}

function isAmong(value: unknown, names: string[] = []): boolean {
	const form = (name: unknown) => String(name).toLowerCase();
	return names.length === 0 || names.some((name) => form(name) === form(value));
}

/** Feedback without a score is neither high nor low: any bound leaves it out. */
function isBetween(score: unknown, min?: number, max?: number): boolean {
	if (min === undefined && max === undefined) return true;
	const value = scoreOf(score);
	return value !== undefined && value >= (min ?? -Infinity) && value <= (max ?? Infinity);
}
