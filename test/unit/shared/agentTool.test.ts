import { SupplyDataContext } from 'n8n-core';
import { createRunExecutionData, NodeConnectionTypes, Workflow } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { SurveyA } from '../../../nodes/SurveyA/SurveyA.node.ts';
import { additionalData, nodeOf, nodeTypes } from '../../support/engine';

// Agents before version 3 run their tools in this context.

const MESSAGE =
	'\'Metric\' (metric) must be one of: ces, csat, nps, star: "happiness". Correct the value, or the expression that returns it';

/** Runs a tool like such an agent, with an invalid parameter. */
async function runTool(settings: Partial<INode>) {
	const node: INode = {
		...nodeOf('Tool', 'surveyATool', { resource: 'score', operation: 'get', metric: 'happiness' }),
		credentials: { surveyAApi: { id: 'test', name: 'test' } },
		...settings,
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const items = [{ json: {} }];
	const input = { [NodeConnectionTypes.AiTool]: [items] };
	const context = new SupplyDataContext(
		workflow,
		node,
		additionalData({ baseUrl: 'https://survey.example.com', apiKey: 'example' }),
		'manual',
		createRunExecutionData({}),
		0,
		items,
		input,
		NodeConnectionTypes.AiTool,
		{ node, data: input, source: null },
		[],
	);
	// The context of a tool has all functions of an execution context.
	return await Reflect.apply(new SurveyA().execute, context, []);
}

test('a tool returns its error as an item, because the model does not see a thrown error', async () => {
	expect(await runTool({})).toMatchObject([[{ json: { error: MESSAGE } }]]);
});

test.each<[string, Partial<INode>]>([
	['the user wants it to stop the workflow', { onError: 'stopWorkflow' }],
	['n8n is to retry the tool', { retryOnFail: true }],
])('a tool throws its error when %s', async (_, settings) => {
	await expect(runTool(settings)).rejects.toThrow(MESSAGE);
});
