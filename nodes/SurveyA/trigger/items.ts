import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { inForm, simplifiedSchema } from '../../shared/recordForms';
import type { AnswerColumns, Form, RecordForms } from '../../shared/recordForms';
import type { Route } from '../../shared/triggerOutputs';
import { feedback, scoreOf, scoreTypeOf } from '../records/feedback';
import { sentSurvey } from '../records/outbox';
import { TRIGGER_EVENTS } from './fields';
import type { Filters, TriggerEvent } from './fields';

/** The item that the editor previews for all events: the simplified item of feedback. */
export const triggerItemRecord = () =>
	z.object({ event: z.enum(TRIGGER_EVENTS), ...simplifiedSchema(feedback).shape });

export interface TriggerItem {
	event: TriggerEvent;
	data: IDataObject;
}

/** The forms of long records. Customers and companies are short. */
const FORMS: Partial<Record<TriggerEvent, RecordForms>> = {
	'feedback.created': feedback,
	'survey.sent': sentSurvey,
};

/** Returns an item as the workflow gets it: the simplified record, or the whole one as `data`. */
export function outputOf(
	{ event, data }: TriggerItem,
	form: Form,
	columns: AnswerColumns,
): IDataObject {
	const forms = FORMS[event];
	const record = forms ? inForm(forms, data, form, columns) : data;
	// The event comes first, even if the record has a field of that name.
	return form.simplify === false
		? { event, data: record }
		: Object.assign({ event }, record, { event });
}

/** Returns the properties by which an item is routed. Only NPS scores have a score type. */
export function routeOf({ event, data }: TriggerItem): Route {
	return { event, scoreType: event === 'feedback.created' ? scoreTypeOf(data) : undefined };
}

/** Returns whether an item matches the filters. A filter does not apply to events that lack its field. */
export function matches({ event, data }: TriggerItem, wanted: Filters): boolean {
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
	return names.length === 0 || names.some((name) => comparable(name) === comparable(value));
}

/** Returns a value for comparison; undefined unless it is text or a number. */
function comparable(value: unknown): string | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	return String(value).toLowerCase();
}

/** Feedback without a score is neither high nor low: any bound leaves it out. */
function isBetween(score: unknown, min?: number, max?: number): boolean {
	if (min === undefined && max === undefined) return true;
	const value = scoreOf(score);
	return value !== undefined && value >= (min ?? -Infinity) && value <= (max ?? Infinity);
}
