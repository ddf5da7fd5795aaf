import { startSandbox } from '../../../sandbox';
import type { Sandbox } from '../../../sandbox';
import { mapped } from '../../support/columns';
import { runNode } from '../../support/engine';

// The engine of n8n before 2.36 knows a failed item by its `error` alone; with `details` beside it, a refused customer
// would go on as surveyed. The exports of that n8n lack what came with 2.36.
jest.mock('n8n-workflow', () => {
	const { redactedHeaders, ...older } = jest.requireActual('n8n-workflow');
	expect(redactedHeaders).toBeDefined();
	return older;
});

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

afterAll(async () => await sandbox.close());

const send = async (onError: 'continueErrorOutput' | 'continueRegularOutput') =>
	await runNode({
		node: 'surveyB',
		parameters: {
			resource: 'survey',
			operation: 'send',
			campaignId: '101',
			...mapped({ email: '={{ $json.email }}' }),
		},
		input: [{ email: 'unsubscribed@example.com' }],
		credential: { baseUrl: sandbox.b.url, apiKey: sandbox.b.apiKey },
		onError,
	});

test('the error output gets the message and the columns of the row', async () => {
	const { output } = await send('continueErrorOutput');
	expect(output.map(({ length }) => length)).toEqual([0, 1]);
	expect(output[1]?.[0]?.json).toEqual({
		email: 'unsubscribed@example.com',
		error: expect.stringContaining('Contact has unsubscribed.'),
	});
});

test('the regular output has the details, as in every n8n', async () => {
	const { output } = await send('continueRegularOutput');
	expect(output[0]?.[0]?.json).toEqual({
		error: expect.stringContaining('Contact has unsubscribed.'),
		details: expect.objectContaining({ httpCode: 400 }),
	});
});
