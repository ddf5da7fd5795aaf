import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// Fails when the installed n8n no longer does what nodes/shared/n8nInternals.ts relies on.

/** Returns the code of a file of the installed n8n. */
function codeOf(file: string): string {
	return readFileSync(join(process.cwd(), 'host/node_modules/n8n/dist', file), 'utf8');
}

test('the installed n8n stores a run before it reads the response of a webhook', () => {
	const helpers = codeOf('webhooks/webhook-helpers.js');
	const stored = helpers.indexOf('WorkflowRunner).run(');
	const read = helpers.indexOf('extractWebhookOnReceivedResponse)(');
	expect(stored).toBeGreaterThan(0);
	expect(read).toBeGreaterThan(stored);
});

test('the installed n8n stores each webhook of a trigger before it calls create for it', () => {
	const registrar = codeOf('workflows/triggers/webhook-trigger-registrar.js');
	const stored = registrar.indexOf('.storeWebhook(');
	const created = registrar.indexOf('.createWebhookIfNotExists(');
	expect(stored).toBeGreaterThan(0);
	expect(created).toBeGreaterThan(stored);
});
