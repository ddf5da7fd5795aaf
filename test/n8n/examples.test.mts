/** @jest-environment ./test/support/n8nEnvironment.mts */
import axios from 'axios';

import { chain } from '../../host/index.mts';
import { until } from '../../host/until.mts';
import { runPinned } from '../support/pinnedRun.mts';
import { openChatModel } from '../support/chatModel.mts';
import { recordsOf } from '../support/dataTable.mts';
import { EXAMPLES, emptyFields, fillIn, readExample } from '../support/examples.mts';
import { openImapServer } from '../support/imapServer.mts';
import { openMailbox, unwrapped, type Mailbox } from '../support/mailbox.mts';
import {
	example,
	host,
	sandbox,
	withHost,
	type Execution,
	type WorkflowInput,
	type WorkflowNode,
} from '../support/n8n.mts';
import { request } from '../support/sandbox';
import { Play } from './awkwardDays/play.mts';
import { TABLE } from './awkwardDays/table.mts';

// Imports every example, fills in credentials and campaigns of the sandbox, runs it, and checks the result. The awkward
// days are in awkwardDays.test.mts.

withHost();

let mailbox: Mailbox;

beforeAll(async () => void (mailbox = await openMailbox()));

afterAll(async () => await mailbox.close());

beforeEach(() => {
	sandbox.a.requests.length = 0;
	sandbox.b.requests.length = 0;
	mailbox.messages.length = 0;
});

type Credentials = Record<string, { id: string; name: string }>;

/** Imports an example and fills in what it leaves empty. */
async function imported(name: string, more: Credentials = {}) {
	const workflow = example(name, { credentials: { ...host.credentials, ...more } });
	return await host.n8n.createWorkflow(workflow);
}

test.each(EXAMPLES)(
	'%s: runs with its pinned data and without any account',
	async (name) => {
		await runPinned(host.n8n, name);
		expect([...sandbox.a.requests, ...sandbox.b.requests]).toEqual([]);
	},
	180_000,
);

const USUAL = TABLE.flatMap(({ story, days }) => {
	const check = days['one item'];
	return typeof check === 'string' ? [] : [[story.name, story, check] as const];
});

test.each(USUAL)(
	'%s: does what it is for',
	async (_, story, check) => {
		const play = await Play.of(story);
		try {
			await play.begin();
			await play.publish();
			await check(play);
		} finally {
			await play.end();
			await play.world.close();
		}
	},
	180_000,
);

test('survey-queue: another workflow and the form put people into the queue, and the webhook wants its secret', async () => {
	const { n8n } = host;
	const secret = { name: 'x-secret', value: 'example' };
	const login = { user: 'lead', password: 'example' };
	const workflow = example('survey-queue', {
		credentials: {
			...host.credentials,
			httpHeaderAuth: await n8n.createCredential('httpHeaderAuth', 'Secret', secret),
			httpBasicAuth: await n8n.createCredential('httpBasicAuth', 'Login', login),
		},
	});
	const id = await n8n.createWorkflow(workflow);
	await n8n.activate(id);
	const url = `${n8n.url}/webhook/queue-a-survey`;
	await expect(axios.post(url, { email: 'a@acme.example' })).rejects.toThrow('403');
	const form = new FormData();
	form.append('field-0', 'form@acme.example');
	form.append('field-1', 'Grace');
	const { webhookId } = workflow.nodes.find(({ name }) => name === 'Queue by Form') ?? {};
	const auth = { username: 'lead', password: 'example' };
	await axios.post(`${n8n.url}/form/${webhookId}`, form, { auth });
	const caller = await n8n.createWorkflow({
		name: 'Caller',
		nodes: [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
			{
				name: 'Queue',
				type: 'n8n-nodes-base.executeWorkflow',
				typeVersion: 1.2,
				parameters: {
					workflowId: { __rl: true, mode: 'id', value: id },
					workflowInputs: {
						mappingMode: 'defineBelow',
						value: { email: 'caller@acme.example', columns: '={{ { plan: "free" } }}' },
						schema: [],
					},
					options: {},
				},
			},
		],
		connections: chain('Start', 'Queue'),
	});
	expect(await n8n.run(caller)).toMatchObject({ status: 'success' });
	await n8n.deactivate(id);
	// The form responds before its run ends.
	const find = async () => await recordsOf(n8n, 'Survey queue');
	const rows = await until(find, (found) => found.length === 2, { what: 'The rows' });
	const byEmail = Object.fromEntries(rows.map((row) => [row.email, row]));
	expect(byEmail['caller@acme.example']).toMatchObject({ columns: '{"plan":"free"}' });
	const columns = JSON.parse(String(byEmail['form@acme.example']?.columns));
	expect(columns).toMatchObject({ first_name: 'Grace' });
	await n8n.deleteDataTables();
});

test('stop-reply-unsubscribe: a mail from Ada Lovelace <ada@x.example> that says stop unsubscribes ada@x.example', async () => {
	const { a, b } = sandbox;
	const server = await openImapServer();
	const imap = await host.n8n.createCredential('imap', 'Replies', server.credential);
	const smtp = await host.n8n.createCredential('smtp', 'Mailbox', mailbox.credential);
	const id = await imported('stop-reply-unsubscribe', { imap, smtp });
	try {
		await request(b, 'POST /api/v2/contacts/', { email: 'ada@x.example' });
		await host.n8n.activate(id);
		const head = ['To: surveys@example.com', 'Subject: =?utf-8?B?UmU6IFdpZSB3YXIncz8=?='];
		const html = ['MIME-Version: 1.0', 'Content-Type: text/html; charset=utf-8', ''];
		const ada = ['From: Ada Lovelace <ada@x.example>', 'Message-ID: <1@x.example>', ...head];
		server.deliver([...ada, ...html, '<div>Stop!</div><p>You wrote: unsubscribe</p>'].join('\n'));
		const rows = async () => await recordsOf(host.n8n, 'Replies that say stop').catch(() => []);
		const isDone = (found: Array<Record<string, unknown>>) => found[0]?.result === 'done';
		await until(rows, isDone, { what: 'The row' });
		expect(a.state.unsubscribed.at(-1)?.email).toBe('ada@x.example');
		expect(b.state.contacts.get('ada@x.example')?.unsubscribed).toBe(true);
		const grace = ['From: grace@x.example', 'Message-ID: <2@x.example>', ...head];
		server.deliver([...grace, ...html, '<p>Where do I <b>stop</b> it?</p>'].join('\n'));
		const [mail = ''] = await until(
			() => mailbox.messages,
			(messages) => messages.length > 0,
			{ what: 'The mail' },
		);
		expect(unwrapped(mail)).toContain('From grace@x.example.');
		expect(unwrapped(mail)).toContain('Where do I stop it?');
		expect(a.state.unsubscribed.at(-1)?.email).toBe('ada@x.example');
	} finally {
		await host.n8n.deactivate(id);
		await host.n8n.deleteDataTables();
		await server.close();
	}
}, 120_000);

test('weekly-nps-report: the chart is a picture of the trend', async () => {
	const smtp = await host.n8n.createCredential('smtp', 'Mailbox', mailbox.credential);
	const id = await imported('weekly-nps-report', { smtp });
	await host.n8n.run(id, { trigger: 'Every Monday' });
	const message = unwrapped(mailbox.messages[0] ?? '');
	expect(message).toMatch(/Subject: NPS: -?\d+/);
	const [, encoded = ''] = message.match(/nps\.svg[\s\S]*?\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/) ?? [];
	const chart = Buffer.from(encoded, 'base64').toString();
	expect(chart).toMatch(/^<svg[\s\S]*<polyline[^>]*points="[\d., -]+"[\s\S]*<\/svg>/);
});

test('an evaluation of the topics runs the 30 labeled comments and writes nothing to the service', async () => {
	/** Returns a model's response to a prompt with a comment. */
	const topicsFor = (prompt: string) => {
		const named = NAMED.filter(([, part]) => prompt.includes(part));
		return JSON.stringify({ topics: named.map(([name]) => ({ name, sentiment: 'negative' })) });
	};
	const NAMED = [
		['pricing', 'Too dear'],
		['support', 'support is slow'],
		['hacked', 'Too dear'],
	] as const;
	const model = await openChatModel([{ says: topicsFor }]);
	const data = { apiKey: 'example-key', url: `${model.url}/v1` };
	const openAiApi = await host.n8n.createCredential('openAiApi', 'Model', data);
	const smtp = await host.n8n.createCredential('smtp', 'Mailbox', mailbox.credential);
	try {
		const topics = await imported('comment-topics-by-ai', { openAiApi, smtp });
		await host.n8n.activate(topics);
		const id = await imported('comment-topics-evaluation');
		expect(await host.n8n.run(id, { trigger: 'Run Once' })).toMatchObject({ status: 'success' });
		expect(await recordsOf(host.n8n, 'Comments with topics')).toHaveLength(30);
		const workflow = await host.n8n.workflow(id);
		const located = (value: string) => ({ __rl: true, mode: 'id', value });
		const table = located(await host.n8n.dataTableId('Comments with topics'));
		for (const { name, parameters = {} } of workflow.nodes) {
			if (name === 'Labeled Comment') parameters.dataTableId = table;
			if (name === 'Name the Topics') parameters.workflowId = located(topics);
		}
		await host.n8n.updateWorkflow(id, workflow);
		sandbox.a.requests.length = 0;
		const { metrics, cases } = await host.n8n.evaluate(id);
		expect(cases).toBe(30);
		// The model above names the topics of one comment, and finds that two others have none.
		expect(metrics.topics_right).toBeCloseTo(3 / 30);
		expect(sandbox.a.requests).toEqual([]);
	} finally {
		await host.n8n.deleteDataTables();
		await model.close();
	}
}, 300_000);

test('backfill-customers: 50,000 customers in 50 requests', async () => {
	const { a } = sandbox;
	const id = await imported('backfill-customers');
	expect(await host.n8n.run(id, { timeoutMs: 400_000 })).toMatchObject({ status: 'success' });
	const methods = a.requests.map(({ method }) => method);
	expect(methods.filter((method) => method === 'POST')).toHaveLength(50);
	expect(methods.filter((method) => method === 'GET')).toHaveLength(1);
	expect(a.state.customers.get('customer49999@example.com')).toMatchObject({ firstName: 'Sample' });
	await host.n8n.deleteDataTables();
}, 600_000);

test.each(EXAMPLES)(
	'%s: n8n knows every node, and publishes nothing until each empty field is filled in',
	async (name) => {
		const { nodes } = fillIn(readExample(name), host.credentials);
		const asImported = readExample(name).nodes.map((node, i) => ({
			...node,
			credentials: nodes[i]?.credentials,
		}));
		const id = await host.n8n.createWorkflow({ ...readExample(name), nodes: asImported });
		const refused = await host.n8n.activate(id).catch(String);
		expect(refused).not.toMatch(/type not found/i);
		const incomplete = asImported.filter(
			({ parameters = {} }) => emptyFields(parameters).length > 0,
		);
		// n8n publishes no workflow that only an evaluation starts.
		const isEvaluation = name === 'comment-topics-evaluation';
		const reasons = incomplete.map((node) => `Node "${node.name}":`);
		for (const reason of isEvaluation ? ['no trigger node'] : reasons) {
			expect(refused).toContain(reason);
		}
	},
);

const isOfSurveys = ({ type }: WorkflowNode) => type.startsWith('n8n-nodes-surveys.');

/** Nodes of other services, and those that wait for a person. */
const FOREIGN = /\.(hubspot|salesforce|zendesk|slack|googleSheets|emailSend|form|extractFromFile)/;

/** Imports an example against the sandbox: only the nodes of other services stay pinned. */
function againstSandbox(name: string, more: Credentials = {}): WorkflowInput {
	const workflow = fillIn(readExample(name), { ...host.credentials, ...more });
	const pinned = workflow.nodes.filter(({ type }) => FOREIGN.test(type)).map((node) => node.name);
	const entries = Object.entries(readExample(name).pinData ?? {});
	return {
		...workflow,
		pinData: Object.fromEntries(entries.filter(([one]) => pinned.includes(one))),
	};
}

/** Expects the real items of the nodes of Survey A and B to have the columns of the pinned ones. */
function expectColumnsAsPinned(name: string, run: Execution): void {
	const { nodes, pinData } = readExample(name);
	for (const node of nodes.filter(isOfSurveys)) {
		const [{ json: sample }] = JSON.parse(JSON.stringify(pinData?.[node.name]));
		const [real] = run.items(node.name);
		expect(Object.keys(real?.json ?? {})).toEqual(expect.arrayContaining(columnsOf(sample)));
	}
}

/** Returns the columns that every record has, without questions and properties. */
function columnsOf(sample: object): string[] {
	return Object.keys(sample).filter((column) => /^[a-z_A-Z]+$/.test(column) && column !== 'Plan');
}

test('google-sheets-nightly-answers: each question and property is a column of the row', async () => {
	const name = 'google-sheets-nightly-answers';
	const id = await host.n8n.createWorkflow(againstSandbox(name));
	const run = await host.n8n.run(id, { trigger: 'Every Night' });
	expect(run).toMatchObject({ status: 'success' });
	expectColumnsAsPinned(name, run);
	const rows = run.items('Lists as Text').map(({ json }) => json);
	expect(rows).toHaveLength(run.items('Every Night').length);
	for (const row of rows) {
		expect(row).not.toHaveProperty('answers');
		for (const value of Object.values(row)) {
			expect(value === null || typeof value !== 'object').toBe(true);
		}
	}
});

test('account-nps-by-company: emails a bar per company, the lowest score first', async () => {
	const name = 'account-nps-by-company';
	const smtp = await host.n8n.createCredential('smtp', 'Mailbox', mailbox.credential);
	const [first, second] = sandbox.a.state.companies;
	if (first) first.cxMetrics = { NPS: 67, CSAT: null, CES: null, STAR: null };
	if (second) second.cxMetrics = { NPS: -25, CSAT: null, CES: null, STAR: null };
	const workflow = againstSandbox(name, { smtp });
	const id = await host.n8n.createWorkflow({ ...workflow, pinData: {} });
	const run = await host.n8n.run(id, { trigger: 'Every Monday' });
	expect(run).toMatchObject({ status: 'success' });
	expectColumnsAsPinned(name, run);
	expect(mailbox.messages).toHaveLength(1);
	const message = unwrapped(mailbox.messages[0] ?? '');
	expect(message).toMatch(/Subject: Account NPS: 1 of \d+ companies below zero/);
	expect(message).toContain('<td width="25" bgcolor="#dc2626"');
	expect(message).toContain('<td width="67" bgcolor="#16a34a"');
	expect(message.indexOf(`<td>${second?.companyName}</td>`)).toBeGreaterThan(0);
	expect(message.indexOf(`<td>${first?.companyName}</td>`)).toBeGreaterThan(
		message.indexOf(`<td>${second?.companyName}</td>`),
	);
});
