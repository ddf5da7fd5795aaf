import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { inForm, simplifiedSchema } from '../../shared/records';
import type { AnswerColumns, Form, RecordForms } from '../../shared/records';
import { flatItem, passes } from '../../shared/triggers';
import type { Route } from '../../shared/triggers';
import { feedback, scoreOf, scoreTypeOf } from '../records/feedback';
import { sentSurvey } from '../records/outbox';
import type { Filters, TriggerEvent } from './fields';

/** The item that the editor previews for all events: the simplified item of feedback. */
export const triggerItemRecord = () =>
	z.object({ event: z.string(), ...simplifiedSchema(feedback).shape });

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
	return form.simplify === false ? { event, data: record } : flatItem({ event }, record);
}

/** Returns the properties by which an item is routed. Only NPS scores have a score type. */
export function routeOf({ event, data }: TriggerItem): Route {
	return { event, scoreType: event === 'feedback.created' ? scoreTypeOf(data) : undefined };
}

/** Returns whether an item matches the filters. A filter does not apply to events that lack its field. */
export function matches({ event, data }: TriggerItem, filters: Filters): boolean {
	const campaignIds = [data.campaignId];
	if (event === 'survey.sent') return passes(filters, { values: { campaignIds } });
	if (event !== 'feedback.created') return true;
	const values = { campaignIds, metrics: [data.metricsType] };
	return passes(filters, { score: scoreOf(data.score) ?? null, values });
}
