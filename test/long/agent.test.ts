/** @jest-environment ./test/support/n8nEnvironment.mts */
import type { WorkflowInput, WorkflowNode } from '../support/n8n.mts';
import { host, sandbox, withHost } from '../support/n8n.mts';
import { mapped } from '../support/columns';
import { agentWorkflow, openChatModel } from '../support/chatModel.mts';

// The tool descriptions and errors that n8n's AI Agent passes to its model.

const AFTER_PURCHASE = '64a000000000000000000003';

withHost();

interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string; description: string } }>;
}

const fromAi = (key: string) => `={{ $fromAI('${key}', 'As the customer wrote it', 'string') }}`;

const TOOLS: Record<string, Record<string, unknown>> = {
	'Find Customer': { resource: 'customer', operation: 'get', customerId: fromAi('email') },
	'Send Survey': {
		resource: 'survey',
		operation: 'send',
		campaign: { __rl: true, mode: 'id', value: AFTER_PURCHASE },
		...mapped({ email: fromAi('email') }),
	},
	'Read Score': { resource: 'score', operation: 'get', metric: fromAi('metric') },
};

/** @param version the version of the agent; 3 runs its tools in n8n's engine, 2 runs them itself */
function workflow(version: number, openAiApi: { id: string; name: string }): WorkflowInput {
	const tools = Object.entries(TOOLS).map(
		([name, parameters]): WorkflowNode => ({
			name,
			type: 'n8n-nodes-surveys.surveyATool',
			parameters,
			credentials: { surveyAApi: host.credentials.surveyAApi },
		}),
	);
	return agentWorkflow('Survey nowhere', openAiApi, tools, version);
}

test.each([3.1, 2])(
	'agent %p passes the cost and result of a tool and complete error messages to its model',
	async (version) => {
		const model = await openChatModel([
			{ tool: /find/i, input: () => ({ email: 'ada@acme.example' }) },
			{ tool: /send/i, input: () => ({ email: 'nowhere' }) },
			{ tool: /score/i, input: () => ({ metric: 'happiness' }) },
			{ says: 'That is no address.' },
		]);
		try {
			const openAiApi = await host.n8n.createCredential('openAiApi', 'Model', {
				apiKey: 'example-key',
				url: `${model.url}/v1`,
			});
			const run = await host.n8n.run(await host.n8n.createWorkflow(workflow(version, openAiApi)));
			expect(run.items('Agent')[0]?.json).toEqual({ output: 'That is no address.' });

			const requests = model.calls.map(({ body }) => body as ChatRequest);
			const told = (name: RegExp) =>
				requests[0]?.tools?.find((tool) => name.test(tool.function.name))?.function.description;
			const send = told(/send/i);
			expect(send).toContain('status is queued, or skipped with a reason.');
			expect(send).toContain('sends an email or message, which cannot be undone.');
			expect(send).toContain(
				'Returns email, campaignId, status, reason, duplicateOfItem, details.',
			);
			expect(told(/find/i)).toMatch(/^Get a customer by .*Returns .*email/s);
			const answers = (requests.at(-1)?.messages ?? [])
				.filter(({ role }) => role === 'tool')
				.map(({ content }) => String(content));
			expect(answers).toEqual([
				expect.stringContaining('Lovelace'),
				expect.stringMatching(/is not an email address: .*nowhere.*Write it as/),
				expect.stringMatching(
					/'Metric' \(metric\) must be one of: ces, csat, nps, star.*Correct the value/s,
				),
			]);
			expect(sandbox.a.state.sent).toEqual([]);
		} finally {
			await model.close();
		}
	},
	120_000,
);

test.each([3.1, 2])(
	'agent %p with Retry On Fail surveys once if the response was lost, also if its model calls the tool again',
	async (version) => {
		const send = { tool: /send/i, input: () => ({ email: 'ada@acme.example' }) };
		const model = await openChatModel([send, send, { says: 'It may have been sent.' }]);
		sandbox.a.faults.add({ path: /survey$/, kind: 'reset-after', times: Infinity });
		try {
			const openAiApi = await host.n8n.createCredential('openAiApi', 'Model', {
				apiKey: 'example-key',
				url: `${model.url}/v1`,
			});
			const input = workflow(version, openAiApi);
			for (const node of input.nodes) {
				if (node.name === 'Send Survey') Object.assign(node, { retryOnFail: true, maxTries: 5 });
			}
			const earlier = sandbox.a.requests.length;
			const run = await host.n8n.run(await host.n8n.createWorkflow(input));
			expect(run.items('Agent')[0]?.json).toEqual({ output: 'It may have been sent.' });
			const sent = sandbox.a.requests.slice(earlier).filter(({ method }) => method === 'POST');
			expect(sent).toHaveLength(1);
			const requests = model.calls.map(({ body }) => body as ChatRequest);
			const answers = (requests.at(-1)?.messages ?? []).filter(({ role }) => role === 'tool');
			expect(answers.length).toBeGreaterThan(0);
			for (const { content } of answers) {
				expect(String(content)).toContain('The request may have been processed');
				expect(String(content)).not.toMatch(/try again/i);
			}
		} finally {
			sandbox.a.faults.clear();
			await model.close();
		}
	},
	120_000,
);
