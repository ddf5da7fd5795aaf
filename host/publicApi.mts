import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import { send } from './client.mts';
import {
	complete,
	credentialSchema,
	listedWorkflowSchema,
	namedSchema,
	testResultSchema,
} from './editor.mts';
import { rawExecutionSchema, toExecution, untilEnded } from './executions.mts';
import type { Execution, WorkflowInput } from './types.mts';
import { until } from './until.mts';

const RUN_TIMEOUT_MS = 120_000;
/** The most that n8n lists in a page. */
const PAGE = 250;

const executionSchema = rawExecutionSchema.extend({ data: z.unknown() });
const listOf = <One extends z.ZodTypeAny>(one: One) => z.object({ data: z.array(one) });

/** A running n8n by its public API, with the names of the editor's actions. It runs workflows by a webhook. */
export class PublicN8n {
	/** The webhook path of each workflow that was created to be run. */
	private readonly paths = new Map<string, string>();
	private readonly created: string[] = [];

	constructor(
		readonly url: string,
		private readonly apiKey: string,
	) {}

	async credentials() {
		return (await this.request('GET', `/credentials?limit=${PAGE}`, listOf(credentialSchema))).data;
	}

	async createCredential(type: string, name: string, data: Record<string, unknown>) {
		const made = await this.request('POST', '/credentials', namedSchema, { type, name, data });
		this.created.push(`/credentials/${made.id}`);
		return made;
	}

	async updateCredential(id: string, type: string, name: string, data: Record<string, unknown>) {
		await this.request('PATCH', `/credentials/${id}`, z.unknown(), { type, name, data });
	}

	async testCredential(id: string) {
		return await this.request('POST', `/credentials/${id}/test`, testResultSchema);
	}

	async workflows() {
		return (await this.request('GET', `/workflows?limit=${PAGE}`, listOf(listedWorkflowSchema)))
			.data;
	}

	/** Creates a workflow. The public API starts none by hand, so a webhook takes the place of a manual trigger. */
	async createWorkflow(workflow: WorkflowInput) {
		const path = randomUUID();
		const { nodes, ...rest } = bodyOf(workflow);
		const isManual = ({ type }: { type: string }) => type === 'n8n-nodes-base.manualTrigger';
		const body = {
			...rest,
			nodes: nodes.map((node) =>
				isManual(node)
					? { ...node, type: 'n8n-nodes-base.webhook', webhookId: path, parameters: { path } }
					: node,
			),
		};
		const { id } = await this.request('POST', '/workflows', namedSchema, body);
		this.created.push(`/workflows/${id}`);
		if (nodes.some(isManual)) this.paths.set(id, path);
		return id;
	}

	async updateWorkflow(id: string, workflow: WorkflowInput) {
		await this.request('PUT', `/workflows/${id}`, z.unknown(), bodyOf(workflow));
	}

	/** Deletes all workflows and credentials that this object created. */
	async deleteCreated() {
		for (const path of this.created.splice(0)) await this.request('DELETE', path, z.unknown());
	}

	async activate(id: string) {
		await this.request('POST', `/workflows/${id}/activate`, z.unknown(), {});
	}

	async deactivate(id: string) {
		await this.request('POST', `/workflows/${id}/deactivate`, z.unknown(), {});
	}

	/** Publishes a workflow, runs it once, unpublishes it, and returns the execution. */
	async run(id: string): Promise<Execution> {
		const webhook = `${this.url}/webhook/${this.paths.get(id)}`;
		await this.activate(id);
		const call = async () => (await fetch(webhook)).status;
		const what = `The status of ${webhook}`;
		// n8n registers the webhook shortly after it responds.
		await until(call, (status) => status !== 404, { what, timeoutMs: RUN_TIMEOUT_MS });
		const [execution] = await this.waitForExecutions(id, 1, RUN_TIMEOUT_MS);
		await this.deactivate(id);
		if (!execution) throw new Error(`Workflow ${id} did not run`);
		return execution;
	}

	/** Returns all executions of a workflow with the output of their nodes, oldest first. */
	async executions(workflowId: string): Promise<Execution[]> {
		const path = `/executions?workflowId=${workflowId}&includeData=true&limit=${PAGE}`;
		const { data } = await this.request('GET', path, listOf(executionSchema));
		return data
			.map((raw) => toExecution(raw, raw.data ?? {}))
			.sort((one, other) => Number(one.id) - Number(other.id));
	}

	/** Waits until at least `count` executions have ended, and returns all that have ended. */
	async waitForExecutions(workflowId: string, count: number, timeoutMs = 30_000) {
		const read = async () => await this.executions(workflowId);
		return await untilEnded(read, workflowId, count, timeoutMs);
	}

	private async request<Schema extends z.ZodTypeAny>(
		method: string,
		path: string,
		schema: Schema,
		body?: unknown,
	): Promise<z.infer<Schema>> {
		const headers = { 'x-n8n-api-key': this.apiKey };
		return schema.parse((await send(method, `${this.url}/api/v1${path}`, headers, body)).json);
	}
}

/** Returns the fields of a workflow that the public API takes. */
function bodyOf(workflow: WorkflowInput) {
	const { name, nodes, connections, settings } = complete(workflow);
	return { name, nodes, connections, settings };
}

/**
 * Returns the n8n that `--n8n URL` names.
 *
 * @throws without its API key
 */
export function n8nByUrl(url: string): PublicN8n {
	const apiKey = process.env.N8N_API_KEY;
	if (!apiKey) throw new Error('Set N8N_API_KEY to an API key of that n8n (Settings → n8n API).');
	return new PublicN8n(url.replace(/\/+$/, ''), apiKey);
}
