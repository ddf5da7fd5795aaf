import type { IExecuteFunctions } from 'n8n-workflow';

// How the node is run where it is an AI agent's tool. Agents from version 3 on leave their tools to n8n's engine; earlier
// ones run them themselves.

/** Whether the node is an AI agent's tool: n8n makes a node type of its own for that, whose name ends so. */
export function isToolOfAgent(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/** Whether an agent itself runs the node. n8n 1 to 2.1 cannot say so, and have no other agents. */
export function runsAsTool(context: IExecuteFunctions): boolean {
	if (typeof context.isToolExecution === 'function') return context.isToolExecution();
	return isToolOfAgent(context);
}

/**
 * Whether an error is to be given to the agent as an answer: its model is told nothing of one that is thrown, and would
 * try again. Not where the user wants the error to stop the workflow, or n8n to retry the node.
 */
export function answersAgent(context: IExecuteFunctions): boolean {
	const { onError, retryOnFail } = context.getNode();
	return runsAsTool(context) && onError !== 'stopWorkflow' && retryOnFail !== true;
}
