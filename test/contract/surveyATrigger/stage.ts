import { PollContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { SurveyATrigger } from '../../../nodes/SurveyA/SurveyATrigger.node';
import { additionalData, addNodeType, nodeTypes } from '../../support/engine';
import { nameOf } from '../../support/triggerItems';

const trigger = new SurveyATrigger();
addNodeType('surveyATrigger', trigger);

/** A process knows nothing of the one before: what it keeps in memory goes by the workflow's ID. */
let processes = 0;

/** The outputs of one poll. */
export type Output = INodeExecutionData[][] | null;

/**
 * A workflow that begins with the trigger, and what n8n 2.41 does with it: it polls when the workflow
 * is activated and by the clock, and stores what the node remembers after an activation and with the
 * items of a poll, but not after a poll without items.
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
	protected workflow?: Workflow;
	private stored: IDataObject = {};
	private parameters: INodeParameters = {};
	private activation: WorkflowActivateMode = 'activate';
	private context?: PollContext;
	protected process = ++processes;

	constructor(private readonly credential: ICredentialDataDecryptedObject) {}

	/** Publishes the workflow with these parameters. */
	async publish(parameters = this.parameters): Promise<Output> {
		const activation = this.workflow ? 'update' : 'activate';
		this.parameters = parameters;
		return await this.activate(activation);
	}

	/** n8n comes up after its end, with what it had stored; or another of its processes takes over. */
	async restart(activation: WorkflowActivateMode = 'init'): Promise<Output> {
		this.endProcess();
		return await this.activate(activation);
	}

	/** Another trigger in the same process: of the same workflow, or of another one. */
	neighbour({ nodeId = this.nodeId, workflowName = this.workflowName }): Stage {
		const other = new Stage(this.credential);
		return Object.assign(other, { nodeId, workflowName, process: this.process });
	}

	/** A poll by the clock. */
	async poll(): Promise<Output> {
		const output = await trigger.poll.call(this.activeContext());
		if (output) this.start(output);
		return output;
	}

	/** A poll whose outcome n8n does not live to see, or drops. */
	async pollInVain(): Promise<void> {
		await trigger.poll.call(this.activeContext()).catch(() => undefined);
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
		this.activation = activation;
		this.workflow = this.load(this.parameters);
		this.context = this.contextOf(this.workflow, undefined, () => this.budget);
		const output = await this.poll();
		this.save();
		return output;
	}

	protected start(output: INodeExecutionData[][]): void {
		this.save();
		this.runs.push(output.flat());
	}

	/** n8n stores the data of a whole workflow at a time, if any of it was changed. */
	protected save(): void {
		const data = this.workflow?.staticData;
		if (data?.__dataChanged === true) this.stored = copyOf(data);
	}

	protected load(parameters = this.parameters): Workflow {
		return new Workflow({
			id: `${this.workflowName} ${this.process}`,
			nodes: [this.node(parameters)],
			connections: {},
			active: true,
			nodeTypes,
			staticData: copyOf(this.stored),
		});
	}

	/** @param cursor what n8n hands the node to remember in, where that is not the workflow's data */
	protected contextOf(
		workflow: Workflow,
		cursor?: IDataObject,
		budget?: () => number,
	): PollContext {
		const node = this.node(this.parameters);
		const data = additionalData(this.credential);
		const memory = cursor && (() => cursor);
		const { activation } = this;
		const unused = [undefined, undefined, undefined, undefined] as const;
		return new PollContext(workflow, node, data, 'trigger', activation, ...unused, memory, budget);
	}

	private activeContext(): PollContext {
		if (!this.context) throw new Error('Publish the workflow first');
		return this.context;
	}

	private node(parameters: INodeParameters): INode {
		return {
			id: this.nodeId,
			name: this.name,
			type: 'surveyATrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters,
			credentials: { surveyAApi: { id: 'a', name: 'A' } },
		};
	}
}

/**
 * The same in an n8n with durable cursors: what the node remembers is stored under its ID, in one
 * transaction with the run, and by the clock also without one. After an activation without items it is
 * not stored. n8n loads the workflow anew for each poll by the clock.
 */
export class DurableStage extends Stage {
	private cursor: IDataObject = {};

	/** n8n comes up. It knows its poll times still, so that no poll is part of the activation. */
	async restart(): Promise<Output> {
		this.endProcess();
		return null;
	}

	async poll(): Promise<Output> {
		return this.commit(await this.pollByClock());
	}

	async pollInVain(): Promise<void> {
		await this.pollByClock();
	}

	protected async activate(): Promise<Output> {
		const workflow = this.load();
		this.workflow = workflow;
		const polled = await this.pollIn(workflow);
		if (polled.output) this.commit(polled);
		this.save();
		return polled.output;
	}

	/** Two polls, one hard on the other: n8n loads for the second before it stores what the first gave. */
	async pollTwice(): Promise<Output[]> {
		const loaded = copyOf(this.cursor);
		const first = await this.poll();
		return [first, this.commit(await this.pollByClock(loaded))];
	}

	private async pollByClock(cursor = copyOf(this.cursor)): Promise<Polled> {
		const workflow = this.load();
		this.workflow = workflow;
		return await this.pollIn(workflow, () => 36_000, cursor);
	}

	private async pollIn(
		workflow: Workflow,
		budget?: () => number,
		cursor = copyOf(this.cursor),
	): Promise<Polled> {
		const output = await trigger.poll.call(this.contextOf(workflow, cursor, budget));
		return { output, cursor };
	}

	private commit({ output, cursor }: Polled): Output {
		this.cursor = cursor;
		if (output) this.start(output);
		return output;
	}
}

interface Polled {
	output: Output;
	cursor: IDataObject;
}

function copyOf(data: IDataObject): IDataObject {
	return JSON.parse(JSON.stringify(data));
}
