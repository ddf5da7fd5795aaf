import { rmSync } from 'node:fs';

import { startSandbox, type Sandbox } from '../../sandbox/index';
import { fillIn, readExample } from './examples.mts';
import { freshN8n, type FreshN8n } from './freshN8n.mts';
import { chain, type N8n } from '../../host/index.mts';
import type { WorkflowInput, WorkflowNode } from '../../host/index.mts';

export type { Execution, N8n, WorkflowInput, WorkflowNode } from '../../host/index.mts';

export interface Made {
	id: string;
	name: string;
}

/** A real n8n with the packed package. */
export interface Host extends FreshN8n {
	/** Credentials for both services of the sandbox. */
	credentials: { surveyAApi: Made; surveyBApi: Made };
	end(): Promise<void>;
}

/**
 * Starts an n8n of its own.
 *
 * @param env environment variables besides those of every test
 * @param installation a folder with another n8n than the installed one
 */
export async function startHost(
	services: Sandbox,
	env?: Record<string, string>,
	installation?: string,
): Promise<Host> {
	const fresh = await freshN8n(env, installation);
	const end = async () => {
		await fresh.n8n.stop();
		rmSync(fresh.userFolder, { recursive: true, force: true });
	};
	return { ...fresh, credentials: await credentialsFor(services, fresh.n8n), end };
}

/** Set by `n8nEnvironment.mts`. */
declare global {
	// eslint-disable-next-line no-var
	var sharedN8n: (() => Promise<FreshN8n>) | undefined;
}

/** Returns the n8n of this process, without what earlier test files created. */
async function sharedHost(services: Sandbox): Promise<Host> {
	if (!globalThis.sharedN8n) return await startHost(services);
	const fresh = await globalThis.sharedN8n();
	const { n8n } = fresh;
	const end = async () => {
		await deleteWorkflows(n8n);
		for (const { id } of await n8n.credentials()) await n8n.deleteCredential(id);
	};
	return { ...fresh, credentials: await credentialsFor(services, n8n), end };
}

/** Creates a credential for each service. */
export async function credentialsFor(
	{ a, b }: Sandbox,
	n8n: Pick<N8n, 'createCredential'>,
): Promise<Host['credentials']> {
	return {
		surveyAApi: await n8n.createCredential('surveyAApi', 'A', credentialOf(a)),
		surveyBApi: await n8n.createCredential('surveyBApi', 'B', credentialOf(b)),
	};
}

/** Deletes all workflows with their executions. */
export async function deleteWorkflows(n8n: N8n): Promise<void> {
	for (const { id } of await n8n.workflows()) await n8n.deleteWorkflow(id);
}

/** `openHost` sets both. They are live bindings, so that importing files see the values. */
export let sandbox: Sandbox;
export let host: Host;

/**
 * Starts both services before the tests of a block. Each test begins with an n8n without workflows.
 *
 * @param env the reason for an n8n of its own
 */
export function withHost(env?: Record<string, string>): void {
	beforeAll(async () => await openHost(env), 180_000);
	afterEach(async () => await deleteWorkflows(host.n8n), 60_000);
	afterAll(closeHost, 60_000);
}

/** Sets `sandbox` and `host`. */
export async function openHost(env?: Record<string, string>): Promise<void> {
	sandbox = await startSandbox();
	host = env ? await startHost(sandbox, env) : await sharedHost(sandbox);
}

export async function closeHost(): Promise<void> {
	await host?.end();
	await sandbox?.close();
}

export function credentialOf({ url, apiKey }: { url: string; apiKey: string }) {
	return { baseUrl: url, apiKey, requestsPerMinute: 0 };
}

/**
 * Returns an example workflow with the host's credentials and the sandbox's campaigns.
 *
 * @param receiverUrl the URL of a server in place of the team's chat and help desk
 */
export function example(
	name: string,
	{ credentials }: { credentials: Record<string, Made> },
	receiverUrl?: string,
): WorkflowInput {
	return fillIn(readExample(name), credentials, receiverUrl);
}

/** Returns a workflow that feeds rows to one node. */
export function rowsInto(
	node: Pick<WorkflowNode, 'type' | 'parameters'> & Partial<WorkflowNode>,
	rows: object[],
): WorkflowInput {
	const list = JSON.stringify({ rows });
	return {
		name: `Rows into ${node.type}`,
		nodes: [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
			{
				name: 'List',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: { mode: 'raw', jsonOutput: list, options: {} },
			},
			{
				name: 'Rows',
				type: 'n8n-nodes-base.splitOut',
				parameters: { fieldToSplitOut: 'rows', options: {} },
			},
			{ name: 'Tested', ...node },
		],
		connections: chain('Start', 'List', 'Rows', 'Tested'),
		settings: { executionOrder: 'v1' },
	};
}
