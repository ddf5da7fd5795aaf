import type { IDataObject, INodePropertyOptions, IPollFunctions } from 'n8n-workflow';

import { momentIn } from '../fields/dates';
import type { GivenDate } from '../fields/dates';
import { date, number } from '../fields/kinds';
import type { ApiRequest } from '../http/request';
import type { Service } from '../http/service';
import type { RecordForms } from '../records';
import type { TriggerSettings } from '../triggers/settings';

/** The settings that every polling trigger has. */
export type PollSettings = TriggerSettings & {
	filters: object;
	options: { startDate?: GivenDate; waitForComment?: number };
};

/** Everything that is special about the polling trigger of one service. Shared code knows it only by this. */
export interface PollingTrigger<Settings extends PollSettings = PollSettings> {
	service: Service;
	lists: EventList[];
	read(context: IPollFunctions): Settings;
	/** Returns whether a record matches the filters; by default, each one does. */
	matches?(record: Dated, filters: Settings['filters']): boolean;
	/** Returns the score type that may decide the output of a record. */
	scoreTypeOf?(data: IDataObject): string | undefined;
}

/** An event of a trigger, and the list that shows its records, the newest first. */
export interface EventList {
	/** The event. Saved workflows depend on it. */
	value: string;
	name: string;
	description: string;
	request: ApiRequest;
	/** The name of the array that holds the records in the response. */
	recordsKey: string;
	record?: RecordForms;
	/** The field with the date of the event. The list is sorted by it, unless records wait for it. */
	dateField: string;
	/** Returns what identifies a record; by default its `id`. */
	identity?(data: IDataObject): unknown;
	/** True if records are in the list before they have their date. */
	waits?: boolean;
	/** True if a person may add a comment after the record was created. */
	hasLateComment?: boolean;
}

/** Returns the choices of Trigger On. */
export function eventChoices(lists: EventList[]): Array<INodePropertyOptions & { value: string }> {
	return lists.map(({ name, value, description }) => ({ name, value, description }));
}

/** A record of a list that has a date. */
export interface Dated {
	list: EventList;
	data: IDataObject;
	/** In ms. */
	created: number;
}

/** Reads a record of a list; undefined if it has no date yet. */
export function dated(list: EventList, data: IDataObject): Dated | undefined {
	const created = momentIn(data[list.dateField]);
	return created === undefined ? undefined : { list, data, created };
}

/** How old feedback is when it starts a run, in minutes, as in Survey B. */
export const DEFAULT_WAIT_MINUTES = 15;

/** The option of a polling trigger that says from when on records start a run. */
export const startDate = date({
	displayName: 'Start Date',
	description:
		'Trigger on all that was created on or after this moment; a date without a time begins in UTC. Without this option, the first publishing is the start. Publishing again goes on from where the trigger stopped.',
});

/** The option of a polling trigger that says how old a record is when it starts a run. */
export const waitForComment = number({
	displayName: 'Wait for Comment',
	min: 0,
	default: DEFAULT_WAIT_MINUTES,
	description:
		'Minutes after an answer until its feedback starts a run, so that it has its comment. 0 starts the run at once, often without the comment. Without this option, it is 15.',
});
