import { z } from 'zod';

import { N8nRequestError } from './client.mts';
import { ExecutionsClient } from './executions.mts';
import type {
	DynamicRequest,
	Execution,
	Listening,
	PublicationStatus,
	WebhookDescription,
	WorkflowInput,
	WorkflowNode,
} from './types.mts';
import {
	listedSchema,
	publicationStatusSchema,
	storedWorkflowSchema,
	webhookDescriptionSchema,
} from './types.mts';
import { until } from './until.mts';

const PUBLISH_TIMEOUT_MS = 90_000;

const namedSchema = z.object({ id: z.string(), name: z.string() });
const credentialSchema = namedSchema.extend({ type: z.string() });
const decryptedSchema = credentialSchema.extend({ data: z.record(z.unknown()) });
const testResultSchema = z.object({ status: z.enum(['OK', 'Error']), message: z.string() });
const listedWorkflowSchema = namedSchema.extend({ active: z.boolean() });
const nodeTypeSchema = z
	.object({ webhooks: z.array(webhookDescriptionSchema).optional() })
	.passthrough();
const mapperSchema = z.object({
	fields: z.array(z.object({ id: z.string(), displayName: z.string() })),
});
const startedSchema = z.object({
	executionId: z.string().optional(),
	waitingForWebhook: z.boolean().optional(),
});

/** The actions of a user in the editor, by the requests that the editor makes. */
export class Editor extends ExecutionsClient {
	async createCredential(type: string, name: string, data: Record<string, unknown>) {
		return await this.post('/credentials', { type, name, data }, namedSchema);
	}

	async updateCredential(id: string, type: string, name: string, data: Record<string, unknown>) {
		await this.request('PATCH', `/credentials/${id}`, { type, name, data });
	}

	async deleteCredential(id: string) {
		await this.request('DELETE', `/credentials/${id}`);
	}

	async credentials() {
		return await this.get('/credentials', z.array(credentialSchema));
	}

	/** Tests a credential as the editor does, with the stored data or with `data` typed in. */
	async testCredential(id: string, data?: Record<string, unknown>) {
		// n8n returns secrets as blanks, and replaces the blanks by the stored secrets.
		const stored = await this.get(`/credentials/${id}?includeData=true`, decryptedSchema);
		const credentials = {
			id,
			name: stored.name,
			type: stored.type,
			data: { ...stored.data, ...data },
		};
		return await this.post('/credentials/test', { credentials }, testResultSchema);
	}

	async deleteDataTables() {
		const { id } = await this.get('/projects/personal', z.object({ id: z.string() }));
		const path = `/projects/${id}/data-tables`;
		const { data } = await this.get(path, z.object({ data: z.array(namedSchema) }));
		for (const table of data) await this.request('DELETE', `${path}/${table.id}`);
	}

	async workflows() {
		return await this.get('/workflows', z.array(listedWorkflowSchema));
	}

	async workflow(id: string) {
		return await this.get(`/workflows/${id}`, storedWorkflowSchema);
	}

	async createWorkflow(workflow: WorkflowInput) {
		// n8n 1 requires `active` in a new workflow.
		const body = { active: false, ...complete(workflow) };
		return (await this.post('/workflows', body, namedSchema)).id;
	}

	/** Saves a workflow. A published one keeps running in its old version until it is published again. */
	async updateWorkflow(id: string, workflow: WorkflowInput) {
		await this.request('PATCH', `/workflows/${id}`, complete(workflow));
	}

	/** Unpublishes, archives and deletes a workflow. n8n deletes archived workflows only. */
	async deleteWorkflow(id: string) {
		if ((await this.workflow(id)).active) await this.deactivate(id);
		await this.post(`/workflows/${id}/archive`, {});
		await this.request('DELETE', `/workflows/${id}`);
	}

	/** Publishes the saved version and waits until its triggers are registered. */
	async activate(id: string) {
		const { versionId } = await this.workflow(id);
		await this.post(`/workflows/${id}/activate`, { versionId });
		const state = await this.settled(
			id,
			(s) => s.liveVersionId === versionId || s.status !== 'published',
		);
		if (state.status === 'published') return;
		const reasons = state.triggers.map((trigger) => trigger.errorMessage).filter(Boolean);
		throw new Error(`The workflow was not activated (${state.status}): ${reasons.join('; ')}`);
	}

	/** Unpublishes a workflow and waits until its triggers are removed. */
	async deactivate(id: string) {
		await this.post(`/workflows/${id}/deactivate`, {});
		await this.settled(id, (state) => state.status === 'not_published');
	}

	async publicationStatus(id: string): Promise<PublicationStatus> {
		try {
			return await this.get(`/workflows/${id}/publication-status`, publicationStatusSchema);
		} catch (error) {
			// An older n8n has no such status: it responds after it has registered the triggers.
			if (!(error instanceof N8nRequestError) || error.status !== 404) throw error;
			const { active, versionId } = await this.workflow(id);
			const status = active ? 'published' : 'not_published';
			return { status, liveVersionId: active ? versionId : null, triggers: [] };
		}
	}

	/**
	 * Runs a workflow manually and waits for its end. It starts at `trigger`, by default the first trigger that
	 * needs no external event. A polling trigger polls once.
	 */
	async run(
		workflowId: string,
		options: { trigger?: string; destination?: string; timeoutMs?: number } = {},
	): Promise<Execution> {
		const name = options.trigger ?? (await this.manualTrigger(workflowId));
		const started = await this.startManually(workflowId, name, options.destination);
		if (!started.executionId) {
			await this.stopListening(workflowId);
			throw new Error(`"${name}" waits for an event: use listenForTest`);
		}
		return await this.ended(started.executionId, options.timeoutMs);
	}

	/** Starts a manual run without waiting for its end. */
	async start(workflowId: string, trigger?: string): Promise<string> {
		const name = trigger ?? (await this.manualTrigger(workflowId));
		const { executionId } = await this.startManually(workflowId, name);
		if (!executionId) throw new Error(`"${name}" waits for an event: use listenForTest`);
		return executionId;
	}

	/** Listens for a test event on a webhook trigger, until the first event or for two minutes. */
	async listenForTest(workflowId: string, node: string): Promise<Listening> {
		const started = await this.startManually(workflowId, node);
		if (!started.waitingForWebhook) throw new Error(`"${node}" does not wait for an event`);
		const url = await this.webhookUrl(workflowId, node, { test: true });
		return { url, stop: async () => await this.stopListening(workflowId) };
	}

	/** Returns the URL that receives the events of a webhook trigger. */
	async webhookUrl(
		workflowId: string,
		node: string,
		options: { test?: boolean; webhook?: string } = {},
	) {
		const workflow = await this.workflow(workflowId);
		const found = workflow.nodes.find(({ name }) => name === node);
		if (!found) throw new Error(`No node "${node}" in workflow ${workflowId}`);
		const type = await this.nodeType(found.type, found.typeVersion);
		const wanted = options.webhook ?? 'default';
		const description = type.webhooks?.find(({ name }) => name === wanted);
		if (!description) throw new Error(`"${node}" has no webhook "${wanted}"`);
		const base = `${this.url}/${options.test ? 'webhook-test' : 'webhook'}`;
		return `${base}/${webhookPath(workflowId, found, description)}`;
	}

	/** Returns the description of a node type. */
	async nodeType(type: string, version = 1) {
		const nodeInfos = [{ name: type, version }];
		const [found] = await this.post('/node-types', { nodeInfos }, z.array(nodeTypeSchema));
		if (!found) throw new Error(`n8n does not know ${type}`);
		return found;
	}

	/** Returns the list of a resource locator. */
	async listSearch(request: DynamicRequest) {
		const path = '/dynamic-node-parameters/resource-locator-results';
		return await this.post(path, dynamicBody(request), listedSchema);
	}

	/** Lists the columns of a resource mapper. */
	async mapperColumns(request: DynamicRequest) {
		const path = '/dynamic-node-parameters/resource-mapper-fields';
		return await this.post(path, dynamicBody(request), mapperSchema);
	}

	private async settled(id: string, accept: (state: PublicationStatus) => boolean) {
		const read = async () => {
			const state = await this.publicationStatus(id);
			// n8n 2.41 reads its queue and the triggers apart: a publication that ends in between looks like none.
			return state.status === 'not_published' ? await this.publicationStatus(id) : state;
		};
		const done = (state: PublicationStatus) => state.status !== 'in_progress' && accept(state);
		return await until(read, done, { what: `Workflow ${id}`, timeoutMs: PUBLISH_TIMEOUT_MS });
	}

	private async manualTrigger(workflowId: string) {
		const { nodes } = await this.workflow(workflowId);
		const types = [
			'n8n-nodes-base.manualTrigger',
			'n8n-nodes-base.scheduleTrigger',
			'n8n-nodes-base.executeWorkflowTrigger',
		];
		const found = nodes.find(({ type }) => types.includes(type));
		if (!found) throw new Error(`Workflow ${workflowId} has no trigger to start by hand: name one`);
		return found.name;
	}

	private async startManually(workflowId: string, trigger: string, destination?: string) {
		const body = {
			// Older versions of n8n run the workflow that they receive, newer ones the stored one.
			workflowData: await this.workflow(workflowId),
			triggerToStartFrom: { name: trigger },
			...(destination ? { destinationNode: { nodeName: destination, mode: 'inclusive' } } : {}),
		};
		return await this.post(`/workflows/${workflowId}/run`, body, startedSchema);
	}

	private async stopListening(workflowId: string) {
		await this.request('DELETE', `/test-webhook/${workflowId}`);
	}
}

/** Adds the fields that the editor saves with every workflow. */
function complete(workflow: WorkflowInput) {
	const { name, nodes, connections, settings, pinData } = workflow;
	return {
		name,
		connections,
		pinData,
		settings: settings ?? { executionOrder: 'v1' },
		nodes: nodes.map((node, index) => ({
			id: `node-${index}`,
			typeVersion: 1,
			position: [index * 220, 0],
			parameters: {},
			...node,
		})),
	};
}

function webhookPath(workflowId: string, node: WorkflowNode, description: WebhookDescription) {
	const fromParameter = description.path.startsWith('=');
	const path = String(fromParameter ? (node.parameters?.path ?? '') : description.path);
	if (!node.webhookId)
		return `${workflowId}/${encodeURIComponent(node.name.toLowerCase())}/${path}`;
	return description.isFullPath ? path || node.webhookId : `${node.webhookId}/${path}`;
}

function dynamicBody(request: DynamicRequest) {
	return {
		path: request.path ?? 'parameters',
		nodeTypeAndVersion: { name: request.type, version: request.version ?? 1 },
		methodName: request.method,
		currentNodeParameters: request.parameters ?? {},
		credentials: request.credentials,
		filter: request.filter,
		paginationToken: request.paginationToken,
	};
}
