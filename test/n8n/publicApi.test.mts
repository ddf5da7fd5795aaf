/** @jest-environment ./test/support/n8nEnvironment.mts */
import { z } from 'zod';

import { PublicN8n } from '../../host/publicApi.mts';
import { CHECKS } from '../../scripts/compat/checks.mts';
import { credentialsFor, host, sandbox, withHost } from '../support/n8n.mts';

withHost();

let n8n: PublicN8n;

beforeAll(async () => {
	const scopes = await host.n8n.get('/api-keys/scopes');
	const body = { label: 'compat', expiresAt: null, scopes };
	const { rawApiKey } = await host.n8n.post('/api-keys', body, z.object({ rawApiKey: z.string() }));
	n8n = new PublicN8n(host.n8n.url, rawApiKey);
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
