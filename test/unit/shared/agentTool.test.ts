import { SupplyDataContext } from 'n8n-core';
import { createRunExecutionData, NodeConnectionTypes, Workflow } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { SurveyA } from '../../../nodes/SurveyA/SurveyA.node.ts';
import { additionalData, nodeTypes } from '../../support/engine';

// Agents before version 3 run their tools themselves, in this context of n8n's.

const MESSAGE =
	'\'Metric\' must be one of: CES, CSAT, NPS, Stars: "happiness". Correct the value, or the expression that gives it';

/** Runs a tool as such an agent does; its parameter can be read, but not used. */
async function runTool(settings: Partial<INode>) {
	const node: INode = {
		id: 'tool',
		name: 'Tool',
		type: 'surveyATool',
		typeVersion: 1,
		position: [0, 0],
		parameters: { resource: 'score', operation: 'get', metric: 'happiness' },
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
	// What an agent calls a tool with is all that an execution has, and more.
	return await Reflect.apply(new SurveyA().execute, context, []);
}

test('its error is an answer: the model is told nothing of one that is thrown', async () => {
	expect(await runTool({})).toMatchObject([[{ json: { error: MESSAGE } }]]);
});

test.each<[string, Partial<INode>]>([
	['the user wants it to stop the workflow', { onError: 'stopWorkflow' }],
	['n8n is to retry the tool', { retryOnFail: true }],
])('it is thrown where %s', async (_, settings) => {
	await expect(runTool(settings)).rejects.toThrow(MESSAGE);
});
