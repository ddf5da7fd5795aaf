import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { ApiClient, INTERACTIVE_TIME_LIMITS } from '../http/client';
import { readCredential } from '../http/credential';
import type { Service } from '../http/service';
import { storeCursor } from '../n8nInternals';
import { toNodeError } from '../nodeError';
import { recordsReader } from '../paging/pages';
import type { PageClient } from '../paging/pages';
import { inForm } from '../records';
import type { Form } from '../records';
import { HourlyLog } from '../triggers/hourlyLog';
import { flatItem } from '../triggers/items';
import { routeItems } from '../triggers/routing';
import { pollMemory, shortHash } from './memory';
import type { Memory } from './memory';
import { pollList } from './pollList';
import { dated, DEFAULT_WAIT_MINUTES } from './pollingTrigger';
import type { Dated, EventList, PollingTrigger, PollSettings } from './pollingTrigger';
import { leaveToNextPoll, schedulePoll } from './scheduler';
import type { ScheduledPoll } from './scheduler';

type ChosenSettings = PollSettings & { lists: EventList[]; isWanted(record: Dated): boolean };

type Outputs = INodeExecutionData[][] | null;

/**
 * Polls the service of a trigger.
 *
 * @returns the items of each output; null if there are none, and no run starts
 * @throws NodeApiError or NodeOperationError; nothing is lost, since the next poll reads the same records
 */
export async function poll(context: IPollFunctions, trigger: PollingTrigger): Promise<Outputs> {
	try {
		const { service } = trigger;
		const settings = readSettings(context, trigger);
		if (context.getMode() !== 'manual') {
			const work = async (scheduled: ScheduledPoll) =>
				await pollEvents(context, trigger, scheduled, settings);
			return (await schedulePoll(context, service.name, work)) ?? null;
		}
		const client = new ApiClient(context, service, INTERACTIVE_TIME_LIMITS);
		const records = await sampleRecords(client, settings);
		return outputsOf(records, trigger, settings, { sample: true });
	} catch (error) {
		const failure = Failure.from(error);
		throw toNodeError(context.getNode(), failure, failure.headline);
	}
}

/** Reads the node's parameters. @throws Failure for an invalid value, often of an expression */
function readSettings(context: IPollFunctions, trigger: PollingTrigger): ChosenSettings {
	const { read, lists, matches } = trigger;
	const settings = read(context);
	const { events, failures } = settings;
	if (events.length === 0) {
		failures.push(Failure.at('Trigger On', '', Failure.missing()));
	}
	const chosen = events.map((event) => {
		const list = lists.find(({ value }) => value === event);
		if (list) return list;
		const values = lists.map(({ value }) => value).join(', ');
		throw Failure.at('Trigger On', event, Failure.value(`must be one of: ${values}`));
	});
	if (failures.length > 0) throw Failure.all(failures);
	const isWanted = (record: Dated) => matches?.(record, settings.filters) ?? true;
	return { ...settings, lists: chosen, isWanted };
}

/**
 * Returns what is new since the last poll, oldest first for each event. What the filters hold back counts as
 * seen. Each event has its own memory, and one that fails holds back no other: the log has it if others start a run.
 *
 * @throws Failure of an event if none starts a run
 */
async function pollEvents(
	context: IPollFunctions,
	trigger: PollingTrigger,
	scheduled: ScheduledPoll,
	settings: ChosenSettings,
): Promise<Outputs> {
	const { last, isOutdated, remember } = pollMemory(context);
	if (isOutdated && !scheduled.isPublishing) return null;
	const { service } = trigger;
	const client = new ApiClient(context, service, scheduled.timeLimits, scheduled.signal);
	const { baseUrl, apiKey } = await readCredential(context, service);
	const startDate = startDateOf(context, settings, last);
	const account = shortHash(`${baseUrl} ${apiKey}`);
	const minutes = settings.options.waitForComment ?? DEFAULT_WAIT_MINUTES;
	const polls = await Promise.all(
		settings.lists.map(async (list) => {
			const wait = list.hasLateComment ? minutes * 60_000 : 0;
			const start = { account, startDate: startDate.time, wait };
			return await pollList(client, list, start, last?.lists[list.value]);
		}),
	);
	const lists = { ...last?.lists };
	for (const { list, states, hasDates } of polls) {
		if (!hasDates) warnOfDates(context, service, list);
		lists[list.value] = states;
	}
	if (scheduled.superseded.aborted) return null;
	// Publishing has to know where each event starts. During a rate limit, one that ran before is left to the next poll.
	const unread = polls.find(({ failure, hasCome, states }) => {
		return failure && !hasCome && !(failure.kind === 'rateLimited' && states.length > 0);
	});
	if (scheduled.isPublishing && unread?.failure) throw unread.failure;
	const records = polls.flatMap((poll) => poll.records);
	const wanted = records.filter(settings.isWanted);
	const outputs = outputsOf(wanted, trigger, settings);
	remember({ startDate, lists }, outputs !== null);
	if (scheduled.isPublishing && outputs === null) await storeCursor(context);
	for (const { list, failure } of polls) {
		if (!failure) continue;
		if (!scheduled.isPublishing && outputs === null) throw failure;
		leaveToNextPoll(context, failure.with({ message: `${list.name}: ${failure.message}` }));
	}
	return outputs;
}

/** Returns Start Date with the time that it stood for when the first poll read it. */
function startDateOf(
	context: IPollFunctions,
	{ options }: ChosenSettings,
	last?: Memory,
): Memory['startDate'] {
	const text = String(Object(context.getNode().parameters.options).startDate);
	if (last?.startDate.text === text) return last.startDate;
	return { text, time: options.startDate?.toMillis() };
}

/** Logs that an event cannot start the workflow, once an hour. */
function warnOfDates(
	context: IPollFunctions,
	service: Service,
	{ value: event, dateField, request }: EventList,
): void {
	const problem = `no record of ${request.path} has a '${dateField}' that can be read, so '${event}' starts no run`;
	const message = `${problem}. Update this package, or ask ${service.name} whether its dates have changed`;
	// promise: unreadable-dates
	new HourlyLog(context).warn(`${context.getNode().name}: ${message}`);
}

function outputsOf(
	records: Dated[],
	trigger: PollingTrigger,
	{ isByScoreType, form }: ChosenSettings,
	mark: IDataObject = { sample: undefined },
): Outputs {
	if (records.length === 0) return null;
	const scoreTypeOf = ({ data }: Dated) => trigger.scoreTypeOf?.(data);
	return routeItems(isByScoreType, records, scoreTypeOf).map((routed) =>
		routed.map((record) => ({ json: itemJson(record, form, mark) })),
	);
}

/**
 * Returns a record as the workflow gets it: simplified, or the whole one as `data`.
 *
 * @param mark the field `sample`, which says that a manual test brought it: nodes behind the trigger act on it. If it
 * is undefined, a record's own `sample` is renamed all the same
 * @internal
 */
export function itemJson(
	{ list, data }: Pick<Dated, 'list' | 'data'>,
	form: Form,
	mark: IDataObject = {},
): IDataObject {
	const { value: event, record } = list;
	const shown = record ? inForm(record, data, form) : data;
	return form.simplify === false
		? flatItem({ event, data: shown }, {}, mark)
		: flatItem({ event }, shown, mark);
}

/** How many records of each event a manual test shows, of so many newest ones. */
const SAMPLE_SIZE = 5;
const SEARCHED = 1000;

/** Returns the newest matching records of each event. @throws Failure if there are records, but none matches */
async function sampleRecords(
	client: PageClient,
	{ lists, isWanted }: ChosenSettings,
): Promise<Dated[]> {
	const sample: Dated[] = [];
	let searched = 0;
	for (const list of lists) {
		const records = await recordsReader(client)(list.request, list.recordsKey, SEARCHED);
		searched += records.length;
		const found = records.flatMap((data) => dated(list, data) ?? []).filter(isWanted);
		sample.push(...found.slice(0, SAMPLE_SIZE));
	}
	if (sample.length > 0 || searched === 0) return sample;
	throw new Failure(
		'failed',
		`None of the newest ${searched} records in ${client.service.name} matches the filters`,
		{ hint: 'Change the filters, or publish the workflow to wait for a matching record' },
	);
}
