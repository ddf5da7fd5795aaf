import { N8nRequestError } from './client.mts';
import { ExecutionsClient } from './executions.mts';
import type {
	DynamicRequest,
	Execution,
	Listed,
	Listening,
	PublicationStatus,
	StoredWorkflow,
	WebhookDescription,
	WorkflowInput,
	WorkflowNode,
} from './types.mts';
import { until } from './until.mts';

const PUBLISH_TIMEOUT_MS = 90_000;

/** What a person does in the editor in the browser, by the same requests. */
export class Editor extends ExecutionsClient {
	async createCredential(type: string, name: string, data: Record<string, unknown>) {
		const made = await this.post<{ id: string; name: string }>('/credentials', {
			type,
			name,
			data,
		});
		return { id: made.id, name: made.name };
	}

	async updateCredential(id: string, type: string, name: string, data: Record<string, unknown>) {
		await this.request('PATCH', `/credentials/${id}`, { type, name, data });
	}

	async deleteCredential(id: string) {
		await this.request('DELETE', `/credentials/${id}`);
	}

	async credentials() {
		return await this.get<Array<{ id: string; name: string; type: string }>>('/credentials');
	}

	/** Presses "Test" in the credential's window, with what is stored or with `data` typed in. */
	async testCredential(id: string, data?: Record<string, unknown>) {
		// The stored secrets come blanked; n8n puts the real ones back where it gets the blanks.
		const stored = await this.get<{
			id: string;
			name: string;
			type: string;
			data: Record<string, unknown>;
		}>(`/credentials/${id}?includeData=true`);
		return await this.post<{ status: 'OK' | 'Error'; message: string }>('/credentials/test', {
			credentials: { id, name: stored.name, type: stored.type, data: { ...stored.data, ...data } },
		});
	}

	async workflows() {
		return await this.get<Array<{ id: string; name: string; active: boolean }>>('/workflows');
	}

	async workflow(id: string) {
		return await this.get<StoredWorkflow>(`/workflows/${id}`);
	}

	async createWorkflow(workflow: WorkflowInput) {
		// n8n 1 stores no new workflow that does not say so.
		const made = await this.post<StoredWorkflow>('/workflows', {
			active: false,
			...complete(workflow),
		});
		return made.id;
	}

	/** Saves. A workflow that is active keeps running in its old version until it is activated again. */
	async updateWorkflow(id: string, workflow: WorkflowInput) {
		await this.request('PATCH', `/workflows/${id}`, complete(workflow));
	}

	/** Deactivates, archives and deletes: n8n deletes only what is archived. */
	async deleteWorkflow(id: string) {
		if ((await this.workflow(id)).active) await this.deactivate(id);
		await this.post(`/workflows/${id}/archive`, {});
		await this.request('DELETE', `/workflows/${id}`);
	}

	/** Publishes the saved version and waits until its triggers really are registered. */
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

	/** Unpublishes and waits until its triggers really are taken away. */
	async deactivate(id: string) {
		await this.post(`/workflows/${id}/deactivate`, {});
		await this.settled(id, (state) => state.status === 'not_published');
	}

	async publicationStatus(id: string): Promise<PublicationStatus> {
		try {
			return await this.get<PublicationStatus>(`/workflows/${id}/publication-status`);
		} catch (error) {
			// An older n8n has no such status: there the triggers were registered before it answered.
			if (!(error instanceof N8nRequestError) || error.status !== 404) throw error;
			const { active, versionId } = await this.workflow(id);
			const status = active ? 'published' : 'not_published';
			return { status, liveVersionId: active ? versionId : null, triggers: [] };
		}
	}

	/**
	 * Runs a workflow by hand and waits for its end. It starts at `trigger`, by default the first trigger that
	 * needs no event from outside; a polling trigger polls once, in manual mode.
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

	/** Starts a run by hand and does not wait, so that it can be looked at or stopped on its way. */
	async start(workflowId: string, trigger?: string): Promise<string> {
		const name = trigger ?? (await this.manualTrigger(workflowId));
		const { executionId } = await this.startManually(workflowId, name);
		if (!executionId) throw new Error(`"${name}" waits for an event: use listenForTest`);
		return executionId;
	}

	/** Presses "Listen for test event" on a webhook trigger. It ends with the first event, or after two minutes. */
	async listenForTest(workflowId: string, node: string): Promise<Listening> {
		const started = await this.startManually(workflowId, node);
		if (!started.waitingForWebhook) throw new Error(`"${node}" does not wait for an event`);
		const url = await this.webhookUrl(workflowId, node, { test: true });
		return { url, stop: async () => await this.stopListening(workflowId) };
	}

	/** Where the events of a webhook trigger have to be sent. */
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

	/** A node type as the editor gets it. */
	async nodeType(type: string, version = 1) {
		const nodeInfos = [{ name: type, version }];
		const found = await this.post<
			Array<Record<string, unknown> & { webhooks?: WebhookDescription[] }>
		>('/node-types', { nodeInfos });
		if (!found[0]) throw new Error(`n8n does not know ${type}`);
		return found[0];
	}

	/** Opens the list of a resource locator. */
	async listSearch(request: DynamicRequest) {
		return await this.post<Listed>(
			'/dynamic-node-parameters/resource-locator-results',
			dynamicBody(request),
		);
	}

	/** Opens a drop-down whose options the node loads. */
	async loadOptions(request: DynamicRequest) {
		return await this.post<Listed['results']>(
			'/dynamic-node-parameters/options',
			dynamicBody(request),
		);
	}

	/** Lists the columns of a resource mapper. */
	async mapperColumns(request: DynamicRequest) {
		return await this.post<{ fields: Array<{ id: string; displayName: string }> }>(
			'/dynamic-node-parameters/resource-mapper-fields',
			dynamicBody(request),
		);
	}

	private async settled(id: string, accept: (state: PublicationStatus) => boolean) {
		const read = async () => await this.publicationStatus(id);
		const done = (state: PublicationStatus) => state.status !== 'in_progress' && accept(state);
		const state = await until(read, done, PUBLISH_TIMEOUT_MS);
		if (state) return state;
		const { status } = await read();
		throw new Error(`Workflow ${id} is still "${status}" after ${PUBLISH_TIMEOUT_MS / 1000} s`);
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
		return await this.post<{ executionId?: string; waitingForWebhook?: boolean }>(
			`/workflows/${workflowId}/run`,
			{
				// An older n8n runs what it is sent; a newer one what it has stored.
				workflowData: await this.workflow(workflowId),
				triggerToStartFrom: { name: trigger },
				...(destination ? { destinationNode: { nodeName: destination, mode: 'inclusive' } } : {}),
			},
		);
	}

	private async stopListening(workflowId: string) {
		await this.request('DELETE', `/test-webhook/${workflowId}`);
	}
}

/** n8n stores what it is given: what every workflow of the editor has is added here. */
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
