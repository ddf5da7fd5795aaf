import { ActiveWorkflowTriggers, PollContext, PollTriggerExecutor } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';

import { SurveyATrigger } from '../../../nodes/SurveyA/SurveyATrigger.node';
import { startServiceA } from '../../../sandbox';
import type { ServiceA } from '../../../sandbox';
import { placeCustomer } from '../../../sandbox/a/writing';
import { additionalData, addNodeType, nodeTypes } from '../../support/engine';
import { nameOf } from '../../support/triggerItems';

const trigger = new SurveyATrigger();
// n8n-core gives it to polling nodes when it loads them.
trigger.description.properties.unshift({
	displayName: 'Poll Times',
	name: 'pollTimes',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	options: [{ name: 'item', displayName: 'Item', values: [] }],
	default: {},
});
addNodeType('surveyATrigger', trigger);

/** A process knows nothing of the one before: what it keeps in memory goes by the workflow's ID. */
let processes = 0;

/** The outputs of one poll. */
export type Output = INodeExecutionData[][] | null;

interface Container {
	get<Part>(type: new (...parts: never[]) => Part): Part;
}

/** Where n8n-core has its parts; the package that holds them is n8n-core's own copy. */
const { Container: container }: { Container: Container } = createRequire(
	require.resolve('n8n-core'),
)('@n8n/di');

const triggers = container.get(ActiveWorkflowTriggers);
const executor = container.get(PollTriggerExecutor);

/**
 * A workflow that begins with the trigger, activated and polled by n8n-core. What belongs to n8n itself
 * (2.41) is done here: it stores what the node remembers after an activation and with the items of a
 * poll, but not after a poll without items.
 */
export class Stage {
	/** The runs that were started, each by the items of all outputs. */
	readonly runs: INodeExecutionData[][] = [];
	/** How long n8n lets a poll take, in ms. */
	budget = 300_000;
	/** The node's name. */
	name = 'Survey A Trigger';
	/** The node's ID: a copy of a workflow has the same nodes, another node has another one. */
	nodeId = 'trigger';
	/** What tells the workflow's ID from that of others. */
	workflowName = 'workflow';
	protected process = ++processes;
	private stored: IDataObject = {};
	private parameters: INodeParameters = {};
	private isPublished = false;
	/** Polls by the clock: what n8n-core's timers call. */
	private byClock = async () => {};
	private isCurrent = () => true;
	/** What came of the poll that is at work. */
	private readonly outcome = new AsyncLocalStorage<{ output: Output; error?: Error }>();

	constructor(protected readonly credential: ICredentialDataDecryptedObject) {}

	/** Publishes the workflow with these parameters. */
	async publish(parameters = this.parameters): Promise<Output> {
		this.parameters = parameters;
		return await this.activate(this.isPublished ? 'update' : 'activate');
	}

	/** n8n comes up after its end, with what it had stored; or another of its processes takes over. */
	async restart(activation: WorkflowActivateMode = 'init'): Promise<Output> {
		await this.deactivate();
		this.endProcess();
		return await this.activate(activation);
	}

	/** Removes the workflow from n8n-core. */
	async deactivate(): Promise<void> {
		await triggers.removeTriggers(this.workflowId, new Set([this.nodeId]));
	}

	/** Another trigger in the same process: of the same workflow, or of another one. */
	neighbour({ nodeId = this.nodeId, workflowName = this.workflowName }): Stage {
		const other = new Stage(this.credential);
		return Object.assign(other, { nodeId, workflowName, process: this.process });
	}

	/** A poll by the clock. */
	async poll(): Promise<Output> {
		return await this.outcomeOf(async () => await this.byClock());
	}

	/** A poll whose outcome n8n does not live to see, or drops since the workflow is published anew. */
	async pollInVain(): Promise<void> {
		const polling = this.byClock();
		const { isCurrent } = this;
		this.isCurrent = () => false;
		await polling;
		this.isCurrent = isCurrent;
	}

	/** What the editor's test button shows. */
	async test(parameters = this.parameters): Promise<Output> {
		const workflow = this.load(parameters);
		const data = additionalData(this.credential);
		const context = new PollContext(workflow, this.node(parameters), data, 'manual', 'manual');
		const output = await trigger.poll.call(context);
		expect(workflow.staticData).toEqual(this.stored);
		return output;
	}

	/** All items that came out, as `feedback.created <id>`. */
	get came(): string[] {
		return this.runs.flat().map(({ json }) => nameOf(json));
	}

	/** How large what n8n has stored is, in bytes. */
	get storedSize(): number {
		return JSON.stringify(this.stored).length;
	}

	/** Changes what n8n keeps for the workflow's Code nodes, say. */
	set counter(count: number) {
		this.stored = { ...this.stored, global: { ...Object(this.stored.global), count } };
	}

	get counter(): unknown {
		return Object(this.stored.global).count;
	}

	protected endProcess(): void {
		this.process = ++processes;
	}

	protected async activate(activation: WorkflowActivateMode): Promise<Output> {
		const workflow = this.load();
		this.isPublished = true;
		const output = await this.outcomeOf(async () => {
			await triggers.removeTriggers(workflow.id, new Set([this.nodeId]));
			await triggers
				.addTriggers(
					workflow.id,
					workflow,
					[this.nodeId],
					additionalData(this.credential),
					'trigger',
					activation,
					neverTriggers,
					() => this.pollFunctions(workflow, activation),
				)
				.catch(({ cause }) => this.fail(cause));
		});
		this.save(workflow);
		return output;
	}

	private get workflowId(): string {
		return `${this.workflowName} ${this.process}`;
	}

	/** Does what polls; gives the items that a run was started with. */
	protected async outcomeOf(work: () => Promise<void>): Promise<Output> {
		const outcome: { output: Output; error?: Error } = { output: null };
		await this.outcome.run(outcome, work);
		if (outcome.error) throw outcome.error;
		return outcome.output;
	}

	/** n8n starts a run with the items, and stores what the node remembers. */
	protected start(workflow: Workflow, output: INodeExecutionData[][]): void {
		this.save(workflow);
		this.runs.push(output.flat());
		Object.assign(this.outcome.getStore() ?? {}, { output });
	}

	protected fail(error: Error): void {
		Object.assign(this.outcome.getStore() ?? {}, { error });
	}

	protected pollFunctions(workflow: Workflow, activation: WorkflowActivateMode): IPollFunctions {
		const functions = new PollContext(
			workflow,
			this.node(),
			additionalData(this.credential),
			'trigger',
			activation,
			(output) => this.start(workflow, output),
			(error) => this.fail(error),
			undefined,
			undefined,
			undefined,
			() => this.budget,
		);
		this.byClock = executor.create(workflow, this.node(), functions, () => this.isCurrent());
		return functions;
	}

	/** n8n stores the data of a whole workflow at a time, if any of it was changed. */
	protected save({ staticData }: Workflow): void {
		if (staticData.__dataChanged === true) this.stored = copyOf(staticData);
	}

	protected load(parameters = this.parameters): Workflow {
		return new Workflow({
			id: this.workflowId,
			nodes: [this.node(parameters)],
			connections: {},
			active: true,
			nodeTypes,
			staticData: copyOf(this.stored),
		});
	}

	protected node(parameters = this.parameters): INode {
		return {
			id: this.nodeId,
			name: this.name,
			type: 'surveyATrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: { ...parameters, pollTimes: { item: [] } },
			credentials: { surveyAApi: { id: 'a', name: 'A' } },
		};
	}
}

/** What the node may remember in during a poll of the durable scheduler. */
interface Staged {
	cursor: IDataObject;
}

/**
 * The same in an n8n with durable cursors: what the node remembers is stored under its ID, in one
 * transaction with the run, and by the clock also without one. After an activation without items it is
 * not stored. n8n loads the workflow anew for each poll by the clock.
 */
export class DurableStage extends Stage {
	private cursor: IDataObject = {};
	private readonly staged = new AsyncLocalStorage<Staged>();

	/** n8n comes up. It knows its poll times still, so that no poll is part of the activation. */
	async restart(): Promise<Output> {
		this.endProcess();
		return null;
	}

	async poll(): Promise<Output> {
		return await this.pollByClock(copyOf(this.cursor));
	}

	async pollInVain(): Promise<void> {
		const before = this.cursor;
		const started = this.runs.length;
		await this.poll();
		this.cursor = before;
		this.runs.length = started;
	}

	/** Two polls, one hard on the other: n8n loads for the second before it stores what the first gave. */
	async pollTwice(): Promise<Output[]> {
		const loaded = copyOf(this.cursor);
		return [await this.poll(), await this.pollByClock(loaded)];
	}

	protected start(workflow: Workflow, output: INodeExecutionData[][]): void {
		this.commit();
		super.start(workflow, output);
	}

	/** As n8n's handler of poll tasks does: with the same functions of n8n-core as other polls. */
	private async pollByClock(cursor: IDataObject): Promise<Output> {
		const workflow = this.load();
		const functions = this.pollFunctions(workflow, 'update', 36_000, cursor);
		return await this.outcomeOf(async () => {
			await executor.create(workflow, this.node(), functions, () => true)();
		});
	}

	protected pollFunctions(
		workflow: Workflow,
		activation: WorkflowActivateMode,
		budget = this.budget,
		cursor = copyOf(this.cursor),
	): IPollFunctions {
		return new PollContext(
			workflow,
			this.node(),
			additionalData(this.credential),
			'trigger',
			activation,
			(output) => this.start(workflow, output),
			(error) => this.fail(error),
			async () => this.commit(),
			async (poll) => await this.staged.run({ cursor }, poll),
			() => this.staged.getStore()?.cursor ?? {},
			() => budget,
		);
	}

	private commit(): void {
		this.cursor = this.staged.getStore()?.cursor ?? this.cursor;
	}
}

function neverTriggers(): never {
	throw new Error('The workflow has no other trigger');
}

function copyOf(data: IDataObject): IDataObject {
	return JSON.parse(JSON.stringify(data));
}

/** Two of the service's campaigns, by what they ask for. */
export const NPS = '64a000000000000000000003';
export const CSAT = '64a000000000000000000004';

/** The service of the file's tests. */
export let a: ServiceA;

export const credential = () => ({ baseUrl: a.url, apiKey: a.apiKey, requestsPerMinute: 0 });

export const newCustomer = (email: string) =>
	placeCustomer(a.state, { email }, a.state.clock.now());

/** Starts the service for the tests of a file; each finds it as it begins. */
export function withServiceA(): void {
	beforeAll(async () => void (a = await startServiceA()));
	afterAll(async () => await a.close());
	beforeEach(() => {
		jest.restoreAllMocks();
		a.reset();
	});
}
