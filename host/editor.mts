import { z } from 'zod';

import { N8nRequestError } from './client.mts';
import { ExecutionsClient } from './executions.mts';
import { storedWorkflowSchema, type Execution, type WorkflowInput } from './types.mts';
import { until } from './until.mts';

const PUBLISH_TIMEOUT_MS = 90_000;

export const namedSchema = z.object({ id: z.string(), name: z.string() });
export const credentialSchema = namedSchema.extend({ type: z.string() });
const decryptedSchema = credentialSchema.extend({ data: z.record(z.unknown()) });
export const testResultSchema = z.object({ status: z.enum(['OK', 'Error']), message: z.string() });
export const listedWorkflowSchema = namedSchema.extend({
	active: z.boolean(),
	isArchived: z.boolean().optional(),
});
const startedSchema = z.object({
	executionId: z.string().optional(),
	waitingForWebhook: z.boolean().optional(),
});
const idSchema = z.object({ id: z.string() });
const publicationStatusSchema = z.object({
	status: z.enum(['in_progress', 'not_published', 'published', 'partial', 'failed']),
	liveVersionId: z.string().nullable(),
	triggers: z.array(z.object({ errorMessage: z.string().nullable() })),
});

type PublicationStatus = z.infer<typeof publicationStatusSchema>;

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

	/** Runs a workflow manually and waits for its end. A polling trigger polls once. */
	async run(
		workflowId: string,
		{ trigger, timeoutMs }: { trigger?: string; timeoutMs?: number } = {},
	): Promise<Execution> {
		return await this.ended(await this.start(workflowId, trigger), timeoutMs);
	}

	/** Retries a failed execution, as the list of executions does, and waits for its end. */
	async retry(executionId: string): Promise<Execution> {
		const body = { loadWorkflow: false };
		return await this.ended(
			(await this.post(`/executions/${executionId}/retry`, body, idSchema)).id,
		);
	}

	/**
	 * Starts a manual run and returns the ID of its execution.
	 *
	 * @param trigger default: the first trigger that needs no external event
	 */
	async start(workflowId: string, trigger?: string): Promise<string> {
		const name = trigger ?? (await this.manualTrigger(workflowId));
		const { executionId } = await this.startManually(workflowId, name);
		if (executionId) return executionId;
		await this.stopListening(workflowId);
		throw new Error(`"${name}" waits for an event: use listenForTest`);
	}

	/** Listens for a test event on a webhook trigger, until the first event or for two minutes. */
	async listenForTest(workflowId: string, node: string): Promise<void> {
		const { waitingForWebhook } = await this.startManually(workflowId, node);
		if (!waitingForWebhook) throw new Error(`"${node}" does not wait for an event`);
	}

	/** Stops listening, like the editor's button. n8n removes the registration shortly after. */
	async stopListening(workflowId: string) {
		await this.request('DELETE', `/test-webhook/${workflowId}`);
	}

	/** Returns the description of a node type. */
	async nodeType(type: string, version = 1) {
		const nodeInfos = [{ name: type, version }];
		const [found] = await this.post('/node-types', { nodeInfos }, z.array(z.record(z.unknown())));
		if (!found) throw new Error(`n8n does not know ${type}`);
		return found;
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

	private async publicationStatus(id: string): Promise<PublicationStatus> {
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

	private async startManually(workflowId: string, trigger: string) {
		const body = {
			// Older versions of n8n run the workflow that they receive, newer ones the stored one.
			workflowData: await this.workflow(workflowId),
			triggerToStartFrom: { name: trigger },
		};
		return await this.post(`/workflows/${workflowId}/run`, body, startedSchema);
	}
}

/** Adds the fields that the editor saves with every workflow. */
export function complete(workflow: WorkflowInput) {
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
