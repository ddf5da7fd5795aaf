import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { ApiClient, INTERACTIVE_TIME_LIMITS } from '../../shared/http/client';
import { readCredential } from '../../shared/http/credential';
import { toNodeError } from '../../shared/nodeError';
import { AnswerColumns } from '../../shared/records';
import { HourlyLog, routeItems } from '../../shared/triggers';
import { scoreTypeOf } from '../records/feedback';
import { surveyA } from '../service';
import { shortHash } from './eventLists';
import type { EventList, Listed } from './eventLists';
import { readSettings } from './fields';
import type { Settings } from './fields';
import { matches, outputOf, sampleRecords } from './items';
import { PollMemory } from './memory';
import type { ListState, Memory } from './memory';
import { pollList } from './pollList';
import { schedulePoll } from './scheduler';
import type { ScheduledPoll } from './scheduler';

type Outputs = INodeExecutionData[][] | null;

/**
 * Polls the service.
 *
 * @returns the items of each output; null if there are none, and no run starts
 * @throws NodeApiError or NodeOperationError; nothing is lost, since the next poll reads the same records
 */
export async function poll(context: IPollFunctions): Promise<Outputs> {
	try {
		const settings = readSettings(context);
		if (context.getMode() !== 'manual') {
			const work = async (slot: ScheduledPoll) => await pollEvents(context, slot, settings);
			return (await schedulePoll(context, work)) ?? null;
		}
		const client = new ApiClient(context, surveyA, INTERACTIVE_TIME_LIMITS);
		return outputsOf(await sampleRecords(client, settings), settings);
	} catch (error) {
		const failure = Failure.from(error);
		throw toNodeError(context.getNode(), failure, failure.headline);
	}
}

function outputsOf(records: Listed[], settings: Settings): Outputs {
	if (records.length === 0) return null;
	const { routing, form } = settings;
	const columns = new AnswerColumns();
	// Only NPS scores have a score type.
	const routeOf = ({ list, data }: Listed) => ({
		event: list.value,
		scoreType: scoreTypeOf(data),
	});
	const outputs = routeItems(routing, records, routeOf).map((routed) =>
		routed.map((record) => outputOf(record, form, columns)),
	);
	return outputs.map((output) => columns.complete(output).map((json) => ({ json })));
}

/**
 * Returns what is new since the last poll, oldest first for each event. What the filters hold back counts as
 * seen. Nothing is remembered unless the lists of all events could be read.
 */
async function pollEvents(
	context: IPollFunctions,
	{ timeLimits, signal }: ScheduledPoll,
	settings: Settings,
): Promise<Outputs> {
	const memory = new PollMemory(context);
	if (memory.isOutdated) return null;
	const client = new ApiClient(context, surveyA, timeLimits, signal);
	const { baseUrl, apiKey } = await readCredential(context, surveyA);
	const account = shortHash(`${baseUrl} ${apiKey}`);
	const isOther = memory.last?.account !== account;
	const startDate = startDateOf(context, settings, memory.last);
	const states = { ...memory.last?.lists };
	const found: Listed[] = [];
	for (const list of settings.lists) {
		const start = startOf(states[list.value], startDate.time, isOther);
		const { records, state, hasDates } = await pollList(client, list, start);
		if (!hasDates) warnOfDates(context, list);
		states[list.value] = state;
		found.push(...records.filter((record) => matches(record, settings.filters)));
	}
	const outputs = outputsOf(found, settings);
	memory.remember({ account, startDate, lists: states }, outputs !== null);
	return outputs;
}

/** Returns Start Date with the time that it stood for when the first poll read it. */
function startDateOf(
	context: IPollFunctions,
	{ options }: Settings,
	last?: Memory,
): Memory['startDate'] {
	const text = String(Object(context.getNode().parameters.options).startDate);
	if (last?.startDate.text === text) return last.startDate;
	return { text, time: options.startDate?.toMillis() ?? 0 };
}

/** How much n8n's clock and the service's may differ, in ms. */
const CLOCK_DIFFERENCE = 10 * 60 * 1000;

/**
 * Returns where to begin. A later Start Date moves it, and so does a change of the credential, since the account may be
 * another one: to the last poll, or to the newest record if that is later.
 */
function startOf(
	state: ListState | undefined,
	startDate: number,
	isOther: boolean,
): ListState | undefined {
	if (state) {
		const read = isOther ? Math.max(state.until, state.readAt - CLOCK_DIFFERENCE) : 0;
		const floor = Math.max(state.floor, startDate, read);
		return { ...state, floor };
	}
	const until = Math.min(startDate, Date.now());
	return startDate ? { floor: startDate, until, seen: {}, readAt: 0 } : undefined;
}

/** Logs that an event cannot start the workflow, once an hour. */
function warnOfDates(context: IPollFunctions, { value: event, dateField, path }: EventList): void {
	const problem = `no record of ${path} has a '${dateField}' that can be read, so '${event}' starts no run`;
	const message = `${problem}. Update this package, or ask Survey A whether its dates have changed`;
	new HourlyLog(context).warn(`${context.getNode().name}: ${message}`);
}
