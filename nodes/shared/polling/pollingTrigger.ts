import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { GivenDate } from '../fields/dates';
import { date } from '../fields/kinds';
import type { Service } from '../http/service';
import type { TriggerSettings } from '../triggers/settings';
import type { EventList } from './eventList';
import type { Dated } from './pollList';

/** The settings that every polling trigger has. */
export type PollSettings = TriggerSettings & {
	filters: object;
	options: { startDate?: GivenDate };
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

/** The option of a polling trigger that says from when on records start a run. */
export const startDate = date({
	displayName: 'Start Date',
	description:
		'Trigger on all that was created since this date. Publishing again reads on from where the trigger stopped: an earlier date brings nothing back. Without this option, the first publishing is the start.',
});
