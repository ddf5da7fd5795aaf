import { SupplyDataContext } from 'n8n-core';
import { makeHandleToolInvocation } from 'n8n-core/dist/execution-engine/node-execution-context/utils/get-input-connection-data';
import { createRunExecutionData, NodeConnectionTypes, Workflow } from 'n8n-workflow';
import type { IDataObject, IExecuteData, INode } from 'n8n-workflow';

import { additionalData, nodeOf, nodeTypes } from './engine';
import type { NodeRun } from './engine';

/**
 * Returns a tool as an agent of version 2 calls it, in one execution: n8n itself repeats the call with Retry On Fail. Each call
 * returns what the model gets: the text of a result, or of an error.
 */
export function toolOfAgent2(run: NodeRun): () => Promise<string> {
	const node: INode = {
		...nodeOf('Tested', `${run.node}Tool`, run.parameters),
		credentials: { [`${run.node}Api`]: { id: 'test', name: 'test' } },
		onError: run.onError,
		retryOnFail: run.maxTries !== undefined,
		maxTries: run.maxTries,
		waitBetweenTries: 0,
	};
	const workflow = new Workflow({
		id: 'test',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
	});
	const data = createRunExecutionData({});
	const items = [{ json: {} }];
	const input = { [NodeConnectionTypes.AiTool]: [items] };
	const execution: IExecuteData = { node, data: input, source: null };
	const contextFor = (runIndex: number) =>
		new SupplyDataContext(
			workflow,
			node,
			additionalData(run.credential),
			'manual',
			data,
			runIndex,
			items,
			input,
			NodeConnectionTypes.AiTool,
			execution,
			[],
		);
	const invoke = makeHandleToolInvocation(
		contextFor,
		node,
		nodeTypes.getByNameAndVersion(node.type),
		data,
	);
	return async () => {
		try {
			return String(await invoke({} as IDataObject));
		} catch (error) {
			return error instanceof Error ? error.message : String(error);
		}
	};
}
