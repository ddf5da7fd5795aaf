import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { ApiClient, INTERACTIVE_TIME_LIMITS } from '../../shared/http/client';
import { readCredential } from '../../shared/http/credential';
import { SurveyError, toNodeError } from '../../shared/http/surveyError';
import { AnswerColumns } from '../../shared/recordForms';
import { routeItems } from '../../shared/triggerOutputs';
import { surveyA } from '../service';
import { FEW, readNewest } from './backlog';
import { EventListReader } from './eventLists';
import { outputOf, passes, routeOf } from './items';
import type { TriggerEvent, TriggerItem } from './items';
import { rowKey } from './listedRow';
import { findNewRows } from './newRows';
import { schedulePoll } from './scheduler';
import type { ScheduledPoll } from './scheduler';
import { readSettings } from './fields';
import type { Settings } from './fields';
import { Watermark } from './watermark';
import { isOutdated, recall, remember } from './watermarkStore';
import type { Account, Watermarks } from './watermarkStore';

/** The most rows of each event that a manual test shows. */
const SAMPLE_SIZE = 5;

/** The most rows of an event that one run gets. */
const MOST_ROWS = 10_000;

/** The part of its time after which a poll stops reading: the second reading takes as long. */
const READING = 0.4;

/**
 * Polls the service.
 *
 * @returns the items for each output; null if there are none, and no run starts
 * @throws NodeApiError or NodeOperationError; nothing is lost, since the next poll reads the same rows
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		const settings = readSettings(context);
		const isTest = context.getMode() === 'manual';
		const items = isTest ? await sample(context, settings) : await newItems(context, settings);
		if (items.length === 0) return null;
		return outputsOf(items, settings);
	} catch (error) {
		const failure = SurveyError.from(error);
		throw toNodeError(context.getNode(), failure, failure.headline);
	}
}

/** Returns the items of each output, in the form that the user chose. */
function outputsOf(items: TriggerItem[], settings: Settings): INodeExecutionData[][] {
	const { simplify, options } = settings;
	const form = { simplify, answersAsColumns: options.answersAsColumns };
	const columns = new AnswerColumns();
	const outputs = routeItems(settings, items, routeOf).map((routed) =>
		routed.map((item) => outputOf(item, form, columns)),
	);
	return outputs.map((output) => columns.complete(output).map((json) => ({ json })));
}

/** Returns the newest rows of each event, and leaves the live trigger's memory alone. */
async function sample(context: IPollFunctions, settings: Settings): Promise<TriggerItem[]> {
	const client = new ApiClient(context, surveyA, INTERACTIVE_TIME_LIMITS);
	const items: TriggerItem[] = [];
	for (const event of settings.events) {
		const list = new EventListReader(client, event);
		const { rows } = await list.reading(async () => await readNewest(list.page));
		const found = rows.map((row) => ({ event, row }));
		items.push(...found.filter((item) => passes(item, settings.filters)).slice(0, SAMPLE_SIZE));
	}
	return items;
}

async function newItems(context: IPollFunctions, settings: Settings): Promise<TriggerItem[]> {
	return (await schedulePoll(context, async (slot) => await readEvents(slot, settings))) ?? [];
}

/**
 * Returns the items that are new since the last poll, oldest first for each event. Rows that the filters
 * hold back count as seen. Nothing is remembered unless the lists of all events could be read.
 */
async function readEvents(
	{ context, timeLimits, budget, signal }: ScheduledPoll,
	settings: Settings,
): Promise<TriggerItem[]> {
	if (isOutdated(context)) return [];
	const { events, filters } = settings;
	const client = new ApiClient(context, surveyA, timeLimits, signal);
	const { baseUrl, apiKey } = await readCredential(context, surveyA);
	const id = rowKey(`${baseUrl} ${apiKey}`);
	const accounts = recall(context);
	const account = accounts && (await findAccount(client, events, id, accounts));
	const marks: Watermarks = {};
	const items: TriggerItem[] = [];
	for (const event of events) {
		const list = new EventListReader(client, event);
		const mark = accounts ? account?.marks[event] : startOf(settings);
		const most = { rows: MOST_ROWS, until: performance.now() + (READING * budget) / events.length };
		const found = await list.reading(async () => await findNewRows(list.page, mark, most));
		marks[event] = found.watermark;
		for (const row of found.rows) items.push({ event, row });
	}
	// A poll that was given up is no longer the last one.
	if (signal.aborted) return [];
	const wanted = items.filter((item) => passes(item, filters));
	const others = accounts?.filter((other) => other !== account) ?? [];
	remember(context, [{ id, marks }, ...others], wanted.length > 0);
	return wanted;
}

/**
 * Finds the account that the credential belongs to. After a change of the credential it may be the same
 * one by another key: then a list shows rows that were read before.
 */
async function findAccount(
	client: ApiClient,
	events: TriggerEvent[],
	id: string,
	accounts: Account[],
): Promise<Account | undefined> {
	const same = accounts.find((account) => account.id === id);
	if (same) return same;
	for (const event of events) {
		const { page } = new EventListReader(client, event);
		const { rows } = await page({ number: 1, size: FEW, order: 'newest first' });
		const oldest = await page({ number: 1, size: FEW, order: 'oldest first' });
		const listed = [...rows, ...oldest.rows];
		const known = accounts.find(({ marks }) => marks[event]?.recognizes(listed));
		if (known) return known;
	}
	return undefined;
}

/** Only the very first poll looks back. An event that is chosen later starts from then. */
function startOf({ options: { startDate } }: Settings): Watermark | undefined {
	return startDate && new Watermark({ floor: startDate.toMillis() });
}
