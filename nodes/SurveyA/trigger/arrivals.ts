import { ApiClient } from '../../shared/http/client';
import { Failure } from '../../shared/http/failure';
import { surveyA } from '../service';
import type { ReadPage } from './backlog';
import { passes } from './filters';
import type { TriggerItem } from './items';
import { pageReader } from './lists';
import { look } from './look';
import { isOutdated, recall, remember } from './memory';
import type { Marks } from './memory';
import type { Settings } from './settings';
import type { Turn } from './turn';
import { startingAt } from './watermark';
import type { Watermark } from './watermark';

/** The most rows of an event that one poll takes: more would be too much for one run. */
const MOST_ROWS = 10_000;

/** The part of its time after which a poll reads no further: to read again takes as long. */
const READING = 0.4;

/**
 * The items that are new since the last poll, oldest first for each event. Rows that the filters hold
 * back count as seen. Nothing is remembered unless the lists of all events could be read.
 */
export async function arrivals(turn: Turn, settings: Settings): Promise<TriggerItem[]> {
	const { context, patience, budget } = turn;
	if (isOutdated(context)) return [];
	const { events, filters } = settings;
	const client = new ApiClient(context, surveyA, patience);
	const before = recall(context);
	const marks: Marks = {};
	const items: TriggerItem[] = [];
	for (const event of events) {
		const mark = before ? before[event] : startOf(settings);
		const until = Date.now() + (READING * budget) / events.length;
		const found = await look(inTime(turn, pageReader(client, event)), mark, {
			rows: MOST_ROWS,
			until,
		});
		marks[event] = found.mark;
		for (const { data } of found.rows) items.push({ event, data });
	}
	const wanted = items.filter((item) => passes(item, filters));
	remember(context, marks, wanted.length > 0);
	return wanted;
}

/** Only the very first poll looks back. An event that is chosen later starts from then. */
function startOf({ options: { startDate } }: Settings): Watermark | undefined {
	return startDate && startingAt(startDate.toMillis());
}

/** Asks for no page when the time is up. */
function inTime({ end }: Turn, read: ReadPage): ReadPage {
	return async (request) => {
		if (Date.now() <= end) return await read(request);
		throw new Failure({
			words: 'Survey A answers too slowly to be read while n8n activates the workflow',
			advice: 'Publish the workflow again, or at a quieter time',
		});
	};
}
