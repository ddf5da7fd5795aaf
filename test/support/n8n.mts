import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSandbox, type Sandbox } from '../../sandbox/index';
import { fillIn, readExample } from './examples.mts';
import { FirstStart } from './firstStart.mts';
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

/** A real n8n with the packed package in a fresh user folder. */
export interface Host {
	n8n: N8n;
	/** Credentials for both services of the sandbox. */
	credentials: { surveyAApi: Made; surveyBApi: Made };
	/** The folder with n8n's database, `.n8n/database.sqlite`. */
	userFolder: string;
	end(): Promise<void>;
}

/**
 * @param env environment variables besides those of every test
 * @param other an installation or image in place of the installed n8n
 */
export async function startHost(
	{ a, b }: Sandbox,
	env?: Record<string, string>,
	other: Pick<StartOptions, 'installation' | 'image'> = {},
): Promise<Host> {
	const userFolder = mkdtempSync(join(tmpdir(), 'surveys-test-'));
	const tarball = packedPackage(ROOT);
	const firstStart = new FirstStart(`${tarball}.n8n`);
	const isOwn = !other.installation && !other.image;
	if (isOwn) firstStart.copyTo(userFolder);
	const n8n = await startN8n({ root: ROOT, tarball, userFolder, env, ...other });
	if (isOwn && env === undefined) firstStart.keep(userFolder);
	const credentials = {
		surveyAApi: await n8n.createCredential('surveyAApi', 'A', credentialOf(a)),
		surveyBApi: await n8n.createCredential('surveyBApi', 'B', credentialOf(b)),
	};
	const end = async () => {
		await n8n.stop();
		rmSync(userFolder, { recursive: true, force: true });
	};
	return { n8n, credentials, userFolder, end };
}

/** Starts an n8n on a copy of another one's data, at another address. Stop it before the other one. */
export async function startCopy({ userFolder }: Pick<Host, 'userFolder'>): Promise<N8n> {
	const copy = join(userFolder, 'copy');
	rmSync(copy, { recursive: true, force: true });
	cpSync(join(userFolder, '.n8n'), join(copy, '.n8n'), { recursive: true });
	return await startN8n({ root: ROOT, tarball: packedPackage(ROOT), userFolder: copy });
}

/** `withHost` sets both before the tests. They are live bindings, so that importing files see the values. */
export let sandbox: Sandbox;
export let host: Host;

/** Starts both services and n8n before the tests of a block, and stops them after. */
export function withHost(env?: Record<string, string>): void {
	beforeAll(async () => {
		sandbox = await startSandbox();
		host = await startHost(sandbox, env);
	}, 180_000);

	afterAll(async () => {
		await host?.end();
		await sandbox?.close();
	}, 60_000);
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
