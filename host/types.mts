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

/** A workflow as n8n stores it. `staticData` is what its nodes remember: `staticData['node:<name>']`. */
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

/** One run of one node: a list of items for each of its outputs. */
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
	/** Why the execution failed, if it did. */
	error?: RunError;
	/** What each node did, by its name. */
	nodes: Record<string, NodeRun[]>;
	/** All items one output of a node gave, over all of its runs. */
	items(node: string, output?: number): Item[];
}

export interface Listening {
	/** Where the test event has to be sent. */
	url: string;
	/** Ends the listening as the editor's button does; n8n takes the registration away a moment later. */
	stop(): Promise<void>;
}

export interface DynamicRequest {
	/** For example `n8n-nodes-surveys.surveyA`. */
	type: string;
	version?: number;
	/** The name of the method of the node. */
	method: string;
	/** Where in the parameters the field is. */
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
