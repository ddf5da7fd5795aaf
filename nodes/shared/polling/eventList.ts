import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { momentIn } from '../base/moment';
import type { ApiRequest } from '../http/request';
import type { RecordForms } from '../records';

/** An event of a trigger, and the list that shows its records, the oldest first. */
export interface EventList {
	/** The event. Saved workflows depend on it. */
	value: string;
	name: string;
	description: string;
	request: ApiRequest;
	/** Lists the newest records first, as a manual test shows them. */
	newest: ApiRequest;
	/** The name of the array that holds the records in the response. */
	recordsKey: string;
	record?: RecordForms;
	dateField: string;
	/** Returns the date of a record, in ms; undefined as long as it has none. */
	dateOf(data: IDataObject): number | undefined;
	/** Returns what identifies a record; by default its `id`. */
	identity?(data: IDataObject): unknown;
	/** Returns whether a record should have a date already. */
	hasDate(data: IDataObject): boolean;
	/** True if records are in the list before they have their date, so that it is not sorted by that. */
	waits?: boolean;
}

type Defaults = Pick<EventList, 'dateOf' | 'hasDate'>;

/** Returns the list of an event. By default, records have an `id`, and a date by which the list is sorted. */
export function eventList(list: Omit<EventList, keyof Defaults> & Partial<Defaults>): EventList {
	const dateOf = (data: IDataObject) => momentIn(data[list.dateField]);
	return { dateOf, hasDate: () => true, ...list };
}

/** Returns the choices of Trigger On. */
export function eventChoices(lists: EventList[]): Array<INodePropertyOptions & { value: string }> {
	return lists.map(({ name, value, description }) => ({ name, value, description }));
}
