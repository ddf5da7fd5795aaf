import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { ApiClient, INTERACTIVE_TIME_LIMITS } from '../../shared/http/client';
import { readCredential } from '../../shared/http/credential';
import { Failure } from '../../shared/base/failure';
import { toNodeError } from '../../shared/nodeError';
import { AnswerColumns } from '../../shared/recordForms';
import { routeItems } from '../../shared/triggerOutputs';
import { surveyA } from '../service';
import { EventListReader } from './eventLists';
import { readSettings } from './fields';
import type { Settings } from './fields';
import { matches, outputOf, routeOf } from './items';
import type { TriggerEvent, TriggerItem } from './items';
import { rowKey } from './listedRow';
import { FEW, findNewRows } from './listPoll';
import { sampleItems } from './sample';
import { schedulePoll } from './scheduler';
import type { ScheduledPoll } from './scheduler';
import { Watermark } from './watermark';
import { PollMemory } from './watermarkStore';
import type { Account, Watermarks } from './watermarkStore';

/** The most rows of an event that one run gets. */
const MOST_ROWS = 10_000;

/** The share of its budget after which a poll stops reading: it may have to read everything twice. */
const READING = 0.4;

/**
 * Polls the service.
 *
 * @returns the items of each output; null if there are none, and no run starts
 * @throws NodeApiError or NodeOperationError; nothing is lost, since the next poll reads the same rows
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		const settings = readSettings(context);
		const isTest = context.getMode() === 'manual';
		const items = isTest ? await testItems(context, settings) : await newItems(context, settings);
		return items.length === 0 ? null : outputsOf(items, settings);
	} catch (error) {
		const failure = Failure.from(error);
		throw toNodeError(context.getNode(), failure, failure.headline);
	}
}

function outputsOf(items: TriggerItem[], settings: Settings): INodeExecutionData[][] {
	const { simplify, options } = settings;
	const form = { simplify, answersAsColumns: options.answersAsColumns };
	const columns = new AnswerColumns();
	const outputs = routeItems(settings, items, routeOf).map((routed) =>
		routed.map((item) => outputOf(item, form, columns)),
	);
	return outputs.map((output) => columns.complete(output).map((json) => ({ json })));
}

async function testItems(context: IPollFunctions, settings: Settings): Promise<TriggerItem[]> {
	return await sampleItems(new ApiClient(context, surveyA, INTERACTIVE_TIME_LIMITS), settings);
}

async function newItems(context: IPollFunctions, settings: Settings): Promise<TriggerItem[]> {
	return (await schedulePoll(context, async (slot) => await readEvents(slot, settings))) ?? [];
}

/**
 * Returns the items that are new since the last poll, oldest first for each event. Rows that the filters
 * hold back count as read. Nothing is remembered unless the lists of all events could be read.
 */
async function readEvents(
	{ context, timeLimits, budget, signal }: ScheduledPoll,
	settings: Settings,
): Promise<TriggerItem[]> {
	const memory = new PollMemory(context);
	if (memory.isOutdated) return [];
	const { events, filters } = settings;
	const client = new ApiClient(context, surveyA, timeLimits, signal);
	const { baseUrl, apiKey } = await readCredential(context, surveyA);
	const id = rowKey(`${baseUrl} ${apiKey}`);
	const { accounts } = memory;
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
	// A poll that was abandoned is no longer the last one.
	if (signal.aborted) return [];
	const wanted = items.filter((item) => matches(item, filters));
	const others = accounts?.filter((other) => other !== account) ?? [];
	memory.remember([{ id, marks }, ...others], wanted.length > 0);
	return wanted;
}

/**
 * Finds the account of the credential. After a change of the credential it may be the same account with
 * another key: then a list shows rows that were read before.
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
		const list = new EventListReader(client, event);
		const listed = await list.reading(async () => {
			const newest = await list.page({ number: 1, size: FEW, order: 'newest first' });
			const oldest = await list.page({ number: 1, size: FEW, order: 'oldest first' });
			return [...newest.rows, ...oldest.rows];
		});
		const known = accounts.find(({ marks }) => marks[event]?.recognizes(listed));
		if (known) return known;
	}
	return undefined;
}

/** Returns where the first poll starts. An event that is chosen later starts from then. */
function startOf({ options: { startDate } }: Settings): Watermark | undefined {
	return startDate && new Watermark({ floor: startDate.toMillis() });
}
