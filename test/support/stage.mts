import axios from 'axios';

import type { WorkflowInput, WorkflowNode } from '../../host/types.mts';
import { openChatModel } from './chatModel.mts';
import { fillIn, readExample } from './examples.mts';
import { openMailbox, unwrapped, type Mailbox } from './mailbox.mts';
import { host, sandbox, type Execution, type Made } from './n8n.mts';
import { openReceiver, type Receiver } from './receiver.mts';

/** The header that the webhooks of examples ask for. */
const SECRET = { 'x-secret': 'example' };
export const LOGIN = { username: 'lead', password: 'example' };

/** Nodes of services that are not here. */
const FOREIGN = /\.(hubspot|zendesk|slack|googleSheets|postgres)$/;

/** Triggers that do not fire here by themselves. */
const SILENT = /\.(scheduleTrigger|hubspotTrigger|surveyATrigger)$/;

type Answer = (path: string, body: Record<string, unknown>) => object;

let imports = 0;

/** An example beside both services, with a mail server, and one server in place of the chat, the CRM and the help desk. */
export class Stage {
	/** The response of the CRM, the chat or the help desk. */
	answer: Answer = () => ({});

	private constructor(
		readonly mailbox: Mailbox,
		readonly receiver: Receiver,
		private readonly model: Receiver,
		readonly credentials: Record<string, Made>,
	) {}

	/** @param script the words of the AI model */
	static async open(script: Parameters<typeof openChatModel>[0] = []): Promise<Stage> {
		let stage: Stage | undefined;
		const mailbox = await openMailbox();
		const receiver = await openReceiver((body, path) => stage?.answer(path, Object(body)) ?? {});
		const model = await openChatModel(script);
		const create = async (type: string, data: Record<string, unknown>) =>
			await host.n8n.createCredential(type, type, data);
		const [name, value] = Object.entries(SECRET)[0] ?? [];
		stage = new Stage(mailbox, receiver, model, {
			...host.credentials,
			smtp: await create('smtp', mailbox.credential),
			httpHeaderAuth: await create('httpHeaderAuth', { name, value }),
			httpBasicAuth: await create('httpBasicAuth', {
				user: LOGIN.username,
				password: LOGIN.password,
			}),
			openAiApi: await create('openAiApi', { apiKey: 'example-key', url: `${model.url}/v1` }),
		});
		return stage;
	}

	async close(): Promise<void> {
		for (const server of [this.mailbox, this.receiver, this.model]) await server.close();
	}

	/** Empties both services and forgets all mails and calls. */
	reset(): void {
		const { a, b } = sandbox;
		a.reset();
		b.reset();
		a.state.outbox.length = 0;
		b.state.feedback.length = 0;
		this.mailbox.messages.length = 0;
		this.receiver.calls.length = 0;
		this.receiver.refusal = undefined;
		this.receiver.hold = undefined;
		this.answer = () => ({});
	}

	/** Imports an example and publishes it. */
	async publish(name: string, change: (workflow: WorkflowInput) => void = () => {}) {
		const filled = fillIn(readExample(name), this.credentials, this.receiver.url);
		const workflow = withStandIns(filled, this.receiver.url);
		change(workflow);
		const id = await host.n8n.createWorkflow(workflow);
		await host.n8n.activate(id);
		return id;
	}

	/** Posts to a webhook of n8n. */
	async post(path: string, body: unknown): Promise<void> {
		await axios.post(`${host.n8n.url}/webhook/${path}`, body, { headers: SECRET });
	}

	/** Lets a schedule or a trigger of a service that is not here start its workflow. Returns the run when it has ended. */
	async start(id: string, items: object[] = [{ timestamp: new Date().toISOString() }]) {
		const { nodes } = await host.n8n.workflow(id);
		const before = (await host.n8n.executions(id)).length;
		const start = nodes.find(({ name }) => name === 'Start');
		await this.post(String(start?.parameters?.path), items);
		return await this.ended(id, before + 1);
	}

	/** Waits for so many runs of a workflow, and returns the last one. */
	async ended(id: string, count = 1): Promise<Execution> {
		const run = (await host.n8n.waitForExecutions(id, count, 60_000)).at(-1);
		if (!run) throw new RangeError('There is no run');
		return run;
	}

	/** Returns the bodies of the requests to a stand-in, such as `/write-result`. */
	bodies(path: string): Array<Record<string, unknown>> {
		return this.receiver.calls.filter((call) => call.path === path).map(({ body }) => Object(body));
	}

	mails(): string[] {
		return this.mailbox.messages.map(unwrapped);
	}
}

/**
 * Replaces the nodes of services that are not here by requests, and the triggers that do not fire here by a webhook
 * *Start*: n8n retries what a webhook has started like any run in production.
 */
function withStandIns(workflow: WorkflowInput, url: string): WorkflowInput {
	const silent = workflow.nodes.find(({ type }) => SILENT.test(type));
	const nodes = workflow.nodes.map((node) => {
		if (node === silent) return itemsOfBody(node);
		return FOREIGN.test(node.type) ? standIn(node, url) : node;
	});
	if (!silent) return { ...workflow, nodes };
	const path = `start-${++imports}`;
	const start: WorkflowNode = {
		name: 'Start',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		position: [-240, 0],
		parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
	};
	const toTrigger = { main: [[{ node: silent.name, type: 'main', index: 0 }]] };
	const connections = { ...workflow.connections, Start: toTrigger };
	return { ...workflow, nodes: [...nodes, start], connections };
}

function itemsOfBody({ name, id, position }: WorkflowNode): WorkflowNode {
	const parameters = { fieldToSplitOut: 'body', options: {} };
	return { name, id, position, type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters };
}

function standIn(node: WorkflowNode, url: string): WorkflowNode {
	const values = expressionsIn(node.parameters).map(([name, value]) => ({ name, value }));
	return {
		...node,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		credentials: {},
		parameters: {
			method: 'POST',
			url: `${url}/${node.name.toLowerCase().replaceAll(' ', '-')}`,
			sendBody: true,
			bodyParameters: { parameters: values },
			options: {},
		},
	};
}

/** Returns the expressions in a value, each with its path: `options/query`. */
function expressionsIn(value: unknown, path = ''): Array<[path: string, text: string]> {
	if (typeof value === 'string') return value.startsWith('=') ? [[path, value]] : [];
	return Object.entries(Object(value)).flatMap(([key, inside]) =>
		expressionsIn(inside, path === '' ? key : `${path}/${key}`),
	);
}
