import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { startSandbox, type Sandbox } from '../../sandbox/index';
import { fillIn, readExample } from './examples.mts';
import { freshN8n, type FreshN8n } from './freshN8n.mts';
import {
	packedPackage,
	startN8n,
	type N8n,
	type StartOptions,
	type WorkflowInput,
	type WorkflowNode,
} from '../../host/index.mts';

/** Tests run from the repository's root. */
const ROOT = process.cwd();

export type { Execution, N8n, WorkflowInput, WorkflowNode } from '../../host/index.mts';

interface Made {
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
 * @param other an installation or image in place of the installed n8n
 */
export async function startHost(
	services: Sandbox,
	env?: Record<string, string>,
	other: Pick<StartOptions, 'installation' | 'image'> = {},
): Promise<Host> {
	const fresh = await freshN8n(env, other);
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
export async function sharedHost(services: Sandbox): Promise<Host> {
	if (!globalThis.sharedN8n) return await startHost(services);
	const fresh = await globalThis.sharedN8n();
	const { n8n } = fresh;
	const end = async () => {
		await deleteWorkflows(n8n);
		for (const { id } of await n8n.credentials()) await n8n.deleteCredential(id);
		await n8n.deleteDataTables();
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

/** Starts an n8n on a copy of another one's data, at another address. Stop it before the other one. */
export async function startCopy({ userFolder }: Pick<Host, 'userFolder'>): Promise<N8n> {
	const copy = join(userFolder, 'copy');
	rmSync(copy, { recursive: true, force: true });
	cpSync(join(userFolder, '.n8n'), join(copy, '.n8n'), { recursive: true });
	return await startN8n({ root: ROOT, tarball: packedPackage(ROOT), userFolder: copy });
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
 * @param office the URL of a server in place of the team's chat and help desk
 */
export function example(
	name: string,
	{ credentials }: { credentials: Record<string, Made> },
	office?: string,
): WorkflowInput {
	return fillIn(readExample(name), credentials, office);
}

/** Returns a workflow that feeds rows to one node. */
export function rowsInto(
	node: Pick<WorkflowNode, 'type' | 'parameters'> & Partial<WorkflowNode>,
	rows: object[],
): WorkflowInput {
	const base = { typeVersion: 1, position: [0, 0] as [number, number] };
	const list = JSON.stringify({ rows });
	return {
		name: `Rows into ${node.type}`,
		nodes: [
			{ ...base, id: 'start', name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
			{
				...base,
				id: 'list',
				name: 'List',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: { mode: 'raw', jsonOutput: list, options: {} },
			},
			{
				...base,
				id: 'rows',
				name: 'Rows',
				type: 'n8n-nodes-base.splitOut',
				parameters: { fieldToSplitOut: 'rows', options: {} },
			},
			{ ...base, id: 'tested', name: 'Tested', ...node },
		],
		connections: {
			Start: { main: [[{ node: 'List', type: 'main', index: 0 }]] },
			List: { main: [[{ node: 'Rows', type: 'main', index: 0 }]] },
			Rows: { main: [[{ node: 'Tested', type: 'main', index: 0 }]] },
		},
		settings: { executionOrder: 'v1' },
	};
}
