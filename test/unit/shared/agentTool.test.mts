import type { NodeRun } from '../../support/engine';
import { toolOfAgent2 } from '../../support/agentTool.mts';

// Agents before version 3 run their tools in a context of their own.

const MESSAGE =
	'\'Metric\' (metric) must be one of: ces, csat, nps, star: "happiness". Correct the value, or the expression that returns it';

/** Runs a tool like such an agent, with an invalid parameter. Returns what the model gets. */
const runTool = async (settings: Partial<NodeRun>) =>
	await toolOfAgent2({
		node: 'surveyA',
		parameters: { resource: 'score', operation: 'get', metric: 'happiness' },
		credential: { baseUrl: 'https://survey.example.com', apiKey: 'example' },
		...settings,
	})();

test('a tool returns its error as an item, because the model does not see a thrown error', async () => {
	expect(JSON.parse(await runTool({}))).toMatchObject([{ error: MESSAGE }]);
});

test.each<[string, Partial<NodeRun>]>([
	['the user wants it to stop the workflow', { onError: 'stopWorkflow' }],
	['n8n is to retry the tool', { maxTries: 2 }],
])('a tool throws its error when %s', async (_, settings) => {
	expect(await runTool(settings)).toBe(MESSAGE);
});
