// Compares this package with n8n's own HTTP Request node and with a lower bound: the same work, in the same real n8n,
// against the same sandbox, in turns. The sandbox counts the requests; the seconds are n8n's own record.
//
//     npm run bench                            three runs of everything; writes the table of docs/evidence/performance.md
//     npm run bench -- 'Send surveys (A)'      one case; prints the table
//     npm run bench -- --beside=old.tgz        this package beside another version of it, in an n8n of its own; prints the table
//     npm run bench -- --latency=500           a service that takes 500 ms to respond; prints the table
//     npm run bench -- --rows=20               a trial of the benchmark itself; prints the table
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { chain } from '../host/index.mts';
import { startSandbox, type Sandbox } from '../sandbox/index.ts';
import { builtPackage } from '../scripts/build.mts';
import { replaceBetween, table } from '../scripts/page.mts';
import { atEnd, ROOT, run, runMain, say } from '../scripts/processes.mts';
import { rowsInto, startHost, type Host, type WorkflowInput } from '../test/support/n8n.mts';
import { cases, HTTP_ROWS, type Case, type Node } from './cases.mts';
import { mostInFlight, roundsOfWaiting, type Run } from './floor.mts';

const DOC = join(ROOT, 'docs/evidence/performance.md');
const RUNS = 3;
const ROWS = 10_000;
/** The time that the sandbox takes to respond by default, in ms. */
const LATENCY = '25';

/** A case, and the time in ms that the sandbox takes to respond. */
type Work = Case & { latency: number };

/** One run of a node. */
interface Measure extends Run {
	seconds: number;
	/** Output rows. */
	rows: number;
}

async function main(): Promise<number> {
	const { values, positionals } = parseArgs({
		options: {
			rows: { type: 'string' },
			beside: { type: 'string' },
			latency: { type: 'string', default: LATENCY },
		},
		allowPositionals: true,
	});
	const tarball = process.env.SURVEYS_TARBALL ?? (await builtPackage());
	const sandbox = await startSandbox();
	atEnd(async () => await sandbox.close());
	const host = await started(sandbox, tarball);
	const { beside, latency } = values;
	const old = beside === undefined ? undefined : await started(sandbox, resolve(beside));
	const [only] = positionals;
	const lines: string[][] = [];
	const all = cases(sandbox, Number(values.rows ?? ROWS));
	for (const work of all.map((item) => ({ ...item, latency: Number(latency) }))) {
		if (only !== undefined && work.name !== only) continue;
		lines.push(await (old ? besideOf(old, host, sandbox, work) : lineOf(host, sandbox, work)));
	}
	const head = old
		? ['Work', 'The other', 'Of the floor', 'This package', 'Of the floor']
		: ['Work', 'HTTP Request node', 'This package', 'Faster, per row', 'Of the floor'];
	const text = `Medians of ${RUNS} runs; ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}.\n\n${table(head, lines)}`;
	if (only !== undefined || values.rows !== undefined || latency !== LATENCY || old) {
		console.log(text);
		return 0;
	}
	replaceBetween(DOC, ['<!-- summary -->', '<!-- /summary -->'], () => text);
	return await run('prettier', ['--write', DOC]);
}

/** Starts an n8n with a packed package. */
async function started(sandbox: Sandbox, tarball: string): Promise<Host> {
	process.env.SURVEYS_TARBALL = tarball;
	const host = await startHost(sandbox);
	atEnd(async () => await host.end());
	return host;
}

/** Runs a case in turns, so that a slow phase of the machine affects both sides. */
async function lineOf(host: Host, sandbox: Sandbox, work: Work): Promise<string[]> {
	const all: Record<'http' | 'ours', Measure[]> = { http: [], ours: [] };
	for (let count = 0; count < RUNS; count++) {
		const httpRows = Math.min(work.rows, HTTP_ROWS);
		all.http.push(await measure(host, sandbox, work, work.http, httpRows, work.splitOut));
		all.ours.push(await measure(host, sandbox, work, work.ours, work.rows));
	}
	const [best, other] = [medianOf(all.ours), medianOf(all.http)];
	const faster = other.seconds / other.rows / (best.seconds / best.rows);
	say(`${work.name}: ${best.seconds.toFixed(2)} s`);
	return [work.name, summary(other), summary(best), `${faster.toFixed(1)} ×`, ofFloor(best, work)];
}

/** Runs a case with two versions of this package in turns. */
async function besideOf(other: Host, host: Host, sandbox: Sandbox, work: Work) {
	const all: Measure[][] = [[], []];
	for (let count = 0; count < RUNS; count++) {
		for (const [i, one] of [other, host].entries())
			all[i]?.push(await measure(one, sandbox, work, work.ours, work.rows));
	}
	const medians = all.map(medianOf);
	return [work.name, ...medians.flatMap((one) => [summary(one), ofFloor(one, work)])];
}

/** Returns how many times the waits for the service a run took. */
function ofFloor(run: Measure, { sequential, latency }: Work): string {
	const floor = (roundsOfWaiting(run, sequential) * latency) / 1000;
	return (run.seconds / floor).toFixed(2);
}

function summary({ rows, requests, seconds }: Measure): string {
	const [some, sent] = [rows, requests].map((value) => value.toLocaleString('en'));
	return `${some} rows: ${sent} requests, ${seconds.toFixed(1)} s`;
}

function medianOf(all: Measure[]): Measure {
	const sorted = [...all].sort((one, other) => one.seconds - other.seconds);
	const middle = sorted[Math.floor(sorted.length / 2)];
	if (middle === undefined) throw new Error('There are no runs to take the median of');
	return middle;
}

/** Runs a node in n8n. Throws an error if rows are missing. */
async function measure(
	host: Host,
	sandbox: Sandbox,
	{ service: letter, rowsOut, columns, latency }: Work,
	node: Node,
	rowsIn: number,
	splitOut?: string,
): Promise<Measure> {
	const service = sandbox[letter];
	service.reset();
	if (rowsOut) service.seedFeedback(rowsOut - service.state.feedback.length);
	service.faults.add({ kind: { delayMs: latency }, times: Infinity });
	const id = await host.n8n.createWorkflow(
		workflowOf(host, node, rowsOf(rowsIn, columns), splitOut),
	);
	const execution = await host.n8n.run(id, { timeoutMs: 300_000 });
	const last = splitOut ? 'Items' : 'Tested';
	const rows = execution.items(last).length;
	const expected = rowsOut ?? rowsIn;
	if (execution.status !== 'success' || rows !== expected) {
		const why = execution.error?.message ?? `${rows} output rows instead of ${expected}`;
		throw new Error(`${node.type}: ${why}`);
	}
	const times = ['Tested', 'Items'].flatMap((name) => execution.nodes[name] ?? []);
	const ms = times.reduce((sum, { executionTime = 0 }) => sum + executionTime, 0);
	await host.n8n.deleteWorkflow(id);
	const arrivals = service.requests.map(({ at }) => at);
	const inFlight = mostInFlight(arrivals, latency);
	return { requests: arrivals.length, inFlight, seconds: ms / 1000, rows };
}

/** Returns input rows, as an expression. */
const rowsOf = (rows: number, columns: string) =>
	`Array.from({ length: ${rows} }, (_, i) => (${columns}))`;

function workflowOf({ credentials }: Host, node: Node, rows: string, splitOut?: string) {
	const workflow: WorkflowInput = rowsInto({ ...node, credentials }, []);
	const list = workflow.nodes.find(({ name }) => name === 'List');
	if (list) list.parameters = { mode: 'raw', jsonOutput: `={{ { rows: ${rows} } }}`, options: {} };
	if (splitOut === undefined) return workflow;
	workflow.nodes.push({
		name: 'Items',
		type: 'n8n-nodes-base.splitOut',
		parameters: { fieldToSplitOut: splitOut, options: {} },
	});
	Object.assign(workflow.connections, chain('Tested', 'Items'));
	return workflow;
}

await runMain(main);
