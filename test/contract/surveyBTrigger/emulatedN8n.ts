import axios from 'axios';
import { deepCopy, sleep, Workflow } from 'n8n-workflow';
import type {
	IDataObject,
	INode,
	INodeParameters,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import * as zod from 'zod/v4';

import { SurveyBTrigger } from '../../../nodes/SurveyB/SurveyBTrigger.node';
import { startServiceB } from '../../../sandbox';
import type { ServiceB } from '../../../sandbox';
import { additionalData, addNodeType, nodeTypes } from '../../support/engine';
import { serveWebhooks, WebhookTrigger } from '../../support/webhookTrigger';
import type { LogLine, WebhookCall, WebhookType } from '../../support/webhookTrigger';

interface TriggerRun {
	node: string;
	mode: WorkflowExecuteMode;
	outputs: IDataObject[][];
	/** The body of the delivery that started the run. */
	body: unknown;
}

let count = 0;

/** The trigger as loaded by several processes. No two of them know a workflow, whose ID is used once. */
const processes: WebhookType[] = [];

// A new process loads the trigger's modules again. Loading zod again would take a second.
jest.doMock('zod/v4', () => zod);

/** Loads the trigger with empty caches, like a process that has just started. */
async function loadTrigger(): Promise<WebhookType> {
	let type: WebhookType | undefined;
	await jest.isolateModulesAsync(async () => {
		const fresh = await import('../../../nodes/SurveyB/SurveyBTrigger.node');
		type = new fresh.SurveyBTrigger();
	});
	if (!type) throw new RangeError('the trigger could not be loaded');
	return type;
}

/** Emulates how n8n 2.41 handles one workflow of trigger nodes and its static data, with n8n's own contexts. */
export class EmulatedN8n {
	readonly runs: TriggerRun[] = [];
	/** The static data in n8n's database. */
	saved: IDataObject = {};
	workflowId = `workflow-${++count}`;
	apiKey: string;
	baseUrl: string;
	requestsPerMinute = 0;
	/** False if the credential was deleted. */
	hasCredential = true;
	/** n8n's public address. */
	address = '';
	/** How often n8n tries to activate a node. */
	activationTries = 1;
	/** Stores a run. Rejects to emulate a database that cannot be written to. */
	store: () => Promise<void> = async () => {};
	private nodes: INode[] = [];
	private processCount = 0;
	/** Grows with every restart: what an earlier process had begun has no more effect. */
	private generation = 0;
	private readonly open = new Set<WebhookCall['response']>();
	private type: WebhookType = new SurveyBTrigger();
	private otherProcess: WebhookType[] = [];
	private readonly live = new Map<string, INode>();
	private readonly tests = new Map<string, { node: INode; data?: IDataObject }>();
	private readonly lines: LogLine[] = [];
	private calls: Array<Promise<void>> = [];
	private stop = () => {};

	private constructor(readonly service: ServiceB) {
		this.apiKey = service.apiKey;
		this.baseUrl = service.url;
	}

	static async open(service?: ServiceB): Promise<EmulatedN8n> {
		const n8n = new EmulatedN8n(service ?? (await startServiceB()));
		addNodeType('surveyBTrigger', new SurveyBTrigger());
		const server = await serveWebhooks((call) => void n8n.calls.push(n8n.call(call)));
		n8n.address = server.address;
		n8n.stop = server.close;
		return n8n;
	}

	async close(): Promise<void> {
		this.stopServing();
		await this.service.close();
	}

	/** Stops n8n's webhook server, but not the service. */
	stopServing(): void {
		this.stop();
	}

	node(parameters: INodeParameters = {}, more: Partial<INode> = {}): INode {
		const credentials = { surveyBApi: { id: '1', name: 'Survey B' } };
		const common = { type: 'surveyBTrigger', typeVersion: 1.1, credentials };
		const id = more.id ?? 'node';
		const named = { id, name: 'Survey B Trigger', webhookId: `hook-of-${id}` };
		const all = { simplify: false, ...parameters };
		return { ...common, position: [0, 0], ...named, parameters: all, ...more };
	}

	/** Publishes a version of the workflow: deactivates the nodes that changed, then activates them. */
	async publish(...nodes: INode[]): Promise<void> {
		const isIn = (list: INode[], node: INode) =>
			list.some((one) => JSON.stringify(one) === JSON.stringify(node));
		await this.deactivate(this.nodes.filter((node) => !isIn(nodes, node)));
		const added = nodes.filter((node) => !isIn(this.nodes, node));
		this.nodes = nodes;
		await this.activateAll(added, 'activate');
	}

	/** Handles what follows in another process of n8n, which has its own memory. */
	async switchProcess(): Promise<void> {
		const [other = await this.freshTrigger()] = this.otherProcess;
		this.otherProcess = [this.type];
		this.type = other;
	}

	async unpublish(): Promise<void> {
		await this.publish();
	}

	/** Restarts n8n, which loses the memory of the process and activates the nodes. */
	async restart(...nodes: INode[]): Promise<void> {
		if (nodes.length > 0) this.nodes = nodes;
		await this.restartQuietly();
		this.live.clear();
		await this.activateAll(this.nodes, 'init');
	}

	/** Activates the nodes in a process that takes over from another one. */
	async becomeLeader(): Promise<void> {
		await this.restartQuietly();
		await this.activateAll(this.nodes, 'leadershipChange');
	}

	/** Restarts n8n without activating the nodes, because it finds all webhooks in its database. */
	async restartQuietly(): Promise<void> {
		this.generation++;
		for (const response of this.open) {
			response.socket?.destroy();
			response.end();
		}
		this.open.clear();
		this.calls = [];
		this.type = await this.freshTrigger();
		this.otherProcess = [];
	}

	private async freshTrigger(): Promise<WebhookType> {
		const number = this.processCount++;
		const type = processes[number] ?? (await loadTrigger());
		processes[number] = type;
		return type;
	}

	/** Listens for a test event. */
	async listen(node: INode): Promise<void> {
		const { trigger } = this;
		const workflow = this.workflow([node], {}, false);
		const webhook = trigger.webhookOf(workflow, node, true);
		const registration: { node: INode; data?: IDataObject } = { node };
		this.tests.set(webhook.path, registration);
		const work = trigger.register(workflow, webhook, 'manual', 'manual');
		const [result] = await Promise.allSettled([work]);
		registration.data = deepCopy({ ...workflow.staticData });
		if (result.status === 'fulfilled') return;
		await this.deactivateTest(workflow, node);
		await Promise.reject(result.reason);
	}

	async stopListening(): Promise<void> {
		for (const [, { node, data }] of this.tests) {
			const workflow = this.workflow([node], {}, false);
			if (data) workflow.staticData = deepCopy(data);
			await this.deactivateTest(workflow, node);
		}
	}

	/** The events of the webhooks at the service, by webhook ID. */
	get hooks(): Record<string, string> {
		return Object.fromEntries(this.service.state.hooks.map(({ id, event }) => [id, String(event)]));
	}

	/** The requests that the service received, as `METHOD path`. */
	get requests(): string[] {
		return this.service.requests.map(({ method, path }) => `${method} ${path}`);
	}

	/** Resolves when n8n has handled every request, including its work after the response. */
	async idle(): Promise<void> {
		while (this.calls.length > 0) await this.calls.shift();
	}

	get log(): string {
		return JSON.stringify(this.lines);
	}

	get messages(): string[] {
		return this.lines.map(([, message]) => String(message));
	}

	get warnings(): string[] {
		return this.lines.filter(([level]) => level === 'warn').map(([, message]) => String(message));
	}

	async post(url: string, body: unknown): Promise<{ status: number; data: unknown }> {
		const { status, data } = await axios.post(url, body, { validateStatus: () => true });
		return { status, data };
	}

	private get trigger(): WebhookTrigger {
		const { baseUrl, apiKey, requestsPerMinute } = this;
		const data = additionalData({ baseUrl, apiKey, requestsPerMinute });
		if (!this.hasCredential) {
			data.credentialsHelper.getDecrypted = async () =>
				await Promise.reject(new Error('Credential with ID "1" does not exist'));
		}
		const additional = {
			...data,
			webhookBaseUrl: `${this.address}/webhook`,
			webhookTestBaseUrl: `${this.address}/webhook-test`,
		};
		return new WebhookTrigger(this.type, additional, (line) => void this.lines.push(line));
	}

	/** Activates each node in several tries. Between two tries, n8n calls `delete` with the static data of both. */
	private async activateAll(nodes: INode[], activation: WorkflowActivateMode): Promise<void> {
		const { trigger } = this;
		const workflow = this.workflow(this.nodes, this.saved, true);
		const register = async (node: INode) => {
			const webhook = trigger.webhookOf(workflow, node, false);
			for (let tries = 1; ; tries++) {
				this.live.set(webhook.path, node);
				const work = trigger.register(workflow, webhook, 'trigger', activation);
				const [result] = await Promise.allSettled([work]);
				if (result.status === 'fulfilled') return;
				await trigger.unregister(workflow, webhook);
				this.save(workflow);
				this.live.delete(webhook.path);
				if (tries >= this.activationTries) return await Promise.reject(result.reason);
				await sleep(1000 * 2 ** (tries - 1));
			}
		};
		const results = await Promise.allSettled(nodes.map(register));
		this.save(workflow);
		const failed = results.find((result) => result.status === 'rejected');
		if (failed) await this.giveUp(failed.reason);
	}

	/** Emulates a user who unpublishes a workflow that could not be published. */
	private async giveUp(reason: unknown): Promise<void> {
		await this.deactivate(this.nodes);
		this.nodes = [];
		await Promise.reject(reason);
	}

	private async deactivate(nodes: INode[]): Promise<void> {
		const { trigger } = this;
		const workflow = this.workflow(this.nodes, this.saved, true);
		for (const node of nodes) {
			const webhook = trigger.webhookOf(workflow, node, false);
			this.live.delete(webhook.path);
			// n8n logs an error of a node, and continues.
			await trigger
				.unregister(workflow, webhook)
				.catch((error: unknown) => this.lines.push(['error', String(error)]));
		}
		this.save(workflow);
	}

	private async deactivateTest(workflow: Workflow, node: INode): Promise<void> {
		const webhook = this.trigger.webhookOf(workflow, node, true);
		await this.trigger.unregister(workflow, webhook);
		this.tests.delete(webhook.path);
	}

	private async call({ request, response }: WebhookCall): Promise<void> {
		const [, endpoint, ...rest] = request.path.split('/');
		const isTest = endpoint === 'webhook-test';
		const test = isTest ? this.tests.get(rest.join('/')) : undefined;
		const node = isTest ? test?.node : this.live.get(rest.join('/'));
		if (!node) return void response.status(404).json({ message: 'not registered' });

		const workflow = this.workflow(isTest ? [node] : this.nodes, isTest ? {} : this.saved, !isTest);
		if (test?.data) workflow.setTestStaticData(deepCopy(test.data));
		const { trigger, generation, store } = this;
		const webhook = trigger.webhookOf(workflow, node, isTest);
		this.open.add(response);
		const isAlive = () => generation === this.generation;
		const outputs = await trigger.receive(
			workflow,
			webhook,
			{ request, response },
			{
				store,
				save: () => (isTest ? undefined : this.save(workflow)),
				alive: async () => (isAlive() ? undefined : await new Promise<void>(() => {})),
			},
		);
		this.open.delete(response);
		if (!outputs) return;
		const mode = isTest ? 'manual' : 'webhook';
		this.runs.push({ node: node.name, mode, outputs, body: request.body });
		if (isTest) await this.stopListening();
	}

	private save(workflow: Workflow): void {
		if (workflow.staticData.__dataChanged !== true) return;
		this.saved = JSON.parse(JSON.stringify(workflow.staticData));
	}

	private workflow(nodes: INode[], staticData: IDataObject, active: boolean): Workflow {
		return new Workflow({
			id: this.workflowId,
			name: 'Emulated',
			nodes: deepCopy(nodes),
			connections: {},
			active,
			nodeTypes,
			staticData: deepCopy(staticData),
		});
	}
}

/** The n8n of the running test; `useEmulatedN8n` replaces it before each test. */
export let n8n: EmulatedN8n;

export function useEmulatedN8n(): void {
	beforeEach(async () => void (n8n = await EmulatedN8n.open()));
	afterEach(async () => {
		jest.restoreAllMocks();
		await n8n.close();
	});
}

let changes = 0;

/** Delivers a new change from the service, and returns the statuses of the responses. */
export async function deliverChange(
	event = 'feedback.removed',
): Promise<Array<number | undefined>> {
	const data = { id: 2001, score: 1, changed: changes++ };
	return (await n8n.service.deliver(event, data)).map(({ status }) => status);
}

export const FIVE = [
	'feedback.removed',
	'feedback.status_changed',
	'tag.merged',
	'tag.removed',
	'tag.renamed',
];
