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

const trigger = new SurveyATrigger();
addNodeType('surveyATrigger', trigger);

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
	private stored: IDataObject = {};
	private workflow?: Workflow;
	private parameters: INodeParameters = {};
	private activation: WorkflowActivateMode = 'activate';
	private processes = 0;

	constructor(private readonly credential: ICredentialDataDecryptedObject) {}

	/** Publishes the workflow with these parameters. */
	async publish(parameters: INodeParameters): Promise<Output> {
		const activation = this.workflow ? 'update' : 'activate';
		this.parameters = parameters;
		return await this.activate(activation);
	}

	/** n8n comes up after its end, with what it had stored. */
	async restart(): Promise<Output> {
		// A process that knows nothing of the one before: what it keeps in memory goes by these names.
		this.processes++;
		return await this.activate('init');
	}

	/** A poll by the clock. */
	async poll(): Promise<Output> {
		const output = await trigger.poll.call(this.context());
		if (output) this.start(output);
		return output;
	}

	/** A poll whose outcome n8n does not live to see. */
	async pollAndDie(): Promise<void> {
		await trigger.poll.call(this.context()).catch(() => undefined);
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

	private async activate(activation: WorkflowActivateMode): Promise<Output> {
		this.activation = activation;
		this.workflow = this.load(this.parameters);
		const output = await this.poll();
		this.save();
		return output;
	}

	private start(output: INodeExecutionData[][]): void {
		this.save();
		this.runs.push(output.flat());
	}

	private save(): void {
		this.stored = JSON.parse(JSON.stringify(this.workflow?.staticData ?? {}));
	}

	private load(parameters: INodeParameters): Workflow {
		return new Workflow({
			id: `workflow ${this.processes} ${this.credential.baseUrl}`,
			nodes: [this.node(parameters)],
			connections: {},
			active: true,
			nodeTypes,
			staticData: JSON.parse(JSON.stringify(this.stored)),
		});
	}

	private context(): PollContext {
		const workflow = this.workflow ?? this.load(this.parameters);
		const node = this.node(this.parameters);
		const data = additionalData(this.credential);
		const context = new PollContext(workflow, node, data, 'trigger', this.activation);
		return Object.assign(context, { getPollBudgetMs: () => this.budget });
	}

	private node(parameters: INodeParameters): INode {
		return {
			id: 'trigger',
			name: 'Survey A Trigger',
			type: 'surveyATrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters,
			credentials: { surveyAApi: { id: 'a', name: 'A' } },
		};
	}
}

export function nameOf({ event, data }: IDataObject): string {
	const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined;
	return `${String(event)} ${String(id)}`;
}
