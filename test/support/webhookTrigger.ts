import express from 'express';
import { HookContext, WebhookContext } from 'n8n-core';
import { NodeHelpers } from 'n8n-workflow';
import type {
	IDataObject,
	INode,
	INodeType,
	IWebhookData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

/** A node type with one webhook, named `default`. */
export type WebhookType = Required<Pick<INodeType, 'description' | 'webhookMethods' | 'webhook'>>;

export type LogLine = [level: string, ...line: unknown[]];

export interface WebhookCall {
	request: express.Request;
	response: express.Response;
}

/** The work of n8n for a delivery besides the call of the trigger. */
interface Host {
	/** Stores the run; rejects if the database refuses the write. */
	store: () => Promise<void>;
	/** Saves the workflow's static data. */
	save: () => void;
	/** Never resolves after n8n was killed: nothing of it goes on then. */
	alive: () => Promise<void>;
}

/** A process of n8n, in which the trigger works. */
export interface HostProcess {
	/** n8n's own settings of the process, as its contexts have them. */
	instance: { instanceType: 'main' | 'webhook'; isLeader: boolean };
	/** Called before and after each request of the trigger. Never resolves once the process was killed. */
	step: () => Promise<void>;
	/** Called with the method of each request whose response has arrived. */
	slow?: (method: unknown) => Promise<void>;
}

const MAIN: HostProcess = {
	instance: { instanceType: 'main', isLeader: true },
	step: async () => {},
};

/**
 * Runs a webhook trigger in n8n-core's own contexts, as n8n 2.41 does: subscribing, unsubscribing, and responding to
 * calls.
 */
export class WebhookTrigger {
	constructor(
		private readonly type: WebhookType,
		private readonly additional: IWorkflowExecuteAdditionalData,
		private readonly log: (line: LogLine) => void,
		private readonly process = MAIN,
	) {}

	/** Returns a node's webhooks in the order in which n8n registers them. */
	webhooksOf({ id }: Workflow, node: INode, isTest: boolean): IWebhookData[] {
		return (this.type.description.webhooks ?? []).map((webhookDescription) => ({
			httpMethod: webhookDescription.httpMethod === 'POST' ? 'POST' : 'HEAD',
			node: node.name,
			path: NodeHelpers.getNodeWebhookPath(id, node, webhookDescription.path),
			webhookDescription,
			workflowId: id,
			workflowExecuteAdditionalData: this.additional,
			isTest,
		}));
	}

	/** Returns the webhook that takes deliveries. */
	webhookOf(workflow: Workflow, node: INode, isTest: boolean): IWebhookData {
		const webhooks = this.webhooksOf(workflow, node, isTest);
		const found = webhooks.find(({ httpMethod }) => httpMethod === 'POST');
		if (!found) throw new RangeError('the trigger has no webhook');
		return found;
	}

	/** Subscribes unless the subscriptions exist. */
	async register(
		workflow: Workflow,
		webhook: IWebhookData,
		mode: WorkflowExecuteMode,
		activation: WorkflowActivateMode,
	): Promise<void> {
		const context = this.hookContext(workflow, webhook, mode, activation);
		const methods = this.methodsOf(webhook);
		if (!(await methods?.checkExists?.call(context))) await methods?.create?.call(context);
	}

	async unregister(workflow: Workflow, webhook: IWebhookData): Promise<void> {
		const context = this.hookContext(workflow, webhook, 'internal', 'update');
		await this.methodsOf(webhook)?.delete?.call(context);
	}

	private methodsOf({ webhookDescription }: IWebhookData) {
		return this.type.webhookMethods[webhookDescription.name];
	}

	/**
	 * Runs the trigger for a call in n8n's order: store the run, read the trigger's response, save the static data,
	 * respond.
	 *
	 * @returns the items of each output if a run was stored
	 */
	async receive(
		workflow: Workflow,
		webhook: IWebhookData,
		{ request, response }: WebhookCall,
		{ store, save, alive }: Host,
	): Promise<IDataObject[][] | undefined> {
		const additional = { ...this.additional, httpRequest: request, httpResponse: response };
		const mode = webhook.isTest ? 'manual' : 'webhook';
		const node = nodeOf(workflow, webhook);
		const context = new WebhookContext(workflow, node, additional, mode, webhook, [], null);
		const result = await this.type.webhook.call(this.heard(context));
		await alive();
		const outputs = result.workflowData?.map((items) => (items ?? []).map(({ json }) => json));
		if (outputs) {
			const [stored] = await Promise.allSettled([store()]);
			await alive();
			if (stored.status === 'rejected') {
				response.status(500).json({ message: 'There was a problem executing the workflow' });
				return undefined;
			}
			// n8n resets the flag when it starts a run.
			workflow.staticData.__dataChanged = false;
		}
		const message = outputs ? 'Workflow was started' : 'Webhook call received';
		const { noWebhookResponse, webhookResponse = { message } } = result;
		const answer = noWebhookResponse ? undefined : webhookResponse;
		save();
		if (answer !== undefined) response.json(answer);
		return outputs;
	}

	private hookContext(
		workflow: Workflow,
		webhook: IWebhookData,
		mode: WorkflowExecuteMode,
		activation: WorkflowActivateMode,
	): HookContext {
		const node = nodeOf(workflow, webhook);
		return this.heard(new HookContext(workflow, node, this.additional, mode, activation, webhook));
	}

	private heard<Context extends HookContext | WebhookContext>(context: Context): Context {
		const { instance, step, slow } = this.process;
		Object.assign(context, { instanceSettings: instance });
		for (const name of ['httpRequest', 'httpRequestWithAuthentication'] as const) {
			const request: (...values: never[]) => Promise<unknown> = context.helpers[name];
			const stepwise = async function (this: unknown, ...values: never[]): Promise<unknown> {
				await step();
				const [result] = await Promise.allSettled([request.apply(this, values)]);
				await slow?.(Object(values[1]).method);
				await step();
				return result.status === 'fulfilled' ? result.value : await Promise.reject(result.reason);
			};
			Object.assign(context.helpers, { [name]: stepwise });
		}
		for (const level of ['debug', 'info', 'warn', 'error'] as const) {
			jest.spyOn(context.logger, level).mockImplementation((...line) => {
				this.log([level, ...line]);
			});
		}
		return context;
	}
}

function nodeOf(workflow: Workflow, webhook: IWebhookData): INode {
	const node = workflow.nodes[webhook.node];
	if (!node) throw new RangeError(`no node ${webhook.node}`);
	return node;
}

/** Starts a server on loopback that passes its calls on. */
export async function serveWebhooks(
	handle: (call: WebhookCall) => void,
): Promise<{ address: string; close: () => void }> {
	const app = express().use(express.json());
	app.post(/.*/, (request, response) => handle({ request, response }));
	return await new Promise((resolve) => {
		const server = app.listen(0, '127.0.0.1', () => {
			const place = server.address();
			const port = typeof place === 'object' ? place?.port : undefined;
			resolve({ address: `http://127.0.0.1:${port}`, close: () => void server.close() });
		});
	});
}
