import { readFileSync } from 'node:fs';

import type { Sandbox } from '../sandbox/index.ts';
import {
	rowsInto,
	type Host,
	type WorkflowInput,
	type WorkflowNode,
} from '../test/support/n8n.mts';
import { ROW, type Case, type Side } from './cases.mts';
import { mostInFlight, type Run } from './floor.mts';

/** The figures of one run. */
export interface Measure extends Run {
	/** The peak memory of n8n's process in MB. */
	peakMb: number;
}

const SAMPLE_MS = 25;

/** Runs one side of a case in n8n. Throws an error if rows are missing. */
export async function measure(
	host: Host,
	sandbox: Sandbox,
	{ service: letter, seed, rowsOut }: Case,
	side: Side,
	latency: number,
): Promise<Measure> {
	const service = sandbox[letter];
	service.reset();
	seed?.(sandbox);
	if (latency > 0) service.faults.add({ kind: { delayMs: latency }, times: Infinity });
	const id = await host.n8n.createWorkflow(workflowOf(host, side));
	const memory = new PeakMemory(host.n8n.pid);
	const execution = await host.n8n.run(id, { timeoutMs: 300_000 });
	const peakMb = memory.stop();
	if (execution.status !== 'success') throw new Error(`${side.name}: ${execution.error?.message}`);
	const last = side.splitOut ? 'Items' : 'Tested';
	const rows = execution.items(last).length;
	const expected = rowsOut ?? side.rows;
	if (rows !== expected)
		throw new Error(`${side.name}: ${rows} output rows instead of ${expected}`);
	const times = ['Tested', 'Items'].flatMap((name) => execution.nodes[name] ?? []);
	const ms = times.reduce((sum, { executionTime = 0 }) => sum + executionTime, 0);
	await host.n8n.request('DELETE', `/executions/${execution.id}`).catch(() => undefined);
	const arrivals = service.requests.map(({ at }) => at);
	const inFlight = mostInFlight(arrivals, latency);
	return { requests: arrivals.length, inFlight, seconds: ms / 1000, peakMb, rows };
}

function workflowOf({ credentials }: Host, { node, rows, splitOut }: Side): WorkflowInput {
	const { surveyAApi, surveyBApi } = credentials;
	const workflow = rowsInto({ ...node, credentials: { surveyAApi, surveyBApi } }, []);
	const list = workflow.nodes.find(({ name }) => name === 'List');
	if (list) {
		const array = `Array.from({ length: ${rows} }, (_, i) => ${ROW})`;
		list.parameters = { mode: 'raw', jsonOutput: `={{ { rows: ${array} } }}`, options: {} };
	}
	if (splitOut === undefined) return workflow;
	const items: WorkflowNode = {
		id: 'items',
		name: 'Items',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		position: [0, 0],
		parameters: { fieldToSplitOut: splitOut, options: {} },
	};
	return {
		...workflow,
		nodes: [...workflow.nodes, items],
		connections: {
			...workflow.connections,
			Tested: { main: [[{ node: 'Items', type: 'main', index: 0 }]] },
		},
	};
}

/** Samples the memory of a process. */
class PeakMemory {
	private peak = 0;
	private readonly timer: NodeJS.Timeout;

	constructor(private readonly pid: number | undefined) {
		this.sample();
		this.timer = setInterval(() => this.sample(), SAMPLE_MS);
	}

	stop(): number {
		clearInterval(this.timer);
		this.sample();
		return this.peak;
	}

	private sample(): void {
		this.peak = Math.max(this.peak, memoryMb(this.pid));
	}
}

/** Returns the memory of a process in MB; 0 if it has ended or the system is not Linux. */
export function memoryMb(pid: number | undefined): number {
	try {
		const status = readFileSync(`/proc/${pid}/status`, 'utf8');
		return Number(status.match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 1024;
	} catch {
		return 0;
	}
}

/** Returns the median run by seconds. */
export function median(measures: Measure[]): Measure {
	const sorted = [...measures].sort((one, other) => one.seconds - other.seconds);
	const middle = sorted[Math.floor(sorted.length / 2)];
	if (middle === undefined) throw new Error('There are no runs to take the median of');
	return middle;
}
