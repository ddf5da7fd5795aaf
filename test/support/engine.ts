import { ExecutionLifecycleHooks, ExternalSecretsProxy, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	ICredentialsHelper,
	NodeConnectionTypes,
	UnexpectedError,
	Workflow,
} from 'n8n-workflow';
import type {
	IBinaryKeyData,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
	OnError,
} from 'n8n-workflow';

import { SurveyAApi } from '../../credentials/SurveyAApi.credentials';
import { SurveyBApi } from '../../credentials/SurveyBApi.credentials';
import { SurveyA } from '../../nodes/SurveyA/SurveyA.node.ts';
import { SurveyB } from '../../nodes/SurveyB/SurveyB.node.ts';

/** Feeds the node under test. n8n's own trigger is in a package that is not installed here. */
class Start implements INodeType {
	description = {
		displayName: 'Start',
		name: 'start',
		group: [],
		version: 1,
		description: '',
		defaults: {},
		usableAsTool: true as const,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};
}

/** `npm run split` removes the lines that name the other service. */
const types: Record<string, INodeType> = {
	start: new Start(),
	surveyA: new SurveyA(),
	surveyB: new SurveyB(),
	surveyATool: toolOf(new SurveyA()),
	surveyBTool: toolOf(new SurveyB()),
};

/** Returns a node type as n8n offers it to AI agents: its name ends in Tool. */
function toolOf(type: INodeType): INodeType {
	type.description.name += 'Tool';
	return type;
}

export const nodeTypes: INodeTypes = {
	getByName: (name) => typeOf(name),
	getByNameAndVersion: (name) => typeOf(name),
	getKnownTypes: () => ({}),
};

function typeOf(name: string): INodeType {
	const type = types[name];
	if (type === undefined) throw new UnexpectedError(`no node type ${name}`);
	return type;
}

/** Adds a node type to the engine, for example a trigger. */
export function addNodeType(name: string, type: INodeType): void {
	types[name] = type;
}

/** A credential type that signs by a function. */
interface SigningCredential {
	name: string;
	authenticate(
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions>;
}

const credentialTypes: SigningCredential[] = [new SurveyAApi(), new SurveyBApi()];

/** Adds a credential type to the engine. */
export function addCredentialType(type: SigningCredential): void {
	credentialTypes.push(type);
}

/** Returns one credential for every node, and signs requests with the credential types. */
class OneCredential extends ICredentialsHelper {
	constructor(private readonly credential: ICredentialDataDecryptedObject) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		credential: ICredentialDataDecryptedObject,
		typeName: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const type = credentialTypes.find(({ name }) => name === typeName);
		return (await type?.authenticate(credential, request)) ?? request;
	}

	async preAuthentication() {
		return undefined;
	}

	async runPreAuthentication() {
		return undefined;
	}

	async getCredentials(): Promise<never> {
		throw new UnexpectedError('not used by the engine');
	}

	/** Evaluates expressions in the credential's values for an item, as n8n's helper does. */
	async getDecrypted(
		...[, , , mode, executeData, , of]: Parameters<ICredentialsHelper['getDecrypted']>
	): Promise<ICredentialDataDecryptedObject> {
		const values = Object.entries(this.credential).map(([name, value]) => {
			if (typeof value !== 'string' || !of) return [name, value];
			const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = of;
			const { expression } = workflow;
			const evaluated = expression.getParameterValue(
				value,
				runExecutionData,
				runIndex,
				itemIndex,
				node.name,
				connectionInputData,
				mode,
				{},
				executeData,
			);
			return [name, evaluated];
		});
		return Object.fromEntries(values);
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(): Promise<void> {}

	getCredentialsProperties() {
		return [];
	}
}

/** Returns the data that n8n passes to the engine with a workflow. */
export function additionalData(
	credential: ICredentialDataDecryptedObject,
	hooks?: ExecutionLifecycleHooks,
): IWorkflowExecuteAdditionalData {
	const base = 'http://127.0.0.1:5678';
	return {
		credentialsHelper: new OneCredential(credential),
		hooks,
		executionId: 'test',
		restApiUrl: `${base}/rest`,
		instanceBaseUrl: base,
		formBaseUrl: `${base}/form`,
		formWaitingBaseUrl: `${base}/form-waiting`,
		formTestBaseUrl: `${base}/form-test`,
		webhookBaseUrl: `${base}/webhook`,
		webhookWaitingBaseUrl: `${base}/webhook-waiting`,
		webhookTestBaseUrl: `${base}/webhook-test`,
		mcpBaseUrl: `${base}/mcp`,
		mcpTestBaseUrl: `${base}/mcp-test`,
		externalSecretsProxy: new ExternalSecretsProxy(),
		variables: {},
		currentNodeExecutionIndex: 0,
		setExecutionStatus: () => {},
		logAiEvent: () => {},
		executeWorkflow: unused,
		getRunExecutionData: unused,
		getRuntimeCredential: unused,
		startRunnerTask: unused,
	};
}

async function unused(): Promise<never> {
	throw new UnexpectedError('not used by the tests');
}

export interface NodeRun {
	/** The node's type. Its credential has the same name, with `Api` at the end. */
	node: string;
	/** True to run the node as n8n makes it for AI agents. */
	asTool?: boolean;
	parameters: INodeParameters;
	/** The JSON of each input item; default: one empty item. */
	input?: IDataObject[];
	binary?: IBinaryKeyData;
	credential: ICredentialDataDecryptedObject;
	onError?: OnError;
	/** The time zone of the workflow. */
	timezone?: string;
	maxTries?: number;
	/** Called with a function that cancels the run, like the editor's stop button. */
	onStart?(cancel: () => void): void;
}

export interface NodeResult {
	/** The items of each output. With `continueErrorOutput` the last one is the error output. */
	output: INodeExecutionData[][];
	/** The JSON of the items of the first output. */
	items: IDataObject[];
	error?: Error & { description?: string | null; httpCode?: string | null };
	/** The messages of the hints in the editor. */
	hints: string[];
}

/** Runs one node of the package in n8n's execution engine with real sockets. */
export async function runNode(run: NodeRun): Promise<NodeResult> {
	const credentials: Record<string, INodeCredentialsDetails> = {
		[`${run.node}Api`]: { id: 'test', name: 'test' },
	};
	const start = nodeOf('Start', 'start');
	const tested = {
		...nodeOf('Tested', run.asTool ? `${run.node}Tool` : run.node, run.parameters),
		credentials,
		onError: run.onError,
		retryOnFail: run.maxTries !== undefined,
		maxTries: run.maxTries,
		waitBetweenTries: 1,
	};
	const workflow = new Workflow({
		id: 'test',
		nodes: [start, tested],
		connections: {
			Start: { main: [[{ node: 'Tested', type: NodeConnectionTypes.Main, index: 0 }]] },
		},
		active: false,
		nodeTypes,
		settings: { timezone: run.timezone },
	});
	const items = (run.input ?? [{}]).map((json, item) => ({
		json,
		binary: run.binary,
		pairedItem: { item },
	}));
	const hooks = new ExecutionLifecycleHooks('manual', 'test', {
		id: 'test',
		name: 'test',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		nodes: [start, tested],
		connections: {},
	});
	const source = { previousNode: 'Start', previousNodeOutput: 0, previousNodeRun: 0 };
	const data = createRunExecutionData({
		resultData: {
			runData: {
				Start: [
					{
						startTime: 0,
						executionTime: 0,
						executionIndex: 0,
						source: [],
						data: { main: [items] },
					},
				],
			},
		},
		executionData: {
			nodeExecutionStack: [{ node: tested, data: { main: [items] }, source: { main: [source] } }],
		},
	});
	const execution = new WorkflowExecute(additionalData(run.credential, hooks), 'manual', data);
	const running = execution.processRunExecutionData(workflow);
	run.onStart?.(() => running.cancel());
	const result = await running;
	const task = result.data.resultData.runData.Tested?.[0];
	const output = (task?.data?.main ?? []).map((items) => items ?? []);
	return {
		output,
		items: (output[0] ?? []).map(({ json }) => json),
		error: task?.error ?? result.data.resultData.error,
		hints: (task?.hints ?? []).map(({ message }) => message),
	};
}

/** Returns a node of a workflow. */
export function nodeOf(name: string, type: string, parameters: INodeParameters = {}): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters };
}
