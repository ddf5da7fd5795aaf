import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { ApiClient, INTERACTIVE_TIME_LIMITS } from '../../shared/http/client';
import { now } from '../../shared/http/clock';
import { Failure, toNodeError } from '../../shared/http/failure';
import { routeItems } from '../../shared/triggerOutputs';
import { surveyA } from '../service';
import { readNewest } from './backlog';
import { eventPageReader } from './eventLists';
import { itemOf, passes, routeOf } from './items';
import type { TriggerItem } from './items';
import { findNewRows } from './newRows';
import { schedulePoll } from './scheduler';
import type { ScheduledPoll } from './scheduler';
import { readSettings } from './fields';
import type { Settings } from './fields';
import { startingAt } from './watermark';
import type { Watermark } from './watermark';
import { isOutdated, recall, remember } from './watermarkStore';
import type { Watermarks } from './watermarkStore';

/** The most rows of each event that a test by hand shows. */
const SAMPLE_SIZE = 5;

/** The most rows of an event that one poll takes: more would be too much for one run. */
const MOST_ROWS = 10_000;

/** The part of its time after which a poll reads no further: to read again takes as long. */
const READING = 0.4;

/**
 * One poll of the trigger.
 *
 * @returns the items for each output; null where there are none, and no run starts
 * @throws NodeApiError or NodeOperationError; nothing is lost by it, the next poll reads the same rows
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		const settings = readSettings(context);
		const isTest = context.getMode() === 'manual';
		const items = isTest ? await sample(context, settings) : await newItems(context, settings);
		if (items.length === 0) return null;
		const routed = routeItems(settings, items, routeOf);
		return routed.map((output) => output.map((item) => ({ json: { ...item } })));
	} catch (error) {
		const failure = Failure.from(error);
		throw toNodeError(context.getNode(), failure, failure.headline);
	}
}

/** The newest rows of each event. The live trigger's memory is left alone. */
async function sample(context: IPollFunctions, settings: Settings): Promise<TriggerItem[]> {
	const client = new ApiClient(context, surveyA, INTERACTIVE_TIME_LIMITS);
	const items: TriggerItem[] = [];
	for (const event of settings.events) {
		const { rows } = await readNewest(eventPageReader(client, event));
		const found = rows.map((row) => itemOf(event, row));
		items.push(...found.filter((item) => passes(item, settings.filters)).slice(0, SAMPLE_SIZE));
	}
	return items;
}

async function newItems(context: IPollFunctions, settings: Settings): Promise<TriggerItem[]> {
	return (await schedulePoll(context, async (slot) => await readEvents(slot, settings))) ?? [];
}

/**
 * The items that are new since the last poll, oldest first for each event. Rows that the filters hold
 * back count as seen. Nothing is remembered unless the lists of all events could be read.
 */
async function readEvents(
	{ context, timeLimits, budget, signal }: ScheduledPoll,
	settings: Settings,
): Promise<TriggerItem[]> {
	if (isOutdated(context)) return [];
	const { events, filters } = settings;
	const client = new ApiClient(context, surveyA, timeLimits, signal);
	const before = recall(context);
	const watermarks: Watermarks = {};
	const items: TriggerItem[] = [];
	for (const event of events) {
		const watermark = before ? before[event] : startOf(settings);
		const most = { rows: MOST_ROWS, until: now() + (READING * budget) / events.length };
		const found = await findNewRows(eventPageReader(client, event), watermark, most);
		watermarks[event] = found.watermark;
		for (const row of found.rows) items.push(itemOf(event, row));
	}
	// A poll that was given up is no longer the last one.
	if (signal.aborted) return [];
	const wanted = items.filter((item) => passes(item, filters));
	remember(context, watermarks, wanted.length > 0);
	return wanted;
}

/** Only the very first poll looks back. An event that is chosen later starts from then. */
function startOf({ options: { startDate } }: Settings): Watermark | undefined {
	return startDate && startingAt(startDate.toMillis());
}
