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

/** A workflow as n8n stores it. Its nodes keep their state in `staticData['node:<name>']`. */
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

/** One run of one node, with a list of items for each output. */
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
	/** The reason if the execution failed. */
	error?: RunError;
	/** The runs of each node, by its name. */
	nodes: Record<string, NodeRun[]>;
	/** Returns the items of one output of a node, over all its runs. */
	items(node: string, output?: number): Item[];
}

export interface Listening {
	/** The URL that receives the test event. */
	url: string;
	/** Stops listening, like the editor's button. n8n removes the registration shortly after. */
	stop(): Promise<void>;
}

export interface DynamicRequest {
	/** For example `n8n-nodes-surveys.surveyA`. */
	type: string;
	version?: number;
	/** The name of the method of the node. */
	method: string;
	/** The path of the field in the parameters. */
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

export interface PublicationStatus {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	liveVersionId: string | null;
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

export interface WebhookDescription {
	name: string;
	path: string;
	isFullPath?: boolean;
}
