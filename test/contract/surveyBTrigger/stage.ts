import axios from 'axios';
import * as n8nWorkflow from 'n8n-workflow';
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
import { EVENTS, startServiceB } from '../../../sandbox';
import type { ServiceB } from '../../../sandbox';
import { additionalData, addNodeType, nodeTypes } from '../../support/engine';
import { serveWebhooks, WebhookTrigger } from '../../support/webhookTrigger';
import type { LogLine, WebhookCall, WebhookType } from '../../support/webhookTrigger';

/** A run that a delivery started, with the items of each output. */
export interface TriggerRun {
	node: string;
	mode: WorkflowExecuteMode;
	outputs: IDataObject[][];
}

let stages = 0;

// A new process loads the trigger's own modules again. Loading zod again would take a second.
jest.doMock('zod/v4', () => zod);

/** Loads the trigger as a process of n8n does that has just started. */
async function freshTrigger(library: object): Promise<WebhookType> {
	let type: WebhookType | undefined;
	jest.doMock('n8n-workflow', () => library);
	await jest.isolateModulesAsync(async () => {
		const fresh = await import('../../../nodes/SurveyB/SurveyBTrigger.node');
		type = new fresh.SurveyBTrigger();
	});
	jest.dontMock('n8n-workflow');
	if (!type) throw new RangeError('the trigger could not be loaded');
	return type;
}

/**
 * One workflow of trigger nodes, treated as n8n 2.41 treats it, with n8n's own contexts: publishing,
 * listening for a test, restarting, and what is saved of the static data when.
 */
export class Stage {
	readonly runs: TriggerRun[] = [];
	/** The static data as it is in n8n's database. */
	saved: IDataObject = {};
	workflowId = `workflow-${++stages}`;
	/** The key in the credential. */
	apiKey: string;
	/** The base URL in the credential. */
	baseUrl: string;
	/** Whether n8n still has the credential that the nodes refer to. */
	hasCredential = true;
	/** n8n's public address. */
	address = '';
	/** How often n8n tries to activate a node. */
	activationTries = 1;
	/** Stores a run in n8n's database; rejects where that cannot be written to. */
	store: () => Promise<void> = async () => {};
	/** How often n8n wrote the static data into its database. */
	saves = 0;
	private storesAfterAnswering = false;
	/** The n8n-workflow of this n8n. */
	private library: object = n8nWorkflow;
	private nodes: INode[] = [];
	private type: WebhookType = new SurveyBTrigger();
	private otherProcess: WebhookType[] = [];
	private readonly live = new Map<string, INode>();
	private readonly tests = new Map<string, { node: INode; data?: IDataObject }>();
	private readonly lines: LogLine[] = [];
	private readonly calls: Array<Promise<void>> = [];
	private stop = () => {};

	private constructor(readonly service: ServiceB) {
		this.apiKey = service.apiKey;
		this.baseUrl = service.url;
	}

	static async open(service?: ServiceB): Promise<Stage> {
		const stage = new Stage(service ?? (await startServiceB()));
		addNodeType('surveyBTrigger', new SurveyBTrigger());
		const server = await serveWebhooks((call) => void stage.calls.push(stage.call(call)));
		stage.address = server.address;
		stage.stop = server.close;
		return stage;
	}

	async close(): Promise<void> {
		this.stopServing();
		await this.service.close();
	}

	/** Ends this n8n, but not the service. */
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

	/** Publishes a version of the workflow: nodes that changed end under their old name first. */
	async publish(...nodes: INode[]): Promise<void> {
		const isIn = (list: INode[], node: INode) =>
			list.some((one) => JSON.stringify(one) === JSON.stringify(node));
		await this.end(this.nodes.filter((node) => !isIn(nodes, node)));
		const added = nodes.filter((node) => !isIn(this.nodes, node));
		this.nodes = nodes;
		await this.begin(added, 'activate');
	}

	/** Has another process of n8n, with a memory of its own, take what comes next. */
	async switchProcess(): Promise<void> {
		const [other = await freshTrigger(this.library)] = this.otherProcess;
		this.otherProcess = [this.type];
		this.type = other;
	}

	/**
	 * Emulates n8n before 2.20, which responds to a delivery before it stores the run. Its n8n-workflow lacks the export
	 * by which the trigger tells the versions apart.
	 */
	async useEarlierN8n(): Promise<void> {
		this.storesAfterAnswering = true;
		this.library = { ...n8nWorkflow, getCredentialAllowedDomains: undefined };
		await this.restartQuietly();
	}

	async unpublish(): Promise<void> {
		await this.publish();
	}

	/** n8n stops and starts: what the process knew is gone. The nodes may have changed meanwhile. */
	async restart(...nodes: INode[]): Promise<void> {
		if (nodes.length > 0) this.nodes = nodes;
		await this.restartQuietly();
		this.live.clear();
		await this.begin(this.nodes, 'init');
	}

	/** n8n stops and starts, and finds all webhooks as it left them: then it does not ask the nodes. */
	async restartQuietly(): Promise<void> {
		this.type = await freshTrigger(this.library);
		this.otherProcess = [];
	}

	/** Listens for a test event, as the editor's button does. */
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
		await this.endTest(workflow, node);
		await Promise.reject(result.reason);
	}

	async stopListening(): Promise<void> {
		for (const [, { node, data }] of this.tests) {
			const workflow = this.workflow([node], {}, false);
			if (data) workflow.staticData = deepCopy(data);
			await this.endTest(workflow, node);
		}
	}

	/** The subscriptions at the service, `event` by ID. */
	get hooks(): Record<string, string> {
		return Object.fromEntries(this.service.state.hooks.map(({ id, event }) => [id, String(event)]));
	}

	/** The requests about subscriptions that arrived, `METHOD path`. */
	get requests(): string[] {
		return this.service.requests.map(({ method, path }) => `${method} ${path}`);
	}

	/** Resolves when n8n is through with every request, also with what it does after its answer. */
	async idle(): Promise<void> {
		while (this.calls.length > 0) await this.calls.shift();
	}

	/** Everything that the nodes logged, as text. */
	get log(): string {
		return JSON.stringify(this.lines);
	}

	/** What the nodes logged, a line each. */
	get messages(): string[] {
		return this.lines.map(([, message]) => String(message));
	}

	/** What the nodes warned of, a line each. */
	get warnings(): string[] {
		return this.lines.filter(([level]) => level === 'warn').map(([, message]) => String(message));
	}

	/** Calls the webhook URL of a node, as anybody could. */
	async post(url: string, body: unknown): Promise<{ status: number; data: unknown }> {
		const { status, data } = await axios.post(url, body, { validateStatus: () => true });
		return { status, data };
	}

	private get trigger(): WebhookTrigger {
		const { baseUrl, apiKey } = this;
		const data = additionalData({ baseUrl, apiKey, requestsPerMinute: 0 });
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

	private async begin(nodes: INode[], activation: WorkflowActivateMode): Promise<void> {
		let begun = nodes;
		for (let tries = 1; ; tries++) {
			const [result] = await Promise.allSettled([this.activate(begun, activation)]);
			if (result.status === 'fulfilled') return;
			// n8n saves nothing of an activation that fails, and ends all nodes by what it had saved before.
			begun = this.nodes;
			await this.end(begun);
			if (tries < this.activationTries) await sleep(1000 * tries);
			else return await this.giveUp(result.reason);
		}
	}

	private async giveUp(reason: unknown): Promise<void> {
		this.nodes = [];
		await Promise.reject(reason);
	}

	private async activate(nodes: INode[], activation: WorkflowActivateMode): Promise<void> {
		const { trigger } = this;
		const workflow = this.workflow(this.nodes, this.saved, true);
		for (const node of nodes) {
			const webhook = trigger.webhookOf(workflow, node, false);
			this.live.set(webhook.path, node);
			await trigger.register(workflow, webhook, 'trigger', activation);
		}
		this.save(workflow);
	}

	private async end(nodes: INode[]): Promise<void> {
		const { trigger } = this;
		const workflow = this.workflow(this.nodes, this.saved, true);
		for (const node of nodes) {
			const webhook = trigger.webhookOf(workflow, node, false);
			this.live.delete(webhook.path);
			// n8n logs what a node throws here, and goes on.
			await trigger
				.unregister(workflow, webhook)
				.catch((error: unknown) => this.lines.push(['error', String(error)]));
		}
		this.save(workflow);
	}

	private async endTest(workflow: Workflow, node: INode): Promise<void> {
		const webhook = this.trigger.webhookOf(workflow, node, true);
		await this.trigger.unregister(workflow, webhook);
		this.tests.delete(webhook.path);
	}

	/** What n8n's webhook server does with a request. */
	private async call({ request, response }: WebhookCall): Promise<void> {
		const [, endpoint, ...rest] = request.path.split('/');
		const isTest = endpoint === 'webhook-test';
		const test = isTest ? this.tests.get(rest.join('/')) : undefined;
		const node = isTest ? test?.node : this.live.get(rest.join('/'));
		if (!node) return void response.status(404).json({ message: 'not registered' });

		const workflow = this.workflow(isTest ? [node] : this.nodes, isTest ? {} : this.saved, !isTest);
		if (test?.data) workflow.setTestStaticData(deepCopy(test.data));
		const { trigger } = this;
		const webhook = trigger.webhookOf(workflow, node, isTest);
		const outputs = await trigger.receive(
			workflow,
			webhook,
			{ request, response },
			{
				store: this.store,
				save: () => (isTest ? undefined : this.save(workflow)),
				storesAfterAnswering: this.storesAfterAnswering,
			},
		);
		if (!outputs) return;
		this.runs.push({ node: node.name, mode: isTest ? 'manual' : 'webhook', outputs });
		if (isTest) await this.stopListening();
	}

	private save(workflow: Workflow): void {
		if (workflow.staticData.__dataChanged !== true) return;
		this.saves++;
		this.saved = JSON.parse(JSON.stringify(workflow.staticData));
	}

	private workflow(nodes: INode[], staticData: IDataObject, active: boolean): Workflow {
		return new Workflow({
			id: this.workflowId,
			name: 'Staged',
			nodes: deepCopy(nodes),
			connections: {},
			active,
			nodeTypes,
			staticData: deepCopy(staticData),
		});
	}
}

/** The stage of the running test. */
export let stage: Stage;

/** Gives each test of a file a stage of its own. */
export function withStage(): void {
	beforeEach(async () => void (stage = await Stage.open()));
	afterEach(async () => {
		jest.restoreAllMocks();
		await stage.close();
	});
}

let changes = 0;

/** Something happens at the service; gives the statuses that its deliveries were answered. */
export async function happen(event = 'feedback.removed'): Promise<Array<number | undefined>> {
	const data = { id: 2001, score: 1, changed: changes++ };
	return (await stage.service.deliver(event, data)).map(({ status }) => status);
}

export const NINE = EVENTS;

export const FIVE = [
	'feedback.removed',
	'feedback.status_changed',
	'tag.merged',
	'tag.removed',
	'tag.renamed',
];
