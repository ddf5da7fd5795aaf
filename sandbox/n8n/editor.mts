import { createRequire } from 'node:module';
import { join } from 'node:path';

import { sleep } from './process.mts';

/** The one user of the n8n that tests and the demo start. Not a secret: n8n listens on this machine only. */
export const OWNER = {
	email: 'owner@example.com',
	firstName: 'Demo',
	lastName: 'Owner',
	password: 'Example-1234',
};

export interface WorkflowNode {
	id?: string;
	name: string;
	type: string;
	typeVersion?: number;
	position?: [number, number];
	parameters?: Record<string, unknown>;
	credentials?: Record<string, { id: string | null; name: string }>;
	webhookId?: string;
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	[key: string]: unknown;
}

export interface WorkflowInput {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	pinData?: Record<string, unknown>;
	[key: string]: unknown;
}

/** A workflow as n8n stores it. `staticData` is what its nodes remember: `staticData['node:<name>']`. */
export interface StoredWorkflow extends WorkflowInput {
	id: string;
	active: boolean;
	versionId: string;
	activeVersionId: string | null;
	staticData: Record<string, Record<string, unknown>> | null;
}

export interface Item {
	json: Record<string, unknown>;
	pairedItem?: unknown;
	error?: unknown;
	binary?: Record<string, unknown>;
}

export interface RunError {
	message: string;
	description?: string | null;
	httpCode?: string | null;
	context?: Record<string, unknown>;
	[key: string]: unknown;
}

/** One run of one node: a list of items for each of its outputs. */
export interface NodeRun {
	outputs: Item[][];
	status?: string;
	executionTime?: number;
	error?: RunError;
	hints?: Array<{ message: string }>;
}

export interface Execution {
	id: string;
	workflowId: string;
	status: string;
	mode: string;
	startedAt: string;
	stoppedAt: string | null;
	/** The last node that ran. */
	lastNode?: string;
	/** Why the execution failed, if it did. */
	error?: RunError;
	/** What each node did, by its name. */
	nodes: Record<string, NodeRun[]>;
	/** All items one output of a node gave, over all of its runs. */
	items(node: string, output?: number): Item[];
}

export interface Listening {
	/** Where the test event has to be sent. */
	url: string;
	/** Ends the listening as the editor's button does; n8n takes the registration away a moment later. */
	stop(): Promise<void>;
}

export interface DynamicRequest {
	/** For example `n8n-nodes-surveys.surveyA`. */
	type: string;
	version?: number;
	/** The name of the method of the node. */
	method: string;
	/** Where in the parameters the field is. */
	path?: string;
	parameters?: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	filter?: string;
	paginationToken?: string;
}

export interface Listed {
	results: Array<{ name: string; value: string | number; url?: string }>;
	paginationToken?: unknown;
}

interface PublicationStatus {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	liveVersionId: string | null;
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

interface WebhookDescription {
	name: string;
	path: string;
	isFullPath?: boolean;
}

interface Summary {
	id: string;
	status: string;
}

interface RawExecution extends Omit<Execution, 'nodes' | 'items'> {
	data: string;
}

interface RawRunData {
	resultData?: {
		error?: RunError;
		lastNodeExecuted?: string;
		runData?: Record<string, RawNodeRun[]>;
	};
}

interface RawNodeRun {
	data?: Record<string, Array<Item[] | null> | undefined>;
	executionStatus?: string;
	executionTime?: number;
	error?: RunError;
	hints?: Array<{ message: string }>;
}

/** n8n answered with an error; `status` is the HTTP code, the message is n8n's own. */
export class N8nRequestError extends Error {
	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

const RUN_TIMEOUT_MS = 120_000;
const PUBLISH_TIMEOUT_MS = 90_000;
const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

/** What the editor in the browser does, by the same requests. */
export class Editor {
	private cookie = '';

	/** n8n binds a session to the browser by this header. */
	private readonly browserId = 'surveys-host';

	constructor(
		private readonly root: string,
		readonly url: string,
	) {}

	/** Makes the owner on a fresh n8n, else signs the owner in. */
	async signIn() {
		const settings = await this.get<{ userManagement: { showSetupOnFirstLoad: boolean } }>(
			'/settings',
		);
		if (settings.userManagement.showSetupOnFirstLoad) await this.post('/owner/setup', OWNER);
		else {
			const { email, password } = OWNER;
			await this.post('/login', { emailOrLdapLoginId: email, password });
		}
	}

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
		const made = await this.post<StoredWorkflow>('/workflows', complete(workflow));
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

	async publicationStatus(id: string) {
		return await this.get<PublicationStatus>(`/workflows/${id}/publication-status`);
	}

	/** All executions of a workflow, oldest first, with everything their nodes gave. */
	async executions(workflowId: string): Promise<Execution[]> {
		const found = await this.summaries(workflowId);
		return await Promise.all(found.map(async ({ id }) => await this.execution(id)));
	}

	async execution(id: string): Promise<Execution> {
		return toExecution(await this.get<RawExecution>(`/executions/${id}`), this.flatted());
	}

	/** Waits until at least `count` executions have ended, then gives all that have. */
	async waitForExecutions(workflowId: string, count: number, timeoutMs = 30_000) {
		const ended = async () =>
			(await this.summaries(workflowId)).filter(({ status }) => !UNFINISHED.includes(status));
		const enough = await until(ended, (list) => list.length >= count, timeoutMs);
		if (enough) return await Promise.all(enough.map(async ({ id }) => await this.execution(id)));
		const found = (await ended()).length;
		throw new Error(`${found} of ${count} executions ended within ${timeoutMs} ms`);
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
		return await this.ended(started.executionId, options.timeoutMs ?? RUN_TIMEOUT_MS);
	}

	/** Starts a run by hand and does not wait, so that it can be looked at or stopped on its way. */
	async start(workflowId: string, trigger?: string): Promise<string> {
		const name = trigger ?? (await this.manualTrigger(workflowId));
		const { executionId } = await this.startManually(workflowId, name);
		if (!executionId) throw new Error(`"${name}" waits for an event: use listenForTest`);
		return executionId;
	}

	async stopExecution(id: string) {
		await this.post(`/executions/${id}/stop`, {});
	}

	/** Waits for the end of an execution that is under way. */
	async ended(executionId: string, timeoutMs = RUN_TIMEOUT_MS): Promise<Execution> {
		const read = async () => await this.execution(executionId);
		const done = await until(read, ({ status }) => !UNFINISHED.includes(status), timeoutMs);
		if (done) return done;
		throw new Error(`Execution ${executionId} did not end within ${timeoutMs} ms`);
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

	async get<T = unknown>(path: string) {
		return await this.request<T>('GET', path);
	}

	async post<T = unknown>(path: string, body: unknown) {
		return await this.request<T>('POST', path, body);
	}

	async request<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		const { data } = await this.envelope<T>(method, path, body);
		return data;
	}

	private async envelope<T>(method: string, path: string, body?: unknown) {
		const response = await fetch(`${this.url}/rest${path}`, {
			method,
			headers: {
				'content-type': 'application/json',
				'browser-id': this.browserId,
				cookie: this.cookie,
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		this.keepCookie(response.headers.getSetCookie());
		const text = await response.text();
		if (!response.ok) {
			throw new N8nRequestError(
				response.status,
				`${method} ${path}: ${response.status} ${reason(text)}`,
			);
		}
		return JSON.parse(text || '{}') as { data: T };
	}

	private keepCookie(cookies: string[]) {
		const session = cookies.find((cookie) => cookie.startsWith('n8n-auth='));
		if (session) this.cookie = session.split(';')[0] ?? '';
	}

	private async settled(id: string, accept: (state: PublicationStatus) => boolean) {
		const read = async () => await this.publicationStatus(id);
		const done = (state: PublicationStatus) => state.status !== 'in_progress' && accept(state);
		const state = await until(read, done, PUBLISH_TIMEOUT_MS);
		if (state) return state;
		const { status } = await read();
		throw new Error(`Workflow ${id} is still "${status}" after ${PUBLISH_TIMEOUT_MS / 1000} s`);
	}

	private async summaries(workflowId: string): Promise<Summary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const found: Summary[] = [];
		let cursor: string | undefined;
		do {
			const next = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
			const page = await this.get<{ results: Summary[]; nextCursor?: string | null }>(
				`/executions?limit=100&filter=${filter}${next}`,
			);
			found.push(...page.results);
			cursor = page.nextCursor ?? undefined;
		} while (cursor);
		return [...new Map(found.map((summary) => [summary.id, summary])).values()].sort(
			(a, b) => Number(a.id) - Number(b.id),
		);
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
				triggerToStartFrom: { name: trigger },
				...(destination ? { destinationNode: { nodeName: destination, mode: 'inclusive' } } : {}),
			},
		);
	}

	private async stopListening(workflowId: string) {
		await this.request('DELETE', `/test-webhook/${workflowId}`);
	}

	/** n8n's own copy of the format it sends run data in. */
	private flatted() {
		const load = createRequire(join(this.root, 'sandbox/n8n/package.json'));
		return load('flatted') as { parse: (text: string) => unknown };
	}
}

/** Asks until the answer is right; nothing when time is up. */
async function until<T>(read: () => Promise<T>, done: (value: T) => boolean, timeoutMs: number) {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const value = await read();
		if (done(value)) return value;
		if (Date.now() > deadline) return undefined;
		await sleep(100);
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

function toExecution(raw: RawExecution, flatted: { parse: (text: string) => unknown }): Execution {
	// An execution that has only just begun has no run data yet.
	const { resultData } = ((raw.data && flatted.parse(raw.data)) || {}) as RawRunData;
	const nodes = Object.fromEntries(
		Object.entries(resultData?.runData ?? {}).map(([name, runs]) => [name, runs.map(toNodeRun)]),
	);
	return {
		id: String(raw.id),
		workflowId: raw.workflowId,
		status: raw.status,
		mode: raw.mode,
		startedAt: raw.startedAt,
		stoppedAt: raw.stoppedAt,
		lastNode: resultData?.lastNodeExecuted,
		error: resultData?.error,
		nodes,
		items: (node, output = 0) => (nodes[node] ?? []).flatMap((run) => run.outputs[output] ?? []),
	};
}

function toNodeRun(run: RawNodeRun): NodeRun {
	return {
		outputs: (run.data?.main ?? []).map((items) => items ?? []),
		status: run.executionStatus,
		executionTime: run.executionTime,
		error: run.error,
		hints: run.hints,
	};
}

/** n8n's own words from an error answer. */
function reason(text: string) {
	try {
		const body = JSON.parse(text) as { message?: string };
		return body.message ?? text;
	} catch {
		return text.slice(0, 500);
	}
}
