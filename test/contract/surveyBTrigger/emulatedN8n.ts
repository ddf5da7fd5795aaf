import axios from 'axios';
import { deepCopy, sleep, UnexpectedError, Workflow } from 'n8n-workflow';
import type {
	IDataObject,
	INode,
	INodeParameters,
	IWebhookData,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import * as zod from 'zod/v4';

import { SurveyBTrigger } from '../../../nodes/SurveyB/SurveyBTrigger.node';
import { startServiceB } from '../../../sandbox';
import type { ServiceB } from '../../../sandbox';
import { additionalData, addNodeType, nodeTypes } from '../../support/engine';
import { serveWebhooks, WebhookTrigger } from '../../support/webhookTrigger';
import type { HostProcess, LogLine, WebhookCall, WebhookType } from '../../support/webhookTrigger';

interface TriggerRun {
	node: string;
	mode: WorkflowExecuteMode;
	outputs: IDataObject[][];
}

/** The end of what a user asked of a process that was killed. */
export class Killed extends Error {}

let count = 0;

/** The trigger as loaded by several processes. No two of them know a workflow, whose ID is used once. */
const loaded: WebhookType[] = [];

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

/** A process of n8n: the main one, which publishes, or one that takes only calls of webhooks. */
class N8nProcess implements HostProcess {
	readonly instance: HostProcess['instance'];
	readonly open = new Set<WebhookCall['response']>();
	/** Resolves when the process was killed. */
	readonly death: Promise<void>;
	private isDead = false;
	private stepsLeft = Infinity;
	private die = () => {};

	constructor(
		readonly type: WebhookType,
		instanceType: 'main' | 'webhook',
	) {
		this.instance = { instanceType, isLeader: instanceType === 'main' };
		this.death = new Promise((resolve) => (this.die = resolve));
	}

	/** Every step of a publish: n8n's own writes, and both ends of each request. Never resolves in a dead process. */
	readonly step = async () => {
		if (!this.isDead && this.stepsLeft-- <= 0) this.kill();
		if (this.isDead) await new Promise<void>(() => {});
	};

	/** Kills the process after so many steps. */
	killAfter(steps: number): void {
		this.stepsLeft = steps;
	}

	kill(): void {
		this.isDead = true;
		for (const response of this.open) {
			response.socket?.destroy();
			response.end();
		}
		this.die();
	}
}

/** n8n 2.41: a publish that has not ended is cancelled after this, and begun again after that, in ms. */
const DEADLINE = 84_000;
const LEASE = 120_000;

/**
 * Emulates how n8n handles one workflow of trigger nodes and its static data, with n8n's own contexts. What is in the
 * fields `saved`, `rows`, `wanted`, `applied` and `isUnfinished` is in n8n's database, and outlives a process.
 */
export class EmulatedN8n {
	readonly runs: TriggerRun[] = [];
	/** The static data. */
	saved: IDataObject = {};
	/** The webhooks that n8n answers, as `METHOD path`. */
	private readonly rows = new Set<string>();
	/** The published version, and the one whose triggers n8n has activated. */
	private wanted?: INode[];
	private applied?: INode[];
	/** True while n8n has not noted the end of a publish. */
	private isUnfinished = false;
	workflowId = `workflow-${++count}`;
	apiKey: string;
	baseUrl: string;
	requestsPerMinute = 0;
	/** False if the credential was deleted. */
	hasCredential = true;
	/** n8n's public address. */
	address = '';
	/** How long responses to the trigger's requests of a method take to arrive. */
	slowness = { method: '', seconds: 0 };
	/** How often n8n tries to activate a node. */
	activationTries = 5;
	/** False for the way of publishing before n8n 2.40, which `N8N_USE_WORKFLOW_PUBLICATION_SERVICE=false` keeps. */
	hasOutbox = true;
	/** Stores a run. Rejects to emulate a database that cannot be written to. */
	store: () => Promise<void> = async () => {};
	private main = new N8nProcess(new SurveyBTrigger(), 'main');
	private follower?: N8nProcess;
	private readonly processors: N8nProcess[] = [];
	/** The process that takes deliveries. */
	private receiver = this.main;
	private processCount = 0;
	private readonly tests = new Map<string, { node: INode; data?: IDataObject }>();
	private readonly lines: LogLine[] = [];
	private calls: Array<Promise<void>> = [];
	private lastPublish: Promise<unknown> = Promise.resolve();
	private stop = () => {};

	private constructor(readonly service: ServiceB) {
		this.apiKey = service.apiKey;
		this.baseUrl = service.url;
	}

	static async open(service?: ServiceB): Promise<EmulatedN8n> {
		const n8n = new EmulatedN8n(service ?? (await startServiceB()));
		addNodeType('surveyBTrigger', new SurveyBTrigger());
		const server = await serveWebhooks((call) => {
			const { isTest, processor } = partsOf(call);
			const receiver = n8n.processors[processor] ?? n8n.receiver;
			const process = isTest ? n8n.main : receiver;
			n8n.calls.push(Promise.race([process.death, n8n.handle(call, process)]));
		});
		// A port comes again after thousands of others, and a process remembers what it received at a URL.
		n8n.address = `${server.address}/${n8n.workflowId}`;
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

	// Publishing

	/**
	 * Publishes a version of the workflow, or unpublishes it.
	 *
	 * @throws the node's error, or `Killed`
	 */
	async publish(...nodes: INode[]): Promise<void> {
		const before = this.wanted;
		this.wanted = nodes.length > 0 ? nodes : undefined;
		this.isUnfinished = true;
		await this.inTurn(async (main) =>
			this.hasOutbox ? await this.apply(main) : await this.replace(main, before),
		);
	}

	async unpublish(): Promise<void> {
		await this.publish();
	}

	get isPublished(): boolean {
		return this.wanted !== undefined;
	}

	/** Kills the main process after so many steps of what it does from now on. */
	killAfter(steps: number): void {
		this.main.killAfter(steps);
	}

	/** Starts the main process again, which activates the workflow or ends an unfinished publish. */
	async restart(...nodes: INode[]): Promise<void> {
		if (nodes.length > 0) this.wanted = nodes;
		await this.restartQuietly();
		if (!this.hasOutbox) return await this.activateAll('init');
		if (!this.isUnfinished) return;
		await sleep(LEASE);
		await this.inTurn(async (main) => await this.apply(main));
	}

	/** Activates the workflow in a process that takes over from another one. */
	async becomeLeader(): Promise<void> {
		await this.restartQuietly();
		await this.activateAll('leadershipChange');
	}

	/** Starts the main process again, which finds all webhooks in its database. */
	async restartQuietly(): Promise<void> {
		const before = this.main;
		before.kill();
		this.main = new N8nProcess(await this.freshTrigger(), 'main');
		if (this.receiver === before) this.receiver = this.main;
	}

	/** The other main process takes over. The one that led goes on, and may take over again. */
	async changeLeader(): Promise<void> {
		const before = this.main;
		this.main = this.follower ?? new N8nProcess(await this.freshTrigger(), 'main');
		this.follower = before;
		if (this.receiver === before) this.receiver = this.main;
	}

	private async freshTrigger(): Promise<WebhookType> {
		const number = this.processCount++;
		return (loaded[number] ??= await loadTrigger());
	}

	/** Publishes one after another, as n8n's lock of a workflow does. */
	private async inTurn(work: (main: N8nProcess) => Promise<void>): Promise<void> {
		const { main } = this;
		const killed = main.death.then(async () => await Promise.reject(new Killed()));
		killed.catch(() => undefined);
		const before = this.lastPublish;
		const result = Promise.race([killed, before.then(async () => await work(main))]);
		this.lastPublish = result.catch(() => undefined);
		await result;
		this.isUnfinished = false;
	}

	/** Publishes as n8n does since 2.40: deactivates the triggers that changed, then activates those without a webhook. */
	private async apply(main: N8nProcess): Promise<void> {
		const [old, next] = [this.applied ?? [], this.wanted ?? []];
		const isIn = (list: INode[], node: INode) =>
			list.some((one) => registrationOf(one) === registrationOf(node));
		const removed = old.filter((node) => !isIn(next, node));
		const isRegistered = (node: INode) => this.keysOf(node).every((key) => this.rows.has(key));
		const added = next.filter((node) => !isIn(old, node) || !isRegistered(node));
		const mode = this.applied === undefined ? 'activate' : 'update';
		// n8n loads the static data once.
		let data = this.saved;
		if (removed.length > 0) {
			for (const node of removed) this.forgetRows(node);
			await main.step();
			const workflow = this.workflow(old, data, true);
			await Promise.all(removed.map(async (node) => await this.unregister(main, workflow, node)));
			this.save(workflow);
			data = { ...workflow.staticData };
			await main.step();
		}
		this.applied = this.wanted;
		await main.step();
		const workflow = this.workflow(next, data, true);
		const results = await Promise.allSettled(
			added.map(async (node) => await this.activate(main, workflow, node, mode)),
		);
		this.save(workflow);
		await main.step();
		this.isUnfinished = false;
		const failed = results.find((result) => result.status === 'rejected');
		if (failed) await Promise.reject(failed.reason);
	}

	/** Activates a node in several tries, until n8n cancels it. After each one that failed, n8n calls `delete`. */
	private async activate(
		main: N8nProcess,
		workflow: Workflow,
		node: INode,
		mode: WorkflowActivateMode,
	): Promise<void> {
		const cancelled = new UnexpectedError('Workflow publication processing exceeded its deadline');
		let isOver = false;
		const tries = async () => {
			for (let tries = 1; !isOver; tries++) {
				const work = this.register(main, workflow, node, mode);
				const [result] = await Promise.allSettled([work]);
				if (result.status === 'fulfilled') return;
				await this.unregister(main, workflow, node);
				this.save(workflow);
				this.forgetRows(node);
				await main.step();
				const isFinal = Object(result.reason).constructor.name === 'WebhookPathTakenError';
				if (isFinal || tries >= this.activationTries) return await Promise.reject(result.reason);
				await sleep(1000 * 2 ** (tries - 1));
			}
		};
		const deadline = sleep(DEADLINE).then(async () => await Promise.reject(cancelled));
		await Promise.race([tries(), deadline]).finally(() => (isOver = true));
	}

	/** Publishes as n8n did before 2.40: deactivates all triggers, then activates all. */
	private async replace(main: N8nProcess, before?: INode[]): Promise<void> {
		if (before) await this.removeAll(main, before);
		this.applied = this.wanted;
		await main.step();
		await this.addAll(main, before ? 'update' : 'activate').catch(async (error) => {
			this.wanted = undefined;
			await Promise.reject(error);
		});
	}

	private async removeAll(main: N8nProcess, nodes: INode[]): Promise<void> {
		const workflow = this.workflow(nodes, this.saved, true);
		for (const node of nodes) await this.unregister(main, workflow, node);
		this.save(workflow);
		await main.step();
		for (const node of nodes) this.forgetRows(node);
		await main.step();
	}

	private async addAll(main: N8nProcess, mode: WorkflowActivateMode): Promise<void> {
		const nodes = this.wanted ?? [];
		const workflow = this.workflow(nodes, this.saved, true);
		for (const node of nodes) {
			const [result] = await Promise.allSettled([this.register(main, workflow, node, mode)]);
			if (result.status === 'fulfilled') continue;
			await this.removeAll(main, nodes);
			await Promise.reject(result.reason);
		}
		this.save(workflow);
		await main.step();
	}

	/** Activates the workflow without a user. n8n goes on trying. */
	private async activateAll(mode: WorkflowActivateMode): Promise<void> {
		this.applied = this.wanted;
		await this.inTurn(async (main) => {
			for (let tries = 1; ; tries++) {
				const [result] = await Promise.allSettled([this.addAll(main, mode)]);
				if (result.status === 'fulfilled') return;
				if (tries >= this.activationTries) await Promise.reject(result.reason);
				await sleep(1000 * 2 ** (tries - 1));
			}
		});
	}

	/** n8n stores its own row of each webhook before the trigger creates what belongs to it. */
	private async register(
		main: N8nProcess,
		workflow: Workflow,
		node: INode,
		mode: WorkflowActivateMode,
	): Promise<void> {
		const trigger = this.triggerIn(main);
		for (const webhook of trigger.webhooksOf(workflow, node, false)) {
			this.rows.add(keyOf(webhook));
			await main.step();
			await trigger.register(workflow, webhook, 'trigger', mode);
			await main.step();
		}
	}

	/** n8n logs an error of a node that it deactivates, and continues. */
	private async unregister(main: N8nProcess, workflow: Workflow, node: INode): Promise<void> {
		const trigger = this.triggerIn(main);
		await trigger
			.unregister(workflow, trigger.webhookOf(workflow, node, false))
			.catch((error: unknown) => this.lines.push(['error', String(error)]));
		await main.step();
	}

	private keysOf(node: INode): string[] {
		const workflow = this.workflow([node], {}, true);
		return this.triggerIn(this.main).webhooksOf(workflow, node, false).map(keyOf);
	}

	private forgetRows(node: INode): void {
		for (const key of this.keysOf(node)) this.rows.delete(key);
	}

	private webhookOf(node: INode, isTest: boolean): IWebhookData {
		const workflow = this.workflow([node], {}, !isTest);
		return this.triggerIn(this.main).webhookOf(workflow, node, isTest);
	}

	// Tests in the editor

	/** Listens for a test event. */
	async listen(node: INode): Promise<void> {
		const { main } = this;
		const trigger = this.triggerIn(main);
		const workflow = this.workflow([node], {}, false);
		const webhook = trigger.webhookOf(workflow, node, true);
		const registration: { node: INode; data?: IDataObject } = { node };
		this.tests.set(webhook.path, registration);
		const work = trigger.register(workflow, webhook, 'manual', 'manual');
		const [result] = await Promise.allSettled([work]);
		await main.step();
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

	private async deactivateTest(workflow: Workflow, node: INode): Promise<void> {
		const webhook = this.webhookOf(node, true);
		await this.triggerIn(this.main).unregister(workflow, webhook);
		this.tests.delete(webhook.path);
	}

	// Deliveries

	/** Has a webhook processor take the deliveries from now on. Each has a memory of its own. */
	async useProcessor(number = 0): Promise<void> {
		this.receiver = this.processors[number] ??= new N8nProcess(
			await this.freshTrigger(),
			'webhook',
		);
	}

	useMain(): void {
		this.receiver = this.main;
	}

	private async handle(call: WebhookCall, process: N8nProcess): Promise<void> {
		const { request, response } = call;
		const { path, isTest } = partsOf(call);
		const test = isTest ? this.tests.get(path) : undefined;
		const nodes = this.applied ?? [];
		const key = keyOf({ httpMethod: 'POST', path });
		const ofKey = nodes.find((one) => this.keysOf(one).includes(key));
		const live = this.rows.has(key) ? ofKey : undefined;
		const node = isTest ? test?.node : live;
		if (!node) return void response.status(404).json({ message: 'not registered' });

		const workflow = this.workflow(isTest ? [node] : nodes, isTest ? {} : this.saved, !isTest);
		if (test?.data) workflow.setTestStaticData(deepCopy(test.data));
		const { store } = this;
		const trigger = this.triggerIn(process);
		process.open.add(response);
		const outputs = await trigger.receive(
			workflow,
			trigger.webhookOf(workflow, node, isTest),
			{ request, response },
			{
				store,
				save: () => (isTest ? undefined : this.save(workflow)),
				alive: process.step,
			},
		);
		process.open.delete(response);
		if (!outputs) return;
		const mode = isTest ? 'manual' : 'webhook';
		this.runs.push({ node: node.name, mode, outputs });
		if (isTest) await this.stopListening();
	}

	async post(
		url: string,
		body: unknown,
		headers?: Record<string, string>,
	): Promise<{ status: number; data: unknown }> {
		const { status, data } = await axios.post(url, body, { validateStatus: () => true, headers });
		return { status, data };
	}

	/** Resolves when n8n has handled every request, including its work after the response. */
	async idle(): Promise<void> {
		while (this.calls.length > 0) await this.calls.shift();
	}

	// What a test looks at

	/** The events of the webhooks at the service, by webhook ID. */
	get hooks(): Record<string, string> {
		return Object.fromEntries(this.service.state.hooks.map(({ id, event }) => [id, String(event)]));
	}

	/** The requests that the service received, as `METHOD path`. */
	get requests(): string[] {
		return this.service.requests.map(({ method, path }) => `${method} ${path}`);
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

	private triggerIn(process: N8nProcess): WebhookTrigger {
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
		// All workflows share n8n's logger, and a removal that an earlier test left behind may log late.
		const log = (line: LogLine) => {
			const { workflowId = this.workflowId } = Object(line[2]);
			if (workflowId === this.workflowId) this.lines.push(line);
		};
		const slow = async (method: unknown) => {
			if (method === this.slowness.method) await sleep(this.slowness.seconds * 1000);
		};
		return new WebhookTrigger(process.type, additional, log, { ...process, slow });
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

/** Returns the parts of a call. A header may name the webhook processor that takes it. */
function partsOf({ request }: WebhookCall): { path: string; isTest: boolean; processor: number } {
	const [, , endpoint, ...rest] = request.path.split('/');
	const processor = Number(request.header('x-processor') ?? NaN);
	return { path: rest.join('/'), isTest: endpoint === 'webhook-test', processor };
}

function keyOf({ httpMethod, path }: Pick<IWebhookData, 'httpMethod' | 'path'>): string {
	return `${httpMethod} ${path}`;
}

/** What n8n compares to find the triggers that changed. */
function registrationOf({ name, type, typeVersion, webhookId, credentials, parameters }: INode) {
	return JSON.stringify([name, type, typeVersion, webhookId, credentials, parameters]);
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
