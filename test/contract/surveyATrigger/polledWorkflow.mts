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
import { additionalData, addNodeType, nodeOf, nodeTypes } from '../../support/engine';
import { nameOf } from '../../support/triggerItems';

const trigger = new SurveyATrigger();
// n8n-core adds this parameter to polling nodes when it loads them.
trigger.description.properties.unshift({
	displayName: 'Poll Times',
	name: 'pollTimes',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	options: [{ name: 'item', displayName: 'Item', values: [] }],
	default: {},
});
addNodeType('surveyATrigger', trigger);

/** Numbers the n8n processes. A workflow gets a new ID in each: the trigger's memory is kept by workflow ID. */
let processes = 0;

export type Output = INodeExecutionData[][] | null;

interface Container {
	get<Part>(type: new (...parts: never[]) => Part): Part;
}

/** n8n-core's dependency container, from its own copy of the package. */
const { Container: container }: { Container: Container } = createRequire(
	require.resolve('n8n-core'),
)('@n8n/di');

// Node 20 keeps every such storage that was ever used, so all workflows share one.
const outcomes = new AsyncLocalStorage<{ output: Output; error?: Error }>();
const cursors = new AsyncLocalStorage<DurableData>();

const triggers = container.get(ActiveWorkflowTriggers);
const executor = container.get(PollTriggerExecutor);

/**
 * A workflow that begins with the trigger, activated and polled by n8n-core. As n8n 2.41 does, it stores the
 * node's static data after an activation and with the items of a poll, but not after a poll without items.
 */
export class PolledWorkflow {
	readonly runs: INodeExecutionData[][] = [];
	readonly warnings: string[] = [];
	/** How long n8n lets a poll take, in ms. */
	budget = 300_000;
	name = 'Survey A Trigger';
	/** The node's ID. A copied workflow has the same node IDs. */
	nodeId = 'trigger';
	/** Makes the workflow's ID unique. */
	workflowName = 'workflow';
	protected process = ++processes;
	private stored: IDataObject = {};
	private parameters: INodeParameters = {};
	private isPublished = false;
	/** The function that n8n-core's timers call. */
	private byClock = async () => {};
	private isCurrent = () => true;

	constructor(protected readonly credential: ICredentialDataDecryptedObject) {}

	async publish(parameters = this.parameters): Promise<Output> {
		this.parameters = parameters;
		return await this.activate(this.isPublished ? 'update' : 'activate');
	}

	/** Starts n8n again with its stored data. With `leadershipChange`, another process takes over. */
	async restart(activation: WorkflowActivateMode = 'init'): Promise<Output> {
		await this.deactivate();
		this.endProcess();
		return await this.activate(activation);
	}

	/** Removes the workflow from n8n-core. */
	async deactivate(): Promise<void> {
		await triggers.removeTriggers(this.workflowId, new Set([this.nodeId]));
	}

	neighbour({ nodeId = this.nodeId, workflowName = this.workflowName }): PolledWorkflow {
		const other = new PolledWorkflow(this.credential);
		return Object.assign(other, { nodeId, workflowName, process: this.process });
	}

	async poll(): Promise<Output> {
		return await this.outcomeOf(async () => await this.byClock());
	}

	/** Runs a poll whose result n8n drops, because it was killed or the workflow was published again. */
	async pollInVain(): Promise<void> {
		const polling = this.byClock();
		const { isCurrent } = this;
		this.isCurrent = () => false;
		await polling;
		this.isCurrent = isCurrent;
	}

	async test(parameters = this.parameters): Promise<Output> {
		const workflow = this.load(parameters);
		const data = additionalData(this.credential);
		const context = new PollContext(workflow, this.node(parameters), data, 'manual', 'manual');
		const output = await trigger.poll.call(context);
		expect(workflow.staticData).toEqual(this.stored);
		return output;
	}

	/** Begins a run of the workflow. Returns the end of the run, which stores the static data as it was at the start. */
	beginRun(): () => void {
		const data = copyOf(this.stored);
		return () => void (this.stored = data);
	}

	/** All items that came out, as `feedback.created <id>`. */
	get came(): string[] {
		return this.runs.flat().map(({ json }) => nameOf(json));
	}

	get storedSize(): number {
		return JSON.stringify(this.stored).length;
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

	/** Does work that polls. Returns the items of the run that it started. */
	protected async outcomeOf(work: () => Promise<void>): Promise<Output> {
		const outcome: { output: Output; error?: Error } = { output: null };
		await outcomes.run(outcome, work);
		if (outcome.error) throw outcome.error;
		return outcome.output;
	}

	/** Starts a run with the items, and stores the static data. */
	protected start(workflow: Workflow, output: INodeExecutionData[][]): void {
		this.save(workflow);
		this.runs.push(output.flat());
		Object.assign(outcomes.getStore() ?? {}, { output });
	}

	protected fail(error: Error): void {
		Object.assign(outcomes.getStore() ?? {}, { error });
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
		jest
			.spyOn(functions.logger, 'warn')
			.mockImplementation((line) => void this.warnings.push(line));
		this.byClock = executor.create(workflow, this.node(), functions, () => this.isCurrent());
		return functions;
	}

	/** Stores the static data of the workflow if any of it was changed. */
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
			...nodeOf(this.name, 'surveyATrigger', { ...parameters, pollTimes: { item: [] } }),
			id: this.nodeId,
			credentials: { surveyAApi: { id: 'a', name: 'A' } },
		};
	}
}

/** The data that a durable poll may change. */
interface DurableData {
	cursor: IDataObject;
	loaded: string;
}

/**
 * The same with durable poll cursors: n8n stores the node's data in one transaction with the run, and after
 * scheduled polls without a run, but not after an activation without items. It loads the workflow again for
 * each scheduled poll.
 */
export class DurablyPolledWorkflow extends PolledWorkflow {
	private cursor: IDataObject = {};

	/** Starts n8n again. The stored poll times continue, so the activation does not poll. */
	async restart(): Promise<Output> {
		this.endProcess();
		return null;
	}

	async poll(): Promise<Output> {
		return await this.pollByClock(this.load(), copyOf(this.cursor));
	}

	async pollInVain(): Promise<void> {
		const before = this.cursor;
		const started = this.runs.length;
		await this.poll();
		this.cursor = before;
		this.runs.length = started;
	}

	/** Polls twice: n8n loads the data for the second poll before it stores that of the first. */
	async pollTwice(): Promise<Output[]> {
		const cursor = copyOf(this.cursor);
		const first = await this.poll();
		return [first, await this.pollByClock(this.load(), cursor)];
	}

	protected start(workflow: Workflow, output: INodeExecutionData[][]): void {
		this.commit();
		super.start(workflow, output);
	}

	private async pollByClock(workflow: Workflow, cursor: IDataObject): Promise<Output> {
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
			async (poll) => await cursors.run({ cursor, loaded: JSON.stringify(cursor) }, poll),
			() => cursors.getStore()?.cursor ?? {},
			() => budget,
		);
	}

	/** Stores the node's data if the poll changed it. */
	private commit(): void {
		const { cursor, loaded } = cursors.getStore() ?? {};
		if (cursor && JSON.stringify(cursor) !== loaded) this.cursor = cursor;
	}
}

function neverTriggers(): never {
	throw new Error('The workflow has no other trigger');
}

function copyOf(data: IDataObject): IDataObject {
	return JSON.parse(JSON.stringify(data));
}

/** Two of the service's campaigns, named by their metric. */
export const NPS = '64a000000000000000000003';
export const CSAT = '64a000000000000000000004';

/** The service, shared by the tests of a file. */
export let a: ServiceA;

/** Options with which feedback starts a run without waiting for its comment. */
export const AT_ONCE = { waitForComment: 0 };

export const credential = () => ({ baseUrl: a.url, apiKey: a.apiKey, requestsPerMinute: 0 });

export const newCustomer = (email: string) =>
	placeCustomer(a.state, { email }, a.state.clock.now());

/** Starts the service for the tests of a file, and resets it before each. */
export function withServiceA(): void {
	beforeAll(async () => void (a = await startServiceA()));
	afterAll(async () => await a.close());
	beforeEach(() => {
		jest.restoreAllMocks();
		a.reset();
	});
}
