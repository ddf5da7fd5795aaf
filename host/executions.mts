import { parse } from 'flatted';
import { z } from 'zod';

import { N8nClient, N8nRequestError } from './client.mts';
import { nodeRunSchema, runErrorSchema, type Execution } from './types.mts';
import { until } from './until.mts';

const summarySchema = z.object({ id: z.string(), status: z.string() });
const summariesSchema = z.object({
	results: z.array(summarySchema),
	nextCursor: z.string().nullish(),
});

type Summary = z.infer<typeof summarySchema>;

export const rawExecutionSchema = z.object({
	id: z.union([z.string(), z.number()]),
	workflowId: z.string(),
	status: z.string(),
	mode: z.string(),
	startedAt: z.string().nullish(),
	stoppedAt: z.string().nullish(),
});

const storedExecutionSchema = rawExecutionSchema.extend({ data: z.string().nullish() });

const runDataSchema = z.object({
	resultData: z
		.object({
			error: runErrorSchema.optional(),
			lastNodeExecuted: z.string().optional(),
			runData: z.record(z.array(nodeRunSchema)).optional(),
		})
		.optional(),
});

const RUN_TIMEOUT_MS = 120_000;
const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

/** Waits until `read` returns at least `count` executions that have ended, and returns those. */
export async function untilEnded<One extends { status: string }>(
	read: () => Promise<One[]>,
	workflowId: string,
	count: number,
	timeoutMs: number,
): Promise<One[]> {
	const ended = async () => (await read()).filter(({ status }) => !UNFINISHED.includes(status));
	const what = `The list of ended executions of workflow ${workflowId}`;
	return await until(ended, (list) => list.length >= count, { what, timeoutMs });
}

/** Reads executions with the output of their nodes. */
export class ExecutionsClient extends N8nClient {
	/** Returns all executions of a workflow with the output of their nodes, oldest first. */
	async executions(workflowId: string): Promise<Execution[]> {
		const found = await this.summaries(workflowId);
		return await Promise.all(found.map(async ({ id }) => await this.execution(id)));
	}

	async execution(id: string): Promise<Execution> {
		const raw = await this.get(`/executions/${id}`, storedExecutionSchema);
		// A new execution has no run data yet.
		return toExecution(raw, (raw.data && parse(raw.data)) || {});
	}

	/** Waits until at least `count` executions have ended, and returns all that have ended. */
	async waitForExecutions(workflowId: string, count: number, timeoutMs = 30_000) {
		const read = async () => await this.summaries(workflowId);
		const ended = await untilEnded(read, workflowId, count, timeoutMs);
		return await Promise.all(ended.map(async ({ id }) => await this.ended(id)));
	}

	/** Waits until an execution of a workflow waits for an answer. */
	async waitUntilWaiting(workflowId: string) {
		const statuses = async () => (await this.summaries(workflowId)).map(({ status }) => status);
		const what = `The status of the executions of workflow ${workflowId}`;
		await until(statuses, (list) => list.includes('waiting'), { what });
	}

	async stopExecution(id: string) {
		await this.post(`/executions/${id}/stop`, {});
	}

	/** Waits for the end of a running execution. */
	async ended(executionId: string, timeoutMs = RUN_TIMEOUT_MS): Promise<Execution> {
		const read = async () => await this.execution(executionId).catch(ignoreNotReady);
		const isDone = (execution?: Execution): execution is Execution =>
			execution !== undefined && !UNFINISHED.includes(execution.status) && hasData(execution);
		return await until(read, isDone, { what: `Execution ${executionId}`, timeoutMs });
	}

	private async summaries(workflowId: string): Promise<Summary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const found: Summary[] = [];
		let cursor: string | undefined;
		do {
			const next = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
			const page = await this.get(`/executions?limit=100&filter=${filter}${next}`, summariesSchema);
			found.push(...page.results);
			cursor = page.nextCursor ?? undefined;
		} while (cursor);
		return [...new Map(found.map((summary) => [summary.id, summary])).values()].sort(
			(a, b) => Number(a.id) - Number(b.id),
		);
	}
}

/** n8n 1.123 stores that a run succeeded before it stores what its nodes returned. */
function hasData({ status, lastNode }: Execution): boolean {
	return status !== 'success' || lastNode !== undefined;
}

/**
 * Ignores errors of n8n while an execution is stored. n8n reports its database as unavailable while it stores a large run,
 * and n8n 2.20 cannot show a running execution because its data is still missing.
 */
function ignoreNotReady(error: unknown): undefined {
	const isEarly =
		error instanceof N8nRequestError &&
		(error.status === 503 || (error.status === 500 && error.message.includes("'resultData'")));
	if (!isEarly) throw error;
	return undefined;
}

/** @param data what n8n stores of the run */
export function toExecution(raw: z.infer<typeof rawExecutionSchema>, data: unknown): Execution {
	const { resultData } = runDataSchema.parse(data);
	const nodes = resultData?.runData ?? {};
	return {
		id: String(raw.id),
		workflowId: raw.workflowId,
		status: raw.status,
		mode: raw.mode,
		startedAt: raw.startedAt ?? null,
		stoppedAt: raw.stoppedAt ?? null,
		lastNode: resultData?.lastNodeExecuted,
		error: resultData?.error,
		nodes,
		items: (node, output = 0) => (nodes[node] ?? []).flatMap((run) => run.outputs[output] ?? []),
	};
}
