/** @jest-environment ./test/support/n8nEnvironment.mts */
import axios from 'axios';

import { example, host, sandbox, withHost } from '../support/n8n.mts';

// The main job in a real n8n: a CRM event sends surveys.

const AFTER_PURCHASE = '64a000000000000000000003';

withHost();

beforeEach(() => sandbox.a.reset());

test('sends 250 rows of a CRM event to Survey A in 3 requests, each linked to its row', async () => {
	const { n8n } = host;
	const id = await n8n.createWorkflow(example('crm-event-to-survey', host));
	await n8n.activate(id);
	const customers = Array.from({ length: 250 }, (_, i) => ({ email: `row${i}@example.com` }));

	await axios.post(`${n8n.url}/webhook/crm-event`, { customers });

	const [execution] = await n8n.waitForExecutions(id, 1);
	expect(execution?.status).toBe('success');
	expect(sandbox.a.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
		Array(3).fill('POST /api/v2/survey'),
	);
	expect(sandbox.a.state.sent.map(({ email }) => email)).toEqual(
		customers.map(({ email }) => email),
	);
	const items = execution?.items('Send Survey') ?? [];
	expect(items).toHaveLength(250);
	expect(items[137]).toMatchObject({
		json: { email: 'row137@example.com', campaignId: AFTER_PURCHASE, status: 'queued' },
		pairedItem: { item: 137 },
	});
	await n8n.deactivate(id);
});
