import axios from 'axios';
import express from 'express';
import { HookContext, WebhookContext } from 'n8n-core';
import { deepCopy, NodeHelpers, sleep, Workflow } from 'n8n-workflow';
import type {
	IDataObject,
	INode,
	INodeParameters,
	IWebhookData,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { SurveyBTrigger } from '../../../nodes/SurveyB/SurveyBTrigger.node';
import { EVENTS, startServiceB } from '../../../sandbox';
import type { ServiceB } from '../../../sandbox';
import { additionalData, addNodeType, nodeTypes } from '../../support/engine';

/** A run that a delivery started, with the items of each output. */
export interface TriggerRun {
	node: string;
	mode: WorkflowExecuteMode;
	outputs: IDataObject[][];
}

type Type = Pick<SurveyBTrigger, 'description' | 'webhookMethods' | 'webhook'>;

let stages = 0;

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
	/** n8n's public address. */
	address = '';
	/** Stores a run in n8n's database; rejects where that cannot be written to. */
	store: () => Promise<void> = async () => {};
	/** How often n8n wrote the static data into its database. */
	saves = 0;
	private nodes: INode[] = [];
	private type: Type = new SurveyBTrigger();
	private readonly live = new Map<string, INode>();
	private readonly tests = new Map<string, { node: INode; data?: IDataObject }>();
	private readonly lines: unknown[][] = [];
	private readonly calls: Array<Promise<void>> = [];
	private stop = () => {};

	private constructor(readonly service: ServiceB) {
		this.apiKey = service.apiKey;
	}

	static async open(service?: ServiceB): Promise<Stage> {
		const stage = new Stage(service ?? (await startServiceB()));
		addNodeType('surveyBTrigger', new SurveyBTrigger());
		const app = express().use(express.json());
		app.use((request, response) => void stage.calls.push(stage.call(request, response)));
		await new Promise<void>((resolve) => {
			const server = app.listen(0, '127.0.0.1', () => {
				const place = server.address();
				const port = typeof place === 'object' ? place?.port : undefined;
				stage.address = `http://127.0.0.1:${port}`;
				stage.stop = () => void server.close();
				resolve();
			});
		});
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
		return { ...common, position: [0, 0], ...named, parameters, ...more };
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
		await jest.isolateModulesAsync(async () => {
			const fresh = await import('../../../nodes/SurveyB/SurveyBTrigger.node');
			this.type = new fresh.SurveyBTrigger();
		});
	}

	/** Listens for a test event, as the editor's button does. */
	async listen(node: INode): Promise<void> {
		const workflow = this.workflow([node], {}, false);
		const hook = this.hookOf(workflow, node, true);
		const registration: { node: INode; data?: IDataObject } = { node };
		this.tests.set(hook.path, registration);
		const [result] = await Promise.allSettled([this.register(workflow, hook, 'manual', 'manual')]);
		registration.data = deepCopy({ ...workflow.staticData });
		if (result.status === 'fulfilled') return;
		await this.endTest(workflow, hook);
		await Promise.reject(result.reason);
	}

	async stopListening(): Promise<void> {
		for (const [, { node, data }] of this.tests) {
			const workflow = this.workflow([node], {}, false);
			if (data) workflow.staticData = deepCopy(data);
			await this.endTest(workflow, this.hookOf(workflow, node, true));
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

	async pause(milliseconds: number): Promise<void> {
		await sleep(milliseconds);
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

	private async begin(nodes: INode[], activation: WorkflowActivateMode): Promise<void> {
		const workflow = this.workflow(this.nodes, this.saved, true);
		const work = nodes.map(async (node) => {
			const hook = this.hookOf(workflow, node, false);
			this.live.set(hook.path, node);
			const work = this.register(workflow, hook, 'trigger', activation);
			const [result] = await Promise.allSettled([work]);
			if (result.status === 'fulfilled') return;
			await this.unregister(workflow, hook);
			this.live.delete(hook.path);
			await Promise.reject(result.reason);
		});
		const results = await Promise.allSettled(work);
		this.save(workflow);
		const failed = results.find((result) => result.status === 'rejected');
		if (failed) await Promise.reject(failed.reason);
	}

	private async end(nodes: INode[]): Promise<void> {
		const workflow = this.workflow(this.nodes, this.saved, true);
		for (const node of nodes) {
			const hook = this.hookOf(workflow, node, false);
			this.live.delete(hook.path);
			await this.unregister(workflow, hook);
		}
		this.save(workflow);
	}

	private async endTest(workflow: Workflow, hook: IWebhookData): Promise<void> {
		await this.unregister(workflow, hook);
		this.tests.delete(hook.path);
	}

	private async register(
		workflow: Workflow,
		hook: IWebhookData,
		mode: WorkflowExecuteMode,
		activation: WorkflowActivateMode,
	): Promise<void> {
		const context = this.contextOf(workflow, hook, mode, activation);
		const { checkExists, create } = this.type.webhookMethods.default;
		if (!(await checkExists.call(context))) await create.call(context);
	}

	private async unregister(workflow: Workflow, hook: IWebhookData): Promise<void> {
		const context = this.contextOf(workflow, hook, 'internal', 'update');
		await this.type.webhookMethods.default.delete.call(context);
	}

	private contextOf(
		workflow: Workflow,
		hook: IWebhookData,
		mode: WorkflowExecuteMode,
		activation: WorkflowActivateMode,
	): HookContext {
		const node = workflow.nodes[hook.node];
		if (!node) throw new RangeError(`no node ${hook.node}`);
		return this.heard(new HookContext(workflow, node, this.additional, mode, activation, hook));
	}

	/** What n8n's webhook server does with a request. */
	private async call(request: express.Request, response: express.Response): Promise<void> {
		const [, endpoint, ...rest] = request.path.split('/');
		const isTest = endpoint === 'webhook-test';
		const test = isTest ? this.tests.get(rest.join('/')) : undefined;
		const node = isTest ? test?.node : this.live.get(rest.join('/'));
		if (!node) return void response.status(404).json({ message: 'not registered' });

		const nodes = isTest ? [node] : this.nodes;
		const workflow = this.workflow(nodes, isTest ? {} : this.saved, !isTest);
		if (test?.data) workflow.setTestStaticData(deepCopy(test.data));
		const hook = this.hookOf(workflow, node, isTest);
		const additional = { ...this.additional, httpRequest: request, httpResponse: response };
		const mode = isTest ? 'manual' : 'webhook';
		const context = this.heard(
			new WebhookContext(workflow, node, additional, mode, hook, [], null),
		);
		const result = await this.type.webhook.call(context);
		const outputs = result.workflowData?.map((items) => (items ?? []).map(({ json }) => json));
		if (outputs) {
			try {
				await this.store();
			} catch {
				return void response.status(500).json({ message: 'There was a problem' });
			}
			this.runs.push({ node: node.name, mode, outputs });
			// Starting a run forgets what changed before.
			workflow.staticData.__dataChanged = false;
		}
		// n8n reads this once the run is stored, and saves the static data before it answers.
		const answer = result.noWebhookResponse ? undefined : result.webhookResponse;
		if (!isTest) this.save(workflow);
		if (answer !== undefined) response.json(answer);
		if (isTest && outputs) await this.stopListening();
	}

	private heard<Context extends HookContext | WebhookContext>(context: Context): Context {
		for (const level of ['debug', 'info', 'warn', 'error'] as const) {
			jest.spyOn(context.logger, level).mockImplementation((...line) => {
				this.lines.push([level, ...line]);
			});
		}
		return context;
	}

	private save(workflow: Workflow): void {
		if (workflow.staticData.__dataChanged !== true) return;
		this.saves++;
		this.saved = JSON.parse(JSON.stringify(workflow.staticData));
	}

	private workflow(nodes: INode[], staticData: IDataObject, active: boolean): Workflow {
		addNodeType('surveyBTrigger', new SurveyBTrigger());
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

	private hookOf({ id }: Workflow, node: INode, isTest: boolean): IWebhookData {
		const [webhookDescription] = this.type.description.webhooks ?? [];
		if (!webhookDescription) throw new RangeError('the trigger has no webhook');
		return {
			httpMethod: 'POST',
			node: node.name,
			path: NodeHelpers.getNodeWebhookPath(id, node, webhookDescription.path),
			webhookDescription,
			workflowId: id,
			workflowExecuteAdditionalData: this.additional,
			isTest,
		};
	}

	private get additional() {
		const { url: baseUrl } = this.service;
		const { apiKey } = this;
		return {
			...additionalData({ baseUrl, apiKey, requestsPerMinute: 0 }),
			webhookBaseUrl: `${this.address}/webhook`,
			webhookTestBaseUrl: `${this.address}/webhook-test`,
		};
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
