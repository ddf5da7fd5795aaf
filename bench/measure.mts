import { readFileSync } from 'node:fs';

import type { Sandbox } from '../sandbox/index.ts';
import { rowsInto, type Host, type WorkflowInput } from '../test/support/n8n.mts';
import { ROW, type Case, type Side } from './cases.mts';

/** What one run of one side came to. */
export interface Measure {
	requests: number;
	/** Answers that said that there were too many. */
	refused: number;
	/** By n8n's own record: of the node, and of the one that makes items of its pages. */
	seconds: number;
	/** The most memory that n8n's process held meanwhile, in MB. */
	peakMb: number;
	rows: number;
}

const SAMPLE_MS = 25;

/** Has n8n do a case in one way. Fails where rows are missing or were sent twice. */
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
	const wanted = rowsOut ?? side.rows;
	if (rows !== wanted) throw new Error(`${side.name}: ${rows} rows came out, not ${wanted}`);
	const times = ['Tested', 'Items'].flatMap((name) => execution.nodes[name] ?? []);
	const ms = times.reduce((sum, { executionTime = 0 }) => sum + executionTime, 0);
	const refused = service.requests.filter(({ status }) => status === 429).length;
	await host.n8n.request('DELETE', `/executions/${execution.id}`).catch(() => undefined);
	return { requests: service.requests.length, refused, seconds: ms / 1000, peakMb, rows };
}

function workflowOf({ credentials }: Host, { node, rows, splitOut }: Side): WorkflowInput {
	const { surveyAApi, surveyBApi } = credentials;
	const workflow = rowsInto({ ...node, credentials: { surveyAApi, surveyBApi } }, []);
	const list = workflow.nodes.find(({ name }) => name === 'List');
	if (list) {
		const made = `Array.from({ length: ${rows} }, (_, i) => ${ROW})`;
		list.parameters = { mode: 'raw', jsonOutput: `={{ { rows: ${made} } }}`, options: {} };
	}
	if (splitOut === undefined) return workflow;
	const items = {
		id: 'items',
		name: 'Items',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		position: [0, 0] as [number, number],
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

/** Looks now and then at how much memory a process holds. */
class PeakMemory {
	private peak = 0;
	private readonly timer: NodeJS.Timeout;

	constructor(private readonly pid: number | undefined) {
		this.look();
		this.timer = setInterval(() => this.look(), SAMPLE_MS);
	}

	stop(): number {
		clearInterval(this.timer);
		this.look();
		return this.peak;
	}

	private look(): void {
		this.peak = Math.max(this.peak, memoryMb(this.pid));
	}
}

/** How much memory a process holds now, in MB; zero where the system does not tell. */
export function memoryMb(pid: number | undefined): number {
	try {
		const status = readFileSync(`/proc/${pid}/status`, 'utf8');
		return Number(status.match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 1024;
	} catch {
		// Not Linux, or the process has ended.
		return 0;
	}
}

/** The one in the middle, by time. */
export function median(measures: Measure[]): Measure {
	const sorted = [...measures].sort((one, other) => one.seconds - other.seconds);
	const middle = sorted[Math.floor(sorted.length / 2)];
	if (middle === undefined) throw new Error('Nothing was measured');
	return middle;
}
