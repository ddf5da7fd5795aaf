import axios from 'axios';

import type { FaultKind } from '../../../sandbox/index';
import { EXAMPLES, readExample } from '../../support/examples.mts';
import { openMailbox, unwrapped, type Mailbox } from '../../support/mailbox.mts';
import {
	example,
	host,
	sandbox,
	type Execution,
	type Made,
	type WorkflowInput,
	type WorkflowNode,
} from '../../support/n8n.mts';
import { openReceiver, type Receiver } from '../../support/receiver.mts';
import { request } from '../../support/sandbox';

// What the examples meet on awkward days: both services, a team that gets mails and calls, and a CRM that may refuse.

/** The days that every example is asked about. */
export const DAYS = [
	'an empty list',
	'one item',
	'500 items',
	'quotes, newlines, emoji and HTML',
	'no email',
	'an address in other case',
	'two answers by one person in an hour',
	'two starts within two seconds',
	'a restart in the middle',
	'a 401 in the middle',
	'a 403 in the middle',
	'a 429 in the middle',
	'a 500 in the middle',
	'a change of clocks',
] as const;

export type Day = (typeof DAYS)[number];

/** An example with a check for each day that can break it, and for each other day the reason why it cannot. */
export interface AwkwardDays {
	name: (typeof EXAMPLES)[number];
	days: Record<Day, (() => Promise<void>) | string>;
}

/** Texts that break whatever builds JSON, HTML, CSV or Slack's markup by hand. */
export const AWKWARD_TEXT = `"It's" <b>bad</b> & \\ {{ 1 }}\n<!channel> =1+1, 😀 Zoë`;

/** Who and what listens: the mails that went out and the requests that a CRM, a chat or a help desk got. */
export let mailbox: Mailbox;
export let receiver: Receiver;

let credentials: Record<string, Made>;

const LOGIN = { username: 'lead', password: 'example' };
const SECRET = { 'x-secret': 'example' };

export async function setUp(): Promise<void> {
	mailbox = await openMailbox();
	// A person approves every reply that a chat shows.
	receiver = await openReceiver((_, path) => {
		return path === '/ask-in-slack' ? { data: { approved: true } } : {};
	});
	const { n8n } = host;
	const [name, value] = Object.entries(SECRET)[0] ?? [];
	const login = { user: LOGIN.username, password: LOGIN.password };
	credentials = {
		...host.credentials,
		smtp: await n8n.createCredential('smtp', 'Mailbox', mailbox.credential),
		httpHeaderAuth: await n8n.createCredential('httpHeaderAuth', 'Secret', { name, value }),
		httpBasicAuth: await n8n.createCredential('httpBasicAuth', 'Login', login),
	};
}

export async function tearDown(): Promise<void> {
	await mailbox.close();
	await receiver.close();
}

export async function reset(): Promise<void> {
	sandbox.a.reset();
	sandbox.b.reset();
	sandbox.a.state.outbox.length = 0;
	mailbox.messages.length = 0;
	receiver.calls.length = 0;
	receiver.refusal = undefined;
	await host.n8n.deleteDataTables();
}

/** Nodes of services that are not here. */
const FOREIGN = /\.(hubspot|salesforce|zendesk|slack|googleSheets)(Tool)?$/;

/**
 * Returns an example with the sandbox's values. A node of a CRM, a help desk, a chat or a sheet posts its values to
 * `receiver` instead, to a path such as `/write-to-contact`, and handles errors as before.
 */
export function filledIn(name: string): WorkflowInput {
	const workflow = example(name, { credentials }, receiver.url);
	const nodes = workflow.nodes.map((node) => (FOREIGN.test(node.type) ? standIn(node) : node));
	return { ...workflow, nodes };
}

function standIn(node: WorkflowNode): WorkflowNode {
	const values = expressionsIn(node.parameters).map(([name, value]) => ({ name, value }));
	return {
		...node,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		credentials: {},
		parameters: {
			method: 'POST',
			url: `${receiver.url}/${node.name.toLowerCase().replaceAll(' ', '-')}`,
			sendBody: true,
			bodyParameters: { parameters: values },
			options: {},
		},
	};
}

/** Returns the expressions in a value, each with its path: `additionalFields/status`. */
function expressionsIn(value: unknown, path = ''): Array<[path: string, text: string]> {
	if (typeof value === 'string') return value.startsWith('=') ? [[path, value]] : [];
	return Object.entries(Object(value)).flatMap(([key, inside]) =>
		expressionsIn(inside, path === '' ? key : `${path}/${key}`),
	);
}

/** Imports an example, after `change` has filled in more of it. Returns the ID of the workflow. */
export async function imported(
	name: string,
	change: (workflow: WorkflowInput) => void = () => {},
): Promise<string> {
	const workflow = filledIn(name);
	change(workflow);
	return await host.n8n.createWorkflow(workflow);
}

/** Returns the pinned sample of a node, for items like those that its service sends. */
export function sampleOf(name: string, node: string): object[] {
	const items: Array<{ json: object }> = Object(readExample(name).pinData)[node] ?? [];
	return items.map(({ json }) => json);
}

/** Publishes a workflow for as long as `work` takes, and returns its first runs. */
export async function whilePublished(
	id: string,
	work: () => Promise<unknown>,
	runs = 1,
): Promise<Execution[]> {
	await host.n8n.activate(id);
	try {
		await work();
		return await host.n8n.waitForExecutions(id, runs, 90_000);
	} finally {
		await host.n8n.deactivate(id);
	}
}

export async function post(path: string, body: unknown) {
	return await axios.post(`${host.n8n.url}/webhook/${path}`, body, { headers: SECRET });
}

/** Starts a trigger twice at once, and waits for the end of both runs. */
export async function runTwice(id: string, trigger: string): Promise<Execution[]> {
	const { n8n } = host;
	const started = await Promise.all([n8n.start(id, trigger), n8n.start(id, trigger)]);
	return await Promise.all(started.map(async (run) => await n8n.ended(run)));
}

/** Kills n8n as soon as a request waits, and starts it again. The request is carried out all the same. */
export async function killDuring(arrived: Promise<void>, release: () => void): Promise<void> {
	await arrived;
	await host.n8n.process.kill();
	release();
	await host.n8n.restart();
}

/** Returns a response with a status that a service gives in both contracts' forms. */
export function refusal(status: number): FaultKind {
	const wait = status === 429 ? { 'retry-after': '1' } : undefined;
	return { status, headers: wait, body: { code: status, message: 'Refused', detail: 'Refused' } };
}

/** Returns everything that a person sees without opening a run: mails, calls to the team, and why runs failed. */
export async function seenByPeople(id: string): Promise<string> {
	const runs = await host.n8n.executions(id);
	const failures = runs
		.filter(({ status }) => status === 'error')
		.map(({ error }) => error?.message);
	const calls = receiver.calls.map(({ body }) => JSON.stringify(body));
	return [...mailbox.messages.map(unwrapped), ...calls, ...failures].join('\n');
}

/** Returns the values that occur more than once. */
export function repeated(values: string[]): string[] {
	return values.filter((value, index) => values.indexOf(value) !== index);
}

const CAMPAIGN_A = '64a000000000000000000003';

/** Lets Survey A send surveys to these addresses, and returns their records in its outbox, the newest last. */
export async function surveyedByA(emails: string[]) {
	const { a } = sandbox;
	for (let start = 0; start < emails.length; start += 100) {
		const subscribers = emails.slice(start, start + 100).map((email) => ({ email }));
		await request(a, 'POST /api/v2/survey', { campaign: CAMPAIGN_A, subscribers });
	}
	a.requests.length = 0;
	return a.state.outbox.slice(-emails.length);
}

/** Lets people opt out of Survey A by a link in a survey. */
export async function optOutOfA(emails: string[], how: 'isOptedOut' | 'isBounced' = 'isOptedOut') {
	for (const { detailedStatus } of await surveyedByA(emails)) detailedStatus[how] = true;
}

/** Creates contacts in Survey B. */
export async function contactsOfB(emails: string[]): Promise<void> {
	for (const email of emails) await request(sandbox.b, 'POST /api/v2/contacts/', { email });
}

export async function unsubscribeInB(...emails: string[]): Promise<void> {
	await request(sandbox.b, 'POST /api/v2/contacts/unsubscribe/', { emails });
}

/** Sends a form of a published workflow. */
export async function submit(id: string, trigger: string, form: FormData): Promise<void> {
	const { nodes } = await host.n8n.workflow(id);
	const { webhookId } = nodes.find(({ name }) => name === trigger) ?? {};
	await axios.post(`${host.n8n.url}/form/${webhookId}`, form, { auth: LOGIN });
}

/** Overwrites fields of an Edit Fields node. */
export function setFields(
	{ nodes }: WorkflowInput,
	name: string,
	values: Record<string, unknown>,
): void {
	const { assignments } = Object(nodes.find((node) => node.name === name)?.parameters).assignments;
	for (const field of assignments) field.value = values[field.name] ?? field.value;
}

/** Returns `count` addresses. */
export const addresses = (count: number) =>
	Array.from({ length: count }, (_, i) => `p${i}@days.example`);
