import { setTimeout as sleep } from 'node:timers/promises';

import { z } from 'zod';

import type { PublicN8n } from '../../host/publicApi.mts';
import { until } from '../../host/until.mts';
import type { Sandbox } from '../../sandbox/index.ts';
import { agentWorkflow, openChatModel } from '../../test/support/chatModel.mts';
import { mapped } from '../../test/support/columns';
import { rowsInto, type Host, type N8n, type WorkflowNode } from '../../test/support/n8n.mts';
import { answerUntilDelivered } from '../answerUntilDelivered.mts';

/** An n8n with the package, and both services. */
export interface Setup {
	sandbox: Sandbox;
	n8n: N8n | PublicN8n;
	credentials: Host['credentials'];
}

/** The checks that n8n's public API is enough for, by what they show. A check fails by throwing. */
export const CHECKS: Record<string, (setup: Setup) => Promise<void>> = {
	'Both credentials pass their test': credentialTests,
	'Survey A: Send Survey, with the error output': async (setup) => await send(setup, 'surveyA'),
	'Survey B: Send Survey, with the error output': async (setup) => await send(setup, 'surveyB'),
	'Return All gives 250 customers once each': returnAll,
	'Survey B Trigger registers, runs, and is removed': webhookTrigger,
	'Survey A Trigger polls and runs': pollingTrigger,
	"An AI agent calls Survey B's tool twice": agent,
};

/** The checks that take the editor's own requests. */
export const EDITOR_CHECKS: Record<string, (setup: Setup & { n8n: N8n }) => Promise<void>> = {
	'All four nodes load': loads,
	"The resource mapper lists the account's columns": mapperColumns,
};

/** What n8n sends to a chat model. */
const conversationSchema = z.object({
	messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
});

/** The response of n8n to the request for the columns of a resource mapper. */
const mapperSchema = z.object({ fields: z.array(z.object({ id: z.string() })) });

const NODES = ['surveyA', 'surveyATrigger', 'surveyB', 'surveyBTrigger'];
const RUN_TIMEOUT_MS = 60_000;

async function loads({ n8n }: { n8n: N8n }): Promise<void> {
	for (const node of NODES) await n8n.nodeType(`n8n-nodes-surveys.${node}`);
}

async function credentialTests({ n8n, credentials }: Setup): Promise<void> {
	for (const { id } of Object.values(credentials)) {
		const { status, message } = await n8n.testCredential(id);
		expectThat(status === 'OK', message);
	}
}

/** Sends a survey to one customer who can be surveyed and one who cannot. */
async function send(
	{ sandbox, n8n, credentials }: Setup,
	service: 'surveyA' | 'surveyB',
): Promise<void> {
	const rows = {
		surveyA: ['good@example.com', 'no-address'],
		surveyB: ['good@example.com', 'unsubscribed@example.com'],
	}[service].map((email) => ({ email }));
	const campaign = { surveyA: { campaign: campaignOfA(sandbox) }, surveyB: { campaignId: '101' } };
	const email = mapped({ email: '={{ $json.email }}' });
	const node: Partial<WorkflowNode> = {
		onError: 'continueErrorOutput',
		parameters: { resource: 'survey', operation: 'send', ...email, ...campaign[service] },
		credentials,
	};
	const type = `n8n-nodes-surveys.${service}`;
	const id = await n8n.createWorkflow(rowsInto({ type, ...node }, rows));
	const execution = await n8n.run(id);
	const [done, failed] = [execution.items('Tested'), execution.items('Tested', 1)];
	const seen = execution.error?.message ?? `${done.length} sent, ${failed.length} failed`;
	expectThat(done.length === 1 && failed.length === 1, seen);
	const { sent } = service === 'surveyA' ? sandbox.a.state : sandbox.b.state;
	expectThat(sent.length === 1, `${sent.length} surveys went out`);
}

async function mapperColumns({ sandbox, n8n, credentials }: Setup & { n8n: N8n }): Promise<void> {
	const [contact] = sandbox.b.state.contacts.values();
	if (contact) contact.attributes = { plan: 'pro' };
	const request = {
		path: 'parameters.columns',
		nodeTypeAndVersion: { name: 'n8n-nodes-surveys.surveyB', version: 1 },
		methodName: 'getColumns',
		currentNodeParameters: { resource: 'contact', operation: 'upsert' },
		credentials,
	};
	const path = '/dynamic-node-parameters/resource-mapper-fields';
	const { fields } = await n8n.post(path, request, mapperSchema);
	const ids = fields.map(({ id }) => id);
	expectThat(ids.includes('email') && ids.includes('attribute:plan'), ids.join(', '));
}

async function returnAll({ sandbox, n8n, credentials }: Setup): Promise<void> {
	sandbox.a.seedCustomers(250 - sandbox.a.state.customers.size);
	const parameters = { resource: 'customer', operation: 'getAll', returnAll: true };
	const node = { type: 'n8n-nodes-surveys.surveyA', parameters, credentials };
	const id = await n8n.createWorkflow(rowsInto(node, [{}]));
	const execution = await n8n.run(id);
	const ids = new Set(execution.items('Tested').map(({ json }) => json.id));
	expectThat(ids.size === 250, execution.error?.message ?? `${ids.size} customers`);
}

/** Publishes a workflow of a trigger alone, and returns its ID. */
async function publishTrigger(
	{ n8n, credentials }: Setup,
	type: string,
	parameters: Record<string, unknown>,
): Promise<string> {
	const trigger = { name: 'Trigger', type, webhookId: 'compat', parameters, credentials };
	const id = await n8n.createWorkflow({ name: type, nodes: [trigger], connections: {} });
	await n8n.activate(id);
	return id;
}

async function webhookTrigger(setup: Setup): Promise<void> {
	const { n8n, sandbox } = setup;
	const { b } = sandbox;
	const parameters = { events: ['feedback.added_or_changed'] };
	const id = await publishTrigger(setup, 'n8n-nodes-surveys.surveyBTrigger', parameters);
	await answerUntilDelivered(b, { email: 'ada@acme.example', campaignId: 101, score: 2 });
	const [run] = await n8n.waitForExecutions(id, 1, RUN_TIMEOUT_MS);
	expectThat(run?.status === 'success', run?.error?.message ?? 'no run');
	await n8n.deactivate(id);
	const webhooks = () => b.state.hooks.length;
	await until(webhooks, (count) => count === 0, { what: 'The number of webhooks' });
}

async function pollingTrigger(setup: Setup): Promise<void> {
	const { n8n, sandbox } = setup;
	// n8n refuses a rule that polls more than once a minute, but accepts 60 rules.
	const item = Array.from({ length: 60 }, (_, second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	}));
	const options = { waitForComment: 0 };
	const parameters = { events: ['feedback.created'], options, pollTimes: { item } };
	const id = await publishTrigger(setup, 'n8n-nodes-surveys.surveyATrigger', parameters);
	await sleep(3000);
	sandbox.a.answer({ email: 'ada@acme.example', campaignId: campaignOfA(sandbox), score: 9 });
	const runs = await n8n.waitForExecutions(id, 1, RUN_TIMEOUT_MS);
	await n8n.deactivate(id);
	const items = runs.flatMap((run) => run.items('Trigger'));
	expectThat(items.length === 1, `${items.length} items in ${runs.length} runs`);
}

/** Calls the tool twice with different arguments; the second call must not return the result of the first. */
async function agent({ sandbox: { b }, n8n, credentials }: Setup): Promise<void> {
	const emails = ['first@example.com', 'second@example.com'];
	const calls = emails.map((email) => ({ tool: /./, input: () => ({ email }) }));
	const model = await openChatModel([...calls, { says: 'Done.' }]);
	try {
		const key = { apiKey: 'none', url: `${model.url}/v1` };
		const openAiApi = await n8n.createCredential('openAiApi', 'Model', key);
		const email = "={{ $fromAI('email', 'the address of the customer', 'string') }}";
		const send = { resource: 'survey', operation: 'send', campaignId: '101' };
		const parameters = { ...send, ...mapped({ email }) };
		const type = 'n8n-nodes-surveys.surveyBTool';
		const tool = { name: 'Survey B', type, parameters, credentials };
		const id = await n8n.createWorkflow(agentWorkflow('Survey both customers.', openAiApi, [tool]));
		const execution = await n8n.run(id);
		expectThat(execution.status === 'success', execution.error?.message ?? execution.status);
		const sent = b.state.sent.map(({ email }) => email).join(', ');
		expectThat(sent === emails.join(', '), `surveyed: ${sent || 'nobody'}`);
		const { messages } = conversationSchema.parse(model.calls.at(-1)?.body);
		const results = messages
			.filter(({ role }) => role === 'tool')
			.map((one) => String(one.content));
		emails.forEach((email, call) =>
			expectThat(results[call]?.includes(email), `call ${call + 1}: ${results[call]}`),
		);
	} finally {
		await model.close();
	}
}

function campaignOfA({ a: { state } }: Sandbox): string {
	return state.campaigns[0]?.id ?? '';
}

function expectThat(holds: boolean | undefined, problem: string): void {
	if (!holds) throw new Error(problem);
}
