import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Failure } from '../../shared/base/failure';
import type { PageClient } from '../../shared/paging/pages';
import { pages } from '../../shared/paging/walk';
import { dated } from '../../shared/polling/pollList';
import type { Dated } from '../../shared/polling/pollList';
import { inForm, simplifiedSchema } from '../../shared/records';
import type { AnswerColumns, Form } from '../../shared/records';
import { flatItem, passes } from '../../shared/triggers';
import { feedback, scoreOf } from '../records/feedback';
import { newestFirst } from './eventLists';
import type { SurveyAList } from './eventLists';
import type { Settings } from './fields';

export type Listed = Dated<SurveyAList>;

/** The item that the editor previews for all events: the simplified item of feedback. */
export const triggerItemRecord = () =>
	z.object({ event: z.string(), ...simplifiedSchema(feedback).shape });

/** Returns a record as the workflow gets it: simplified, or the whole one as `data`. */
export function outputOf(
	{ list, data }: Pick<Listed, 'list' | 'data'>,
	form: Form,
	columns: AnswerColumns,
): IDataObject {
	const { value: event, record } = list;
	const shown = record ? inForm(record, data, form, columns) : data;
	return form.simplify === false ? { event, data: shown } : flatItem({ event }, shown);
}

/** Returns whether a record matches the filters. A filter does not apply to events that lack its field. */
export function matches({ list, data }: Listed, filters: Settings['filters']): boolean {
	const campaignIds = [data.campaignId];
	if (list.value === 'survey.sent') return passes(filters, { values: { campaignIds } });
	if (list.value !== 'feedback.created') return true;
	const values = { campaignIds, metrics: [data.metricsType] };
	return passes(filters, { score: scoreOf(data.score) ?? null, values });
}

/** The most records of each event that a manual test shows. */
const SAMPLE_SIZE = 5;

/** The pages of each list that are searched for matching records. */
const PAGE_SIZE = 200;
const MOST_PAGES = 5;

/** Returns the newest matching records of each event. @throws Failure if there are records, but none matches */
export async function sampleRecords(
	client: PageClient,
	{ lists, filters }: Settings,
): Promise<Listed[]> {
	const sample: Listed[] = [];
	let searched = 0;
	for (const list of lists) {
		const { recordsKey } = list;
		const newest = { request: newestFirst(list), recordsKey, pageSize: PAGE_SIZE };
		let count = 0;
		for await (const { records } of pages(client, newest)) {
			searched += records.length;
			const found = records
				.flatMap((data) => dated(list, data) ?? [])
				.filter((record) => matches(record, filters));
			sample.push(...found.slice(0, SAMPLE_SIZE));
			if (found.length > 0 || ++count === MOST_PAGES) break;
		}
	}
	if (sample.length > 0 || searched === 0) return sample;
	throw new Failure(
		'failed',
		`None of the newest ${searched} records in Survey A matches the filters`,
		{ hint: 'Change the filters, or publish the workflow to wait for a matching record' },
	);
}
