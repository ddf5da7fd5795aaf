import fc from 'fast-check';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { onItsOwnClock } from '../support/clock.mts';
import { runNode } from '../support/engine';
import type { NodeResult } from '../support/engine';
import { SEED } from '../support/random.mts';
import { errorOf } from '../support/samples';
import {
	fateOf,
	isAddressOnly,
	isEach,
	isSend,
	parametersOf,
	plans,
	rowsOf,
} from './actionsPlan.mts';
import type { Plan, Row } from './actionsPlan.mts';
import { SimulatedService } from './actionsService.mts';
import type { SeenRequest } from './actionsService.mts';

// Runs random actions against a service that misbehaves at random, and checks rules that always apply.
// SIMULATE_RUNS=10000 npx jest test/simulate/actions runs more cases; SURVEYS_SEED=7 runs others.

const RUNS = Number(process.env.SIMULATE_RUNS ?? 150);

const service = new SimulatedService();

beforeAll(async () => await service.start());
afterAll(async () => await service.close());

let runNumber = 0;

interface Simulated {
	plan: Plan;
	rows: Row[];
	seen: SeenRequest[];
	result: NodeResult;
	/** `Date.now()` of the cancellation. */
	cancelledAt?: number;
}

async function simulate(plan: Plan): Promise<Simulated> {
	const rows = rowsOf(plan);
	const node = plan.operation.startsWith('a.') ? 'surveyA' : 'surveyB';
	let cancelledAt: number | undefined;
	let cancel = () => {};
	const result = await onItsOwnClock(async () => {
		service.begin(plan, rows, (count) => {
			if (count !== plan.cancelAt) return;
			cancelledAt = Date.now();
			cancel();
		});
		return await runNode({
			node,
			parameters: parametersOf(plan),
			input: rows.map((row) => ({ ...row })),
			// A new key, so that no run waits for a pause of the last one.
			credential: {
				baseUrl: service.url,
				apiKey: `simulated-key-${runNumber++}`,
				requestsPerMinute: plan.requestsPerMinute,
			},
			onError: plan.onError,
			maxTries: plan.tries > 1 ? plan.tries : undefined,
			onStart: (stop) => (cancel = stop),
		});
	});
	return { plan, rows, seen: [...service.seen], result, cancelledAt };
}

interface Outcome {
	item: number;
	json: IDataObject;
	error?: string;
}

function outcomesOf({ result }: Simulated): Outcome[] {
	return result.output.flat().map(({ json, pairedItem }) => ({
		item: itemOf(pairedItem),
		json,
		error: errorOf(json),
	}));
}

function itemOf(paired: INodeExecutionData['pairedItem']): number {
	return typeof paired === 'object' && 'item' in paired ? paired.item : -1;
}

/** Checks a run. @throws an error whose message is the broken rule */
function check(run: Simulated): void {
	neverSendsTwice(run);
	writesNothingInADryRun(run);
	staysWithinItsRequests(run);
	if (run.cancelledAt !== undefined) return sendsNothingAfterCancelling(run);
	if (run.plan.onError === 'stopWorkflow') {
		sendsNothingAfterAFailure(run);
		if (run.result.error) return blamesARow(run);
	}
	if (run.result.error) throw new Error(`the run failed: ${run.result.error.message}`);
	givesEachItemOnceInOrder(run);
	for (const outcome of outcomesOf(run)) checkOutcome(run, outcome);
}

function neverSendsTwice({ plan, rows, seen }: Simulated): void {
	if (!isSend(plan.operation)) return;
	const sent = seen
		.filter(({ isApplied }) => isApplied)
		.flatMap(({ items, refuses }) => items.filter((item) => !refuses.includes(item)));
	const keys = sent.map((item) => (plan.skipDuplicates ? rows[item]?.email : String(item)));
	if (new Set(keys).size < keys.length) throw new Error('a survey was sent twice');
}

function writesNothingInADryRun({ plan, rows, seen }: Simulated): void {
	const sent = seen.flatMap(({ items }) => items);
	const isDry = (item: number) =>
		isAddressOnly(plan.operation)
			? rows.every(({ email, dryRun }) => dryRun || email !== rows[item]?.email)
			: rows[item]?.dryRun;
	if (sent.some(isDry)) throw new Error('a dry row was written');
}

/** In each try, a batch of n rows takes 2n requests at most. */
function staysWithinItsRequests({ plan, rows, seen }: Simulated): void {
	const most = plan.tries * 2 * rows.length + 4 * plan.faults.length;
	if (seen.length > most) throw new Error(`${seen.length} requests for ${rows.length} rows`);
}

function sendsNothingAfterCancelling({ seen, cancelledAt = Infinity }: Simulated): void {
	if (seen.some(({ at }) => at > cancelledAt)) throw new Error('a cancelled run sent a request');
}

/** The first refused row ends the run. Rows in flight may arrive at the same moment. */
function sendsNothingAfterAFailure({ plan, seen, rows }: Simulated): void {
	if (plan.tries > 1) return;
	const failure = seen.findIndex(
		({ refuses, isFaulty }) => !isFaulty && refuses.some((item) => !isSkipped(plan, rows[item])),
	);
	const { at = Infinity } = seen[failure] ?? {};
	const later = seen.slice(failure + 1);
	if (failure < 0) return;
	const isLate = isEach(plan.operation) ? later.some((one) => one.at > at) : later.length > 0;
	if (isLate) throw new Error('a request went out after the failure that stops the run');
}

/** The error of a stopped run is about a row that the service did not accept. */
function blamesARow(run: Simulated): void {
	const { error } = run.result;
	const [, item] = error?.message.match(/\[item (\d+)\]/) ?? [];
	if (run.rows.length === 1) return checkOutcome(run, { item: 0, json: {}, error: error?.message });
	if (item === undefined) throw new Error(`the error names no row: ${error?.message}`);
	checkOutcome(run, { item: Number(item), json: {}, error: error?.message });
}

function givesEachItemOnceInOrder(run: Simulated): void {
	const items = run.result.output.map((output) =>
		output.map(({ pairedItem }) => itemOf(pairedItem)),
	);
	for (const output of items) {
		if (output.some((item, place) => place > 0 && item <= (output[place - 1] ?? -1))) {
			throw new Error('items are out of order');
		}
	}
	const all = items.flat().sort((a, b) => a - b);
	if (all.length !== run.rows.length || all.some((item, place) => item !== place)) {
		throw new Error(`${all.length} items came out for ${run.rows.length} rows`);
	}
}

function isSkipped({ operation }: Plan, row?: Row): boolean {
	return (
		row !== undefined &&
		isSend(operation) &&
		row.ineligible === 'skip' &&
		fateOf(operation, row) === 'ineligible'
	);
}

function checkOutcome(run: Simulated, { item, json, error }: Outcome): void {
	const { plan, rows } = run;
	const row = rows[item];
	if (row === undefined) throw new Error(`no row ${item}`);
	const skip = skipsOf(run)[item];
	if (skip !== undefined) {
		if (error !== undefined || !String(json.reason).startsWith(skip)) {
			throw new Error(`a row was not skipped: ${skip}`);
		}
		return;
	}
	if (row.dryRun) {
		if (error !== undefined || json.dryRun !== true) throw new Error('a dry row failed');
		return;
	}
	const first = standsFor(run, row);
	const fate = fateOf(plan.operation, first);
	const requests = requestsOf(run, first);
	const isTouched = requests.some(({ isFaulty }) => isFaulty);
	if (error !== undefined) {
		if (isTouched || fate === 'bad') return;
		if (fate === 'ineligible') {
			if (isSkipped(plan, first)) throw new Error(`an ineligible row failed: ${error}`);
			return;
		}
		if (confirmationsOf(run, first).includes(false)) return;
		throw new Error(`a good row failed: ${error}`);
	}
	if (json.status === 'skipped') {
		if (!isSkipped(plan, first)) throw new Error('a row was skipped for no reason');
		return;
	}
	if (fate !== 'good') throw new Error(`a ${fate} row came out as a success`);
	if (json.confirmed !== false && !confirmationsOf(run, first).includes(true)) {
		throw new Error('a row came out as a success that the service did not confirm');
	}
}

/** Returns the reasons for rows that the node itself skips. */
function skipsOf({ plan, rows }: Simulated): Array<string | undefined> {
	if (!isSend(plan.operation)) return [];
	const firsts = new Map<string, number>();
	const admitted = { true: 0, false: 0 };
	return rows.map(({ email, dryRun }, item) => {
		const key = `${dryRun} ${email}`;
		const first = plan.skipDuplicates ? firsts.get(key) : undefined;
		if (first !== undefined) return `Same email as item ${first}`;
		if (admitted[`${dryRun}`] >= plan.sendAtMost) return `'Send at Most'`;
		admitted[`${dryRun}`]++;
		firsts.set(key, item);
		return undefined;
	});
}

/** Returns the row that stands for an address in operations that send addresses only. */
function standsFor({ plan, rows }: Simulated, row: Row): Row {
	if (!isAddressOnly(plan.operation)) return row;
	return rows.find(({ email }) => email === row.email) ?? row;
}

function requestsOf({ seen }: Simulated, row: Row): SeenRequest[] {
	return seen.filter(({ items }) => items.includes(Number(row.lastName)));
}

/** Returns for each applied request with a row whether the response named the row. Rows of one address share requests. */
function confirmationsOf(run: Simulated, row: Row): boolean[] {
	return requestsOf(run, row)
		.filter(({ isApplied }) => isApplied)
		.map(({ confirms }) => confirms.includes(Number(row.lastName)));
}

test('random actions carry out exactly what their rows ask for, and report it, with any behavior of the service', async () => {
	await fc.assert(
		fc.asyncProperty(plans, async (plan) => check(await simulate(plan))),
		{ numRuns: RUNS, seed: SEED },
	);
}, 86_400_000);
