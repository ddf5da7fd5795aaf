/** @jest-environment ./test/support/n8nEnvironment.mts */
import { host, rowsInto, sandbox, withHost } from '../support/n8n.mts';
import { automatic } from '../support/columns';
import { until } from '../../host/until.mts';

// After a crash of n8n in the middle of a large send, the user starts the run again.

const AFTER_PURCHASE = '64a000000000000000000003';
const ROWS = 5000;
const SENT_BEFORE = 2300;

withHost();

test('5,000 addresses are surveyed once each when n8n is killed in the middle and the run is started again', async () => {
	const { n8n } = host;
	const { a } = sandbox;
	const rows = Array.from({ length: ROWS }, (_, i) => ({
		email: `row${i}@example.com`,
		plan: 'pro',
	}));
	const node = {
		type: 'n8n-nodes-surveys.surveyA',
		parameters: {
			resource: 'survey',
			operation: 'send',
			...automatic(),
			campaign: { __rl: true, mode: 'id', value: AFTER_PURCHASE },
			options: { quietPeriod: 1 },
		},
		credentials: { surveyAApi: host.credentials.surveyAApi },
	};
	const id = await n8n.createWorkflow(rowsInto(node, rows));
	// The service carries out the last batch, but n8n gets no response.
	a.faults.add({ path: /\/survey$/, skip: SENT_BEFORE / 100 - 1, kind: 'hang' });

	await n8n.start(id);
	await until(
		async () => a.state.sent.length,
		(sent) => sent >= SENT_BEFORE,
		{ timeoutMs: 90_000 },
	);
	await n8n.kill();
	expect(a.state.sent).toHaveLength(SENT_BEFORE);
	await n8n.restart();
	const again = await n8n.run(id, { timeoutMs: 120_000 });

	expect(again.status).toBe('success');
	const addresses = a.state.sent.map(({ email }) => email);
	expect(addresses).toHaveLength(ROWS);
	expect(new Set(addresses).size).toBe(ROWS);
	const statuses = again.items('Tested').map(({ json }) => json.status);
	expect(statuses.filter((status) => status === 'skipped')).toHaveLength(SENT_BEFORE);
	expect(statuses.filter((status) => status === 'queued')).toHaveLength(ROWS - SENT_BEFORE);
}, 300_000);
