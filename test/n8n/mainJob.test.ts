/** @jest-environment ./test/support/n8nEnvironment.mts */
import axios from 'axios';
import { sleep } from 'n8n-workflow';

import { mapped } from '../support/columns';
import { credentialOf, example, host, rowsInto, sandbox, withHost } from '../support/n8n.mts';

// The main job in a real n8n: a CRM event sends surveys, and a detractor's response takes its own branch.

const AFTER_PURCHASE = '64a000000000000000000003';

withHost();

beforeEach(() => {
	sandbox.a.requests.length = 0;
	sandbox.b.requests.length = 0;
});

const sendSurvey = (parameters: object) => ({
	type: 'n8n-nodes-surveys.surveyA',
	parameters: {
		resource: 'survey',
		operation: 'send',
		campaign: { __rl: true, mode: 'id', value: AFTER_PURCHASE },
		...mapped({ email: '={{ $json.email }}' }),
		...parameters,
	},
	credentials: { surveyAApi: host.credentials.surveyAApi },
});

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

test("tags and replies to a detractor's feedback, and routes a promoter's to another output", async () => {
	const { n8n } = host;
	const { b } = sandbox;
	const id = await n8n.createWorkflow(example('route-detractors', host));
	await n8n.activate(id);
	expect(b.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /api/v2/hooks']);

	b.answer({ email: 'unhappy@example.com', campaignId: 101, score: 3, comment: 'Slow' });
	await n8n.waitForExecutions(id, 1);
	b.answer({ email: 'happy@example.com', campaignId: 101, score: 10, comment: 'Fast' });
	const [detractor, promoter] = await n8n.waitForExecutions(id, 2);

	expect(detractor?.items('Feedback Comes In', 0)).toMatchObject([
		{ json: { event: 'feedback.added_or_changed', score: 3 } },
	]);
	expect(detractor?.items('Reply')).toHaveLength(1);
	expect(promoter?.items('Feedback Comes In', 2)).toMatchObject([{ json: { score: 10 } }]);
	expect(promoter?.nodes).not.toHaveProperty('Tag Feedback');
	expect(b.state.replies).toHaveLength(1);
	const writes = b.requests.map(({ method, path }) => `${method} ${path}`).slice(1);
	expect(writes).toEqual([
		expect.stringMatching(/^POST \/api\/v2\/feedback\/\d+\/tag\/$/),
		expect.stringMatching(/^POST \/api\/v2\/feedback\/\d+\/reply\/$/),
	]);

	await n8n.deactivate(id);
	expect(b.requests.at(-1)).toMatchObject({ method: 'DELETE', status: 204 });
});

test('rejects a delivery without the token (401) and starts no run', async () => {
	const { n8n } = host;
	const { b } = sandbox;
	const id = await n8n.createWorkflow(example('route-detractors', host));
	await n8n.activate(id);
	const hook = b.requests.at(-1)?.body;
	const url = await n8n.webhookUrl(id, 'Feedback Comes In');
	const body = {
		hook: { id: 1, event: 'feedback.added_or_changed', target: url },
		data: { id: 1, score: 1 },
	};

	for (const forged of [url, `${url}?token=guess`]) {
		const answer = await axios.post(forged, body, { validateStatus: () => true });
		expect(answer.status).toBe(401);
	}

	expect(hook).toMatchObject({
		event: 'feedback.added_or_changed',
		target: expect.stringContaining(`${url}?token=`),
	});
	await sleep(500);
	expect(await n8n.executions(id)).toEqual([]);
	await n8n.deactivate(id);
});

describe('errors of a run', () => {
	const rows = [{ email: 'fine@example.com' }];
	const failing = async (node: Parameters<typeof rowsInto>[0], input = rows) => {
		const id = await host.n8n.createWorkflow(rowsInto(node, input));
		const execution = await host.n8n.run(id);
		expect(execution.status).toBe('error');
		return `${execution.error?.message} | ${execution.error?.description}`;
	};

	test('an empty Base URL fails the run with an error that names the field', async () => {
		const empty = await host.n8n.createCredential('surveyAApi', 'Empty', {
			...credentialOf(sandbox.a),
			baseUrl: '',
		});
		const errorText = await failing({ ...sendSurvey({}), credentials: { surveyAApi: empty } });
		expect(errorText).toContain('no Base URL');
		expect(sandbox.a.requests).toEqual([]);
	});

	test('a wrong API key fails the run without showing the key', async () => {
		const wrong = await host.n8n.createCredential('surveyAApi', 'Wrong', {
			...credentialOf(sandbox.a),
			apiKey: 'example-wrong',
		});
		const errorText = await failing({ ...sendSurvey({}), credentials: { surveyAApi: wrong } });
		expect(errorText).toMatch(/Invalid API key.*HTTP 401.*Check the API key/s);
		expect(errorText).not.toContain('example-wrong');
	});

	test('an unknown campaign fails with the advice to choose it from the list', async () => {
		const campaign = { __rl: true, mode: 'id', value: '64a0000000000000000000ff' };
		const errorText = await failing(sendSurvey({ campaign }));
		expect(errorText).toMatch(/could not be found.*HTTP 404.*Choose the campaign from the list/s);
	});

	test('an invalid email stops the run before anything is sent', async () => {
		const errorText = await failing(sendSurvey({}), [...rows, { email: 'nowhere' }]);
		expect(errorText).toMatch(/nowhere: .*HTTP 400.*item 1.*Correct the email/s);
		expect(sandbox.a.state.sent.map(({ email }) => email)).not.toContain('fine@example.com');
	});
});

test('the campaign list offers campaigns that can be sent, and searches them', async () => {
	const search = {
		type: 'n8n-nodes-surveys.surveyA',
		method: 'searchSendableCampaigns',
		path: 'parameters.campaign',
		parameters: { resource: 'survey', operation: 'send' },
		credentials: { surveyAApi: host.credentials.surveyAApi },
	};
	const all = await host.n8n.listSearch(search);
	expect(all.results.map(({ name }) => name)).toEqual([
		'After purchase (NPS, EMAIL)',
		'After support ticket (CSAT, EMAIL)',
	]);
	const some = await host.n8n.listSearch({ ...search, filter: 'TICKET' });
	expect(some.results.map(({ name }) => name)).toEqual(['After support ticket (CSAT, EMAIL)']);
});
