import { z } from 'zod';

const nodeSchema = z
	.object({
		id: z.string().optional(),
		name: z.string(),
		type: z.string(),
		typeVersion: z.number().optional(),
		position: z.tuple([z.number(), z.number()]).optional(),
		parameters: z.record(z.unknown()).optional(),
		credentials: z.record(z.object({ id: z.string().nullable(), name: z.string() })).optional(),
		webhookId: z.string().optional(),
		onError: z.enum(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput']).optional(),
	})
	.passthrough();

export type WorkflowNode = z.infer<typeof nodeSchema>;

export const workflowSchema = z
	.object({
		name: z.string(),
		nodes: z.array(nodeSchema),
		connections: z.record(z.unknown()),
		settings: z.record(z.unknown()).optional(),
		pinData: z.record(z.unknown()).nullish(),
	})
	.passthrough();

export type WorkflowInput = z.infer<typeof workflowSchema>;

/** A workflow as n8n stores it. Its nodes keep their state in `staticData['node:<name>']`. */
export const storedWorkflowSchema = workflowSchema.extend({
	id: z.string(),
	active: z.boolean(),
	versionId: z.string(),
	activeVersionId: z.string().nullish(),
	staticData: z.record(z.record(z.unknown())).nullish(),
});

export type StoredWorkflow = z.infer<typeof storedWorkflowSchema>;

const itemSchema = z.object({
	json: z.record(z.unknown()),
	pairedItem: z.unknown(),
	error: z.unknown(),
	binary: z.record(z.unknown()).optional(),
});

export type Item = z.infer<typeof itemSchema>;

export const runErrorSchema = z
	.object({
		message: z.string(),
		description: z.string().nullish(),
		httpCode: z.string().nullish(),
		context: z.record(z.unknown()).optional(),
	})
	.passthrough();

export type RunError = z.infer<typeof runErrorSchema>;

/** One run of one node, with a list of items for each output. */
export const nodeRunSchema = z
	.object({
		data: z.record(z.array(z.array(itemSchema).nullable()).optional()).optional(),
		executionStatus: z.string().optional(),
		executionTime: z.number().optional(),
		error: runErrorSchema.optional(),
		hints: z.array(z.object({ message: z.string() })).optional(),
	})
	.transform(({ data, executionStatus: status, ...run }) => {
		const outputs = (data?.main ?? []).map((items) => items ?? []);
		return { ...run, status, outputs };
	});

export type NodeRun = z.infer<typeof nodeRunSchema>;

export interface Execution {
	id: string;
	workflowId: string;
	status: string;
	mode: string;
	startedAt: string | null;
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
