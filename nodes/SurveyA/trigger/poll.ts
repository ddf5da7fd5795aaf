import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { ApiClient, INTERACTIVE_TIME_LIMITS } from '../../shared/http/client';
import { readCredential } from '../../shared/http/credential';
import { toNodeError } from '../../shared/nodeError';
import { shortHash } from '../../shared/polling/listState';
import type { ListState } from '../../shared/polling/listState';
import { PollMemory } from '../../shared/polling/memory';
import type { Memory } from '../../shared/polling/memory';
import { ListPoll } from '../../shared/polling/pollList';
import type { EventList } from '../../shared/polling/pollList';
import { leaveToNextPoll, schedulePoll } from '../../shared/polling/scheduler';
import type { ScheduledPoll } from '../../shared/polling/scheduler';
import { AnswerColumns } from '../../shared/records';
import { HourlyLog, routeItems } from '../../shared/triggers';
import { scoreTypeOf } from '../records/feedback';
import { surveyA } from '../service';
import type { SurveyAList } from './eventLists';
import { readSettings } from './fields';
import type { Settings } from './fields';
import { matches, outputOf, sampleRecords } from './items';
import type { Listed } from './items';

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
			return (await schedulePoll(context, surveyA.name, work)) ?? null;
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
 * seen. Each event has its own memory, and one that fails holds back no other.
 */
async function pollEvents(
	context: IPollFunctions,
	scheduled: ScheduledPoll,
	settings: Settings,
): Promise<Outputs> {
	const memory = new PollMemory(context);
	if (memory.isOutdated) return null;
	const client = new ApiClient(context, surveyA, scheduled.timeLimits, scheduled.signal);
	const { baseUrl, apiKey } = await readCredential(context, surveyA);
	const startDate = startDateOf(context, settings, memory.last);
	const lists = { ...memory.last?.lists };
	const until = newestOf(Object.values(lists));
	const start = { account: shortHash(`${baseUrl} ${apiKey}`), since: startDate.time, until };
	const polls: Array<ListPoll<SurveyAList>> = [];
	for (const list of settings.lists) {
		const poll = await new ListPoll(client, list, start, lists[list.value]).run();
		if (!poll.hasDates) warnOfDates(context, list);
		if (poll.state) lists[list.value] = poll.state;
		polls.push(poll);
	}
	if (scheduled.isSuperseded()) return null;
	const failed = polls.filter(({ failure }) => failure);
	if (scheduled.isPublishing) checkStarts(failed, startDate.time, scheduled.signal.aborted);
	const records = polls.flatMap((poll) => poll.records);
	const outputs = outputsOf(
		records.filter((record) => matches(record, settings.filters)),
		settings,
	);
	memory.remember({ startDate, lists }, outputs !== null);
	report(context, scheduled, failed, outputs);
	return outputs;
}

function newestOf(states: ListState[]): number | undefined {
	const dates = states.flatMap(({ until }) => until ?? []);
	return dates.length > 0 ? Math.max(...dates) : undefined;
}

/**
 * Fails a publishing that does not know where an event starts, or that the service refuses. One that is only cut off, or
 * rate limited, leaves a known event to the next poll.
 *
 * @throws Failure
 */
function checkStarts(failed: Array<ListPoll<SurveyAList>>, since: number, isCutOff: boolean): void {
	for (const { state, failure } of failed) {
		const mayFollow = isCutOff || failure?.status === 429;
		if (failure && !(mayFollow && (state || since))) throw failure;
	}
}

/**
 * Reports events that could not be read: in the log if others start a run or the workflow is being published.
 *
 * @throws Failure otherwise
 */
function report(
	context: IPollFunctions,
	{ isPublishing }: ScheduledPoll,
	failed: Array<ListPoll<SurveyAList>>,
	outputs: Outputs,
): void {
	for (const { failure } of failed) {
		if (!failure) continue;
		if (!isPublishing && outputs === null) throw failure;
		leaveToNextPoll(context, failure);
	}
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

/** Logs that an event cannot start the workflow, once an hour. */
function warnOfDates(
	context: IPollFunctions,
	{ value: event, dateField, request }: EventList,
): void {
	const problem = `no record of ${request.path} has a '${dateField}' that can be read, so '${event}' starts no run`;
	const message = `${problem}. Update this package, or ask Survey A whether its dates have changed`;
	// promise: unreadable-dates
	new HourlyLog(context).warn(`${context.getNode().name}: ${message}`);
}
