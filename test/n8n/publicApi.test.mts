/** @jest-environment ./test/support/n8nEnvironment.mts */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { z } from 'zod';

import { PublicN8n } from '../../host/publicApi.mts';
import { CHECKS } from '../../scripts/compat/checks.mts';
import { credentialsFor, example, host, sandbox, withHost } from '../support/n8n.mts';

withHost();

let n8n: PublicN8n;
let apiKey: string;

beforeAll(async () => {
	const scopes = await host.n8n.get('/api-keys/scopes');
	const body = { label: 'compat', expiresAt: null, scopes };
	const { rawApiKey } = await host.n8n.post('/api-keys', body, z.object({ rawApiKey: z.string() }));
	apiKey = rawApiKey;
	n8n = new PublicN8n(host.n8n.url, apiKey);
});

test.each([
	'Both credentials pass their test',
	'Survey A: Send Survey, with the error output',
	'Survey B Trigger registers, runs, and is removed',
])('npm run compat -- --n8n URL can check this over the public API: %s', async (name) => {
	const credentials = await credentialsFor(sandbox, n8n);
	await CHECKS[name]?.({ sandbox, n8n, credentials });
	await n8n.deleteCreated();
	expect(await n8n.workflows()).toEqual([]);
});

/** Runs one round of the demo in a running n8n; returns what it printed. @throws Error with that if a step is missing */
async function demo(): Promise<string> {
	const args = ['--import', 'tsx', 'scripts/start.mts', '--once', '--n8n', host.n8n.url];
	const env = { ...process.env, N8N_API_KEY: apiKey };
	const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
	let printed = '';
	child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
	const [code] = await once(child, 'exit');
	if (code !== 0) throw new Error(printed);
	return printed;
}

test('the demo runs a second time in the same n8n, updates its workflows, and lets n8n publish the same examples beside them', async () => {
	expect(await demo()).toContain('Imported');
	expect(await demo()).toContain('Updated');
	expect(await n8n.workflows()).toHaveLength(2);

	const secret = { name: 'x-secret', value: 'example' };
	const mailbox = { host: '127.0.0.1', port: 9, secure: false };
	const credentials = {
		...host.credentials,
		httpHeaderAuth: await host.n8n.createCredential('httpHeaderAuth', 'Header Auth', secret),
		smtp: await host.n8n.createCredential('smtp', 'Mailbox', mailbox),
	};
	// README's two jobs beside the demo, and the second of them twice.
	for (const name of ['crm-event-to-survey', 'route-detractors', 'route-detractors']) {
		const id = await host.n8n.createWorkflow(example(name, { credentials }));
		await host.n8n.activate(id);
	}
}, 180_000);
