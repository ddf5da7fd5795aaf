import axios from 'axios';

import { until } from '../../host/until.mts';
import { isObject } from '../../nodes/shared/base/json';
import { deliveryBody, type Sandbox, type ServiceB } from '../../sandbox';
import { closeHost, deleteWorkflows, host, openHost, sandbox } from './n8n.mts';
import type { Execution, Host, N8n, WorkflowInput, WorkflowNode } from './n8n.mts';

interface TriggerRun {
	mode: string;
	node: string;
	item: Record<string, unknown>;
}

/** A subscription with what a caller of its URL needs. */
export interface Subscribed {
	id: number;
	target: string;
	/** The target without its token. */
	address: string;
	/** A delivery that would start a run. */
	body: ReturnType<typeof deliveryBody>;
}

/** The responses to the deliveries of a change: status codes, or the reason for none. */
type Answers = Array<number | string | undefined>;

interface More {
	nodes?: WorkflowNode[];
	connections?: WorkflowInput['connections'];
	settings?: WorkflowInput['settings'];
}

let serial = 0;

/** Returns a new number, so that data with it is a new change. */
export function fresh(): number {
	return ++serial;
}

/** Survey B's sandbox and a real n8n whose workflows begin with the trigger. */
export class TriggerSetup {
	private constructor(
		private readonly sandbox: Sandbox,
		readonly host: Host,
	) {}

	/** @param env the reason for an n8n of its own */
	static async open(env?: Record<string, string>): Promise<TriggerSetup> {
		await openHost(env);
		return new TriggerSetup(sandbox, host);
	}

	get b(): ServiceB {
		return this.sandbox.b;
	}

	get n8n(): N8n {
		return this.host.n8n;
	}

	async close(): Promise<void> {
		await closeHost();
	}

	/** Deletes every workflow and resets the service. */
	async clear(): Promise<void> {
		this.b.faults.clear();
		this.b.settings.hookDeletion = 204;
		await deleteWorkflows(this.n8n);
		this.b.reset();
	}

	/** Returns a trigger node whose ID derives from its name. */
	node(parameters: object, more: Partial<WorkflowNode> = {}): WorkflowNode {
		const name = more.name ?? 'Trigger';
		return {
			id: `id-of-${name}`,
			name,
			type: 'n8n-nodes-surveys.surveyBTrigger',
			typeVersion: 1.1,
			webhookId: `hook-${fresh()}`,
			parameters: { simplify: false, ...parameters },
			credentials: { surveyBApi: this.host.credentials.surveyBApi },
			...more,
		};
	}

	workflow(triggers: WorkflowNode[], { nodes = [], connections = {}, settings }: More = {}) {
		const name = `Workflow ${fresh()}`;
		return { name, nodes: [...triggers, ...nodes], connections, settings };
	}

	async publish(...triggers: WorkflowNode[]): Promise<string> {
		const id = await this.n8n.createWorkflow(this.workflow(triggers));
		await this.n8n.activate(id);
		return id;
	}

	/** Replaces the triggers of a workflow and publishes it. */
	async republish(id: string, ...triggers: WorkflowNode[]): Promise<void> {
		await this.n8n.updateWorkflow(id, this.workflow(triggers));
		await this.n8n.activate(id);
	}

	/** Delivers a new removal to all its subscriptions. */
	async happen(): Promise<Answers> {
		return await this.deliver('feedback.removed', { id: fresh(), score: 3 });
	}

	async deliver(event: string, data: unknown): Promise<Answers> {
		return (await this.b.deliver(event, data)).map(({ status, error }) => status ?? error);
	}

	async call(
		url: string,
		body: unknown,
		method = 'POST',
		type = 'application/json',
	): Promise<number> {
		const headers = { 'content-type': type };
		const options = { method, url, data: body, headers, validateStatus: () => true };
		return (await axios.request({ ...options, maxBodyLength: Infinity })).status;
	}

	/** Calls the service's API like another program. */
	async ask(method: string, path: string, data: unknown): Promise<unknown> {
		const { url, apiKey } = this.b;
		const headers = { authorization: `Token ${apiKey}`, 'content-type': 'application/json' };
		return (await axios.request({ method, url: `${url}${path}`, data, headers })).data;
	}

	get hooks(): Subscribed[] {
		return this.b.state.hooks.map((hook) => {
			const { id, target } = hook;
			const body = deliveryBody(hook, { id: fresh(), score: 2 });
			return { id, target, address: target.split('?')[0] ?? '', body };
		});
	}

	get ids(): number[] {
		return this.hooks.map(({ id }) => id);
	}

	/** The events of all subscriptions, sorted. */
	get events(): string[] {
		return this.b.state.hooks.map(({ event }) => String(event)).sort();
	}

	/** Waits until the service has exactly one webhook for each event. n8n removes the others in the background. */
	async hasEvents(events: string[]): Promise<void> {
		await until(
			() => this.events,
			(found) => found.join() === [...events].sort().join(),
			{ what: `One webhook for each of ${events.length} events`, timeoutMs: 120_000 },
		);
	}

	/**
	 * Returns the runs of a workflow so far. Delivers one more change at the end and leaves it out: when its runs are there,
	 * the earlier ones are there too.
	 *
	 * @param triggers the number of the workflow's nodes that listen to removals
	 */
	async runs(id: string, triggers = 1): Promise<TriggerRun[]> {
		const marker = `${MARKER}${fresh()}`;
		await this.deliver('feedback.removed', { id: marker, score: 3 });
		const read = async () => await this.n8n.executions(id);
		const isOfMarker = (execution: Execution) => idOf(toRun(execution)) === marker;
		const ended = await until(
			read,
			(all) =>
				all.every(({ status }) => ENDED.includes(status)) &&
				all.filter(isOfMarker).length >= triggers,
		);
		const runs = ended.map(toRun);
		return runs.filter((run) => !String(idOf(run)).startsWith(MARKER));
	}
}

const MARKER = 'marker ';
const ENDED = ['success', 'error', 'crashed', 'canceled'];

export function idOf({ item }: TriggerRun): unknown {
	return isObject(item.data) ? item.data.id : item.id;
}

function toRun({ mode, nodes }: Execution): TriggerRun {
	for (const [node, [run]] of Object.entries(nodes)) {
		const item = run?.outputs.flat()[0]?.json;
		if (item) return { mode, node, item };
	}
	return { mode, node: '', item: {} };
}
