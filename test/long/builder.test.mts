/** @jest-environment ./test/support/n8nEnvironment.mts */
import { z } from 'zod';

import { until } from '../../host/until.mts';
import { host, sandbox, withHost } from '../support/n8n.mts';

// Builds workflows as an AI agent does, through n8n's MCP server: it knows of our nodes only what n8n tells it.

withHost();

jest.setTimeout(120_000);

const keySchema = z.object({ apiKey: z.string() });
const messageSchema = z.object({
	result: z.object({
		isError: z.boolean().optional(),
		content: z.array(z.object({ text: z.string().optional() })),
		structuredContent: z.record(z.string(), z.unknown()).optional(),
	}),
});

let mcpKey: string;

beforeAll(async () => {
	await host.n8n.request('PATCH', '/mcp/settings', { mcpAccessEnabled: true });
	mcpKey = (await host.n8n.post('/mcp/api-key/rotate', {}, keySchema)).apiKey;
}, 60_000);

/** Calls a tool of n8n's MCP server. @throws Error with the tool's own text */
async function call(name: string, args: object) {
	const response = await fetch(`${host.n8n.url}/mcp-server/http`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${mcpKey}`,
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
		},
		body: JSON.stringify({
			jsonrpc: '2.0',
			id: 1,
			method: 'tools/call',
			params: { name, arguments: args },
		}),
	});
	const text = await response.text();
	const data = text.match(/^data: ?(.*)$/m)?.[1] ?? text;
	const { result } = messageSchema.parse(JSON.parse(data));
	const shown = result.content.map((part) => part.text ?? '').join('\n');
	if (result.isError) throw new Error(`${name}: ${shown}`);
	return { text: shown, data: result.structuredContent ?? {} };
}

const TYPES = {
	a: 'n8n-nodes-surveys.surveyA',
	b: 'n8n-nodes-surveys.surveyB',
	triggerA: 'n8n-nodes-surveys.surveyATrigger',
	triggerB: 'n8n-nodes-surveys.surveyBTrigger',
};

async function typeOf(nodeId: string): Promise<string> {
	return (await call('get_node_types', { nodeIds: [{ nodeId }] })).text;
}

/** Returns the part of a node's type that is about one operation. */
function operationIn(type: string, resource: string, operation: string): string {
	const part = type
		.split('export type ')
		.find((one) => one.includes(`resource: '${resource}';\n  operation: '${operation}';`));
	if (part === undefined) throw new Error(`The type has no operation ${resource}.${operation}`);
	return part;
}

/** Returns the worked example of `columns` in the text of a node. */
function columnsIn(text: string): string {
	const example = text.match(/columns: (\{ mappingMode: 'defineBelow', value: \{.*?\} \})\./)?.[1];
	if (example === undefined) throw new Error('The text has no example of columns');
	return example;
}

/** Returns the position of an output by the text of a trigger. */
function outputIn(text: string, name: string): number {
	const output = text.match(new RegExp(`(\\d) ${name}`))?.[1];
	if (output === undefined) throw new Error(`The text has no output ${name}`);
	return Number(output);
}

const SDK = "import { workflow, node, trigger, newCredential, expr } from '@n8n/workflow-sdk';";
const CREDENTIAL_A = "credentials: { surveyAApi: newCredential('A') }";
const CREDENTIAL_B = "credentials: { surveyBApi: newCredential('B') }";

const webhook = (path: string) =>
	`const start = trigger({ type: 'n8n-nodes-base.webhook', version: 2, config: { name: 'Start', parameters: { httpMethod: 'POST', path: '${path}' }, output: [{ body: {} }] } });
const row = node({ type: 'n8n-nodes-base.set', version: 3.4, config: { name: 'Row', parameters: { mode: 'raw', jsonOutput: expr('{{ $json.body }}') }, output: [{ email: 'a@example.com' }] } });`;

const nodeCode = (name: string, type: string, version: number, parameters: string) =>
	`const ${name} = ${type.endsWith('Trigger') ? 'trigger' : 'node'}({ type: '${type}', version: ${version}, config: { name: '${name}', parameters: ${parameters}, ${type.includes('surveyA') ? CREDENTIAL_A : CREDENTIAL_B}, output: [{ id: 1 }] } });`;

/** Creates and publishes a workflow, as an agent does. Returns its ID. */
async function build(name: string, lines: string[], flow: string): Promise<string> {
	const code = [SDK, ...lines, `export default workflow('${name}', '${name}')${flow};`].join('\n');
	const checked = await call('validate_workflow', { code });
	expect(checked.data).toMatchObject({ valid: true });
	const created = await call('create_workflow_from_code', { code, versionName: 'First' });
	const workflowId = String(created.data.workflowId);
	const published = await call('publish_workflow', { workflowId });
	expect(published.data).toMatchObject({ success: true });
	return workflowId;
}

/** Calls a webhook as soon as n8n has registered it, some moments after the publish. */
async function post(path: string, body: object): Promise<void> {
	const status = async () => {
		const response = await fetch(`${host.n8n.url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		return response.status;
	};
	await until(status, (code) => code === 200, { what: `The webhook ${path}` });
}

async function items(workflowId: string, name: string) {
	const [execution] = await host.n8n.waitForExecutions(workflowId, 1, 60_000);
	expect(execution?.status).toBe('success');
	return (execution?.nodes[name] ?? [])
		.flatMap(({ outputs }) => outputs.flat())
		.map(({ json }) => json);
}

test('a search finds both actions and triggers', async () => {
	const { text } = await call('search_nodes', { queries: ['nps', 'new feedback'] });
	for (const type of Object.values(TYPES)) expect(text).toContain(type);
});

test('an agent builds a survey for each customer of a webhook, by the example of columns in the text of Survey A', async () => {
	const type = await typeOf(TYPES.a);
	const send = operationIn(type, 'survey', 'send');
	const campaign = `{ __rl: true, mode: 'list', value: '64a000000000000000000003', cachedResultName: 'After purchase' }`;
	const parameters = `{ resource: 'survey', operation: 'send', campaign: ${campaign}, columns: ${columnsIn(type)} }`;
	const id = await build(
		'send-a',
		[webhook('built-send-a'), nodeCode('send', TYPES.a, 1, parameters)],
		'.add(start).to(row).to(send)',
	);
	await post('built-send-a', { email: 'ada@acme.example', first_name: 'Ada' });
	expect(await items(id, 'send')).toEqual([
		{ email: 'ada@acme.example', campaignId: '64a000000000000000000003', status: 'queued' },
	]);
	expect(send).toContain('status is queued');
	expect(sandbox.a.state.customers.get('ada@acme.example')?.properties).toContainEqual(
		expect.objectContaining({ label: 'Plan', value: 'Team' }),
	);
});

test('an agent builds a survey with attributes by the example of columns in the text of Survey B', async () => {
	const type = await typeOf(TYPES.b);
	const campaign = `{ __rl: true, mode: 'list', value: '101', cachedResultName: 'Relationship' }`;
	const parameters = `{ resource: 'survey', operation: 'send', campaignId: ${campaign}, columns: ${columnsIn(type)} }`;
	const id = await build(
		'send-b',
		[webhook('built-send-b'), nodeCode('send', TYPES.b, 1, parameters)],
		'.add(start).to(row).to(send)',
	);
	await post('built-send-b', { email: 'built@example.com' });
	expect(await items(id, 'send')).toMatchObject([
		{ email: 'built@example.com', status: 'SENT', contact: { attributes: { plan: 'Team' } } },
	]);
});

test('an agent saves customers and contacts by the examples of columns, and by the names of the columns', async () => {
	const [a, b] = [await typeOf(TYPES.a), await typeOf(TYPES.b)];
	const [customer, contact] = [columnsIn(a), columnsIn(b)];
	expect(b).toContain("mappingMode 'autoMapInputData' with value null");
	const automatic = "{ mappingMode: 'autoMapInputData', value: null }";
	const id = await build(
		'upsert',
		[
			webhook('built-upsert'),
			nodeCode(
				'customer',
				TYPES.a,
				1,
				`{ resource: 'customer', operation: 'upsert', columns: ${customer} }`,
			),
			nodeCode(
				'contact',
				TYPES.b,
				1,
				`{ resource: 'contact', operation: 'upsert', columns: ${contact} }`,
			),
			nodeCode(
				'byName',
				TYPES.b,
				1,
				`{ resource: 'contact', operation: 'upsert', columns: ${automatic} }`,
			),
		],
		'.add(start).to(row).add(row).to(customer).add(row).to(contact).add(row).to(byName)',
	);
	await post('built-upsert', { email: 'saved@example.com', first_name: 'Sam', team: 'CS' });
	expect(await items(id, 'customer')).toMatchObject([{ email: 'saved@example.com' }]);
	expect(await items(id, 'contact')).toMatchObject([
		{ email: 'saved@example.com', attributes: { plan: 'Team' } },
	]);
	expect(await items(id, 'byName')).toMatchObject([
		{ email: 'saved@example.com', first_name: 'Sam', attributes: { team: 'CS' } },
	]);
});

test('an agent wires detractors and promoters by the order of outputs in the text, and replies to the detractor', async () => {
	const text = await typeOf(TYPES.triggerB);
	const [detractor, promoter] = [outputIn(text, 'Detractor'), outputIn(text, 'Promoter')];
	const routed = "{ events: ['feedback.added_or_changed'], routeBy: 'scoreType' }";
	const reply =
		"{ resource: 'feedback', operation: 'reply', feedbackId: expr('{{ $json.id }}'), fromUser: 'agent@example.com', message: 'Sorry' }";
	const tag =
		"{ resource: 'feedback', operation: 'addTag', feedbackId: expr('{{ $json.id }}'), tagName: { __rl: true, mode: 'name', value: 'fan' }, tagCategory: 'PROMOTER' }";
	const id = await build(
		'route',
		[
			nodeCode('routed', TYPES.triggerB, 1.1, routed),
			nodeCode('reply', TYPES.b, 1, reply),
			nodeCode('tag', TYPES.b, 1, tag),
		],
		`.add(routed.output(${detractor}).to(reply)).add(routed.output(${promoter}).to(tag))`,
	);
	const hooks = () => sandbox.b.state.hooks.filter(({ target }) => target.includes('/webhook/'));
	await until(hooks, ({ length }) => length === 1, { what: 'The webhook of the trigger' });
	sandbox.b.answer({ email: 'ada@acme.example', campaignId: 102, score: 3, comment: 'Slow' });
	expect(await items(id, 'reply')).toMatchObject([{ replied: true }]);
	expect(await items(id, 'tag')).toEqual([]);
});

test('an agent replaces tags of feedback by the choices in the text', async () => {
	const text = operationIn(await typeOf(TYPES.a), 'feedback', 'setTags');
	expect(text).toContain("update?: 'append' | 'replace'");
	const feedbackId = String(sandbox.a.state.feedback[0]?.id);
	const tags = `{ resource: 'feedback', operation: 'setTags', feedbackId: '${feedbackId}', update: 'replace', tags: 'churn risk' }`;
	const id = await build(
		'tags',
		[webhook('built-tags'), nodeCode('tags', TYPES.a, 1, tags)],
		'.add(start).to(row).to(tags)',
	);
	await post('built-tags', { any: 'row' });
	expect(await items(id, 'tags')).toEqual([
		{ id: feedbackId, update: 'replace', tags: ['churn risk'] },
	]);
});

test('an agent reads feedback with the fields that the text names', async () => {
	const type = await typeOf(TYPES.a);
	const names = operationIn(type, 'feedback', 'getAll')
		.match(/Returns (.*)\.$/m)?.[1]
		?.split(', ');
	expect(type).toContain('getAll: returnAll: boolean');
	const all = "{ resource: 'feedback', operation: 'getAll', returnAll: true }";
	const id = await build(
		'read',
		[webhook('built-read'), nodeCode('read', TYPES.a, 1, all)],
		'.add(start).to(row).to(read)',
	);
	await post('built-read', { any: 'row' });
	const found = await items(id, 'read');
	expect(found).toHaveLength(sandbox.a.state.feedback.length);
	for (const json of found) expect(Object.keys(json ?? {})).toEqual(names);
});
