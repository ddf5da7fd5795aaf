import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { z } from 'zod';

import { PublicN8n } from '../../host/publicApi.mts';
import { answerUntilDelivered } from '../../scripts/answerUntilDelivered.mts';
import { CHECKS } from '../../scripts/compat/checks.mts';
import { credentialsFor, host, sandbox, withHost } from '../support/n8n.mts';
import { openReceiver } from '../support/receiver.mts';
import { request } from '../support/sandbox';

// An n8n of its own: other programs use it, with a key for everything in it.
withHost({});

let n8n: PublicN8n;
let apiKey: string;

beforeAll(async () => {
	const scopes = await host.n8n.get('/api-keys/scopes');
	const body = { label: 'compat', expiresAt: null, scopes };
	const { rawApiKey } = await host.n8n.post('/api-keys', body, z.object({ rawApiKey: z.string() }));
	apiKey = rawApiKey;
	n8n = new PublicN8n(host.n8n.url, apiKey);
});

test('npm run compat -- --n8n URL can check over the public API that Survey B Trigger registers, runs, and is removed', async () => {
	const credentials = await credentialsFor(sandbox, n8n);
	const check = CHECKS['Survey B Trigger registers, runs, and is removed'];
	await check?.({ sandbox, n8n, credentials });
	await n8n.deleteCreated();
	expect(await n8n.workflows()).toEqual([]);
});

test('the demo answers again while no webhook has taken its answer, and once if one has', async () => {
	const { b } = sandbox;
	const n8n = await openReceiver();
	const answer = { email: 'ada@acme.example', campaignId: 101, score: 2 };
	const answered = answerUntilDelivered(b, answer);
	const event = 'feedback.added_or_changed';
	await request(b, 'POST /api/v2/hooks', { event, target: `${n8n.url}/webhook` });
	await answered;
	await b.idle();
	await n8n.close();
	expect(n8n.calls).toHaveLength(1);
});

test('the demo runs in a running n8n', async () => {
	const args = ['--import', 'tsx', 'scripts/start.mts', '--once', '--n8n', host.n8n.url];
	const env = { ...process.env, N8N_API_KEY: apiKey };
	const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
	const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
	// A failure shows each line that was printed.
	expect(code === 0 ? [] : [code, ...printed.split('\n')]).toEqual([]);
	expect(await n8n.workflows()).toHaveLength(2);
}, 600_000);
