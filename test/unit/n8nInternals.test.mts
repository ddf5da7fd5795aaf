import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// Fails when the installed n8n no longer does what nodes/shared/n8nInternals.ts relies on.

const helpers = readFileSync(
	join(process.cwd(), 'host/node_modules/n8n/dist/webhooks/webhook-helpers.js'),
	'utf8',
);

test('the installed n8n stores a run before it reads the response of a webhook', () => {
	const stored = helpers.indexOf('WorkflowRunner).run(');
	const read = helpers.indexOf('extractWebhookOnReceivedResponse)(');
	expect(stored).toBeGreaterThan(0);
	expect(read).toBeGreaterThan(stored);
});
