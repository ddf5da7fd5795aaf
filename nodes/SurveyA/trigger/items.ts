import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { inForm, simplifiedSchema } from '../../shared/records';
import type { AnswerColumns, Form, RecordForms } from '../../shared/records';
import { flatItem, passes } from '../../shared/triggers';
import type { Route } from '../../shared/triggers';
import { feedback, scoreOf, scoreTypeOf } from '../records/feedback';
import { sentSurvey } from '../records/outbox';
import type { Filters, TriggerEvent, Settings } from './fields';
import { Failure } from '../../shared/base/failure';
import type { PageClient } from '../../shared/paging/pages';
import { EVENT_LISTS, newestFirst } from './eventLists';

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

/** The most records of each event that a manual test shows. */
const SAMPLE_SIZE = 5;

/** The pages of each list that are searched for matching records. */
const PAGE_SIZE = 200;
const MOST_PAGES = 5;

/** Returns the newest matching records of each event. @throws Failure if there are records, but none matches */
export async function sampleItems(
	client: PageClient,
	{ events, filters }: Pick<Settings, 'events' | 'filters'>,
): Promise<TriggerItem[]> {
	const items: TriggerItem[] = [];
	let searched = 0;
	for (const event of events) {
		const found: TriggerItem[] = [];
		let pages = 0;
		for await (const { records } of newestFirst(client, EVENT_LISTS[event])(PAGE_SIZE)) {
			searched += records.length;
			found.push(
				...records.map((data) => ({ event, data })).filter((item) => matches(item, filters)),
			);
			if (found.length > 0 || ++pages === MOST_PAGES) break;
		}
		items.push(...found.slice(0, SAMPLE_SIZE));
	}
	if (items.length > 0 || searched === 0) return items;
	throw new Failure(
		'failed',
		`None of the newest ${searched} records in Survey A matches the filters`,
		{ hint: 'Change the filters, or publish the workflow to wait for a matching record' },
	);
}
