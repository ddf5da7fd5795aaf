import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import axios from 'axios';

import { Postgres } from '../../host/queue/postgres.mts';
import { programs } from '../../host/queue/programs.mts';
import { openChatModel } from '../support/chatModel.mts';
import { openMailbox, unwrapped, type Mailbox } from '../support/mailbox.mts';
import { credentialOf, example, host, sandbox, withHost, type Execution } from '../support/n8n.mts';
import { openReceiver, type Receiver } from '../support/receiver.mts';

// Every example is imported as it is, with credentials of the sandbox, and run: what came out is looked at.

const CAMPAIGN_A = '64a000000000000000000003';

/** Settings of a trigger that lets every delivery through. */
const FORGETFUL = { options: { ignoreRepeats: false } };

withHost();

let mailbox: Mailbox;
let office: Receiver;

beforeAll(async () => {
	mailbox = await openMailbox();
	office = await openReceiver();
});

afterAll(async () => {
	await mailbox.close();
	await office.close();
});

beforeEach(() => {
	sandbox.a.requests.length = 0;
	sandbox.b.requests.length = 0;
	mailbox.messages.length = 0;
	office.calls.length = 0;
});

/** Imports an example. The addresses that its notes say to change are changed to those of the test. */
async function imported(name: string, more: Record<string, { id: string; name: string }> = {}) {
	const text = JSON.stringify(example(name, { credentials: { ...host.credentials, ...more } }));
	const here = text.replace(/https:\/\/(alerts|tickets)\.example\.com/g, office.url);
	return await host.n8n.createWorkflow(JSON.parse(here));
}

/** Publishes a workflow for as long as `work` takes, and gives what its first run came to. */
async function whilePublished(id: string, work: () => unknown, runs = 1): Promise<Execution[]> {
	await host.n8n.activate(id);
	try {
		await work();
		return await host.n8n.waitForExecutions(id, runs);
	} finally {
		await host.n8n.deactivate(id);
	}
}

/** Marks the rows of a data table as corrected, as a person does in n8n, with another address. */
async function correct(table: string, email: string): Promise<void> {
	const id = await host.n8n.createWorkflow({
		name: 'Correct rows',
		nodes: [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
			{
				name: 'Correct',
				type: 'n8n-nodes-base.dataTable',
				typeVersion: 1.1,
				parameters: {
					resource: 'row',
					operation: 'update',
					dataTableId: { __rl: true, mode: 'name', value: table },
					matchType: 'allConditions',
					filters: { conditions: [{ keyName: 'id', condition: 'gt', keyValue: 0 }] },
					columns: { mappingMode: 'defineBelow', value: { email, corrected: true }, schema: [] },
					options: {},
				},
			},
		],
		connections: { Start: { main: [[{ node: 'Correct', type: 'main', index: 0 }]] } },
	});
	expect(await host.n8n.run(id)).toMatchObject({ status: 'success' });
}

const crmEvents = [
	{
		name: 'crm-event-to-survey',
		path: 'crm-event',
		table: 'Survey A rows to correct',
		sent: () =>
			sandbox.a.state.sent
				.filter(({ campaign }) => campaign === CAMPAIGN_A)
				.map(({ email }) => email),
		reason: /Invalid email address/,
	},
	{
		name: 'crm-event-to-survey-b',
		path: 'crm-event-b',
		table: 'Survey B rows to correct',
		sent: () => sandbox.b.state.sent.map(({ email }) => email),
		reason: /Enter a valid email address/,
	},
];

test.each(crmEvents)(
	'$name: refused rows wait in a table, and go out once corrected',
	async (job) => {
		const id = await imported(job.name);
		const customers = [
			{ email: 'one@crm.example', first_name: 'One', company: 'Acme Inc', plan: 'pro' },
			{ email: 'two@crm.example', first_name: 'Two', company: 'Acme Inc', plan: 'free' },
			{ email: 'nowhere', first_name: 'Lost', company: 'Acme Inc', plan: 'free' },
		];
		const [run] = await whilePublished(
			id,
			async () => await axios.post(`${host.n8n.url}/webhook/${job.path}`, { customers }),
		);
		expect(run?.status).toBe('success');
		expect(run?.items('Surveyed').map(({ json }) => json.email)).toEqual([
			'one@crm.example',
			'two@crm.example',
		]);
		expect(run?.items('Save Row to Correct').map(({ json }) => json)).toMatchObject([
			{
				email: 'nowhere',
				first_name: 'Lost',
				plan: 'free',
				reason: expect.stringMatching(job.reason),
			},
		]);

		const before = job.sent();
		await correct(job.table, 'found@crm.example');
		const corrected = await host.n8n.run(id, { trigger: 'Every Hour' });
		expect(corrected.status).toBe('success');
		expect(job.sent()).toEqual([...before, 'found@crm.example']);
		expect(corrected.items('Delete Sent Row')).toHaveLength(1);
		const again = await host.n8n.run(id, { trigger: 'Every Hour' });
		expect(again.items('Get Corrected Rows')).toEqual([]);
		expect(job.sent()).toEqual([...before, 'found@crm.example']);
	},
);

test('route-detractors: tagged, replied to, alerted, ticketed and closed; what fails is written down', async () => {
	const { b } = sandbox;
	const id = await imported('route-detractors');
	const [happy, unhappy, again] = await whilePublished(
		id,
		async () => {
			b.answer({ email: 'happy@example.com', campaignId: 101, score: 10, comment: 'Fast' });
			await host.n8n.waitForExecutions(id, 1);
			b.answer({ email: 'unhappy@example.com', campaignId: 101, score: 2, comment: 'Slow' });
			await host.n8n.waitForExecutions(id, 2);
			b.answer({ email: 'unhappy@example.com', campaignId: 101, score: 3, comment: 'Too slow' });
		},
		3,
	);
	expect(happy?.items('Promoter')).toHaveLength(1);
	expect(happy?.nodes).not.toHaveProperty('Tag Feedback');
	expect(unhappy?.items('Done')).toHaveLength(1);
	expect(b.state.replies).toHaveLength(1);
	expect(b.state.feedback.at(-1)).toMatchObject({
		status: 'CLOSED',
		tags: [{ name: 'detractor' }],
	});
	expect(office.calls).toMatchObject([
		{ path: '/detractor', body: { text: 'unhappy@example.com gave 2: Slow' } },
		{ path: '/tickets', body: { email: 'unhappy@example.com' } },
	]);
	// The second answer finds the tag there: that is written down, and nobody gets a second reply.
	expect(again?.items('Save What Failed').map(({ json }) => json)).toMatchObject([
		{ step: 'Tag Feedback', reason: expect.stringMatching(/tag/i) },
	]);
	expect(b.state.replies).toHaveLength(1);
});

test('promoter-to-referral: thanked once, marked, and on the list', async () => {
	const { b } = sandbox;
	const replies = b.state.replies.length;
	const id = await imported('promoter-to-referral');
	const [run] = await whilePublished(id, () => {
		b.answer({ email: 'detractor@example.com', campaignId: 101, score: 1, comment: 'No' });
		b.answer({ email: 'fan@example.com', campaignId: 101, score: 10, comment: 'Great' });
	});
	expect(run?.items('Add to Referral List').map(({ json }) => json)).toMatchObject([
		{ email: 'fan@example.com', score: 10, comment: 'Great' },
	]);
	expect(b.state.replies).toHaveLength(replies + 1);
	expect(b.state.contacts.get('fan@example.com')?.attributes).toMatchObject({ referrer: 'yes' });
});

test('sync-unsubscribes: out of B is out of A, and back', async () => {
	const { a, b } = sandbox;
	const { n8n } = host;
	const id = await imported('sync-unsubscribes');
	const leaver = b.state.contacts.values().next().value;
	const [run] = await whilePublished(id, async () => {
		await axios.post(
			`${b.url}/api/v2/contacts/unsubscribe/`,
			{ emails: [leaver?.email] },
			{ headers: { authorization: `Token ${b.apiKey}`, 'content-type': 'application/json' } },
		);
	});
	expect(run?.items('Suppressed in Survey A')).toHaveLength(1);
	expect(a.state.unsubscribed).toMatchObject([
		{ email: leaver?.email, message: 'Unsubscribed in Survey B' },
	]);

	const [survey] = a.state.outbox;
	if (survey) survey.detailedStatus.isOptedOut = true;
	const back = await n8n.run(id, { trigger: 'Every Day' });
	expect(back.status).toBe('success');
	expect(b.state.unsubscribed.map(({ email }) => email)).toContain(survey?.email);
	expect(back.items('Suppressed in Survey B')).toHaveLength(1);
});

test('weekly-nps-report: the score and a chart arrive by email', async () => {
	const smtp = await host.n8n.createCredential('smtp', 'Mailbox', mailbox.credential);
	const id = await imported('weekly-nps-report', { smtp });
	const run = await host.n8n.run(id, { trigger: 'Every Monday' });
	expect(run).toMatchObject({ status: 'success' });
	expect(mailbox.messages).toHaveLength(1);
	const message = unwrapped(mailbox.messages[0] ?? '');
	expect(message).toMatch(/Subject: NPS this week: -?\d+/);
	expect(message).toContain('nps.svg');
	const [, encoded = ''] = message.match(/nps\.svg[\s\S]*?\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/) ?? [];
	const chart = Buffer.from(encoded, 'base64').toString();
	expect(chart).toMatch(/^<svg[\s\S]*<polyline[^>]*points="[\d., -]+"[\s\S]*<\/svg>/);
});

const database = programs(console.warn);
if ('missing' in database)
	console.warn(`nightly-feedback-export and one-run-per-change are skipped: ${database.missing}`);
const withDatabase = 'missing' in database ? test.skip : test;

/** A PostgreSQL of its own for as long as `work` takes, and a credential for it. */
async function onPostgres(
	work: (postgres: Postgres, credential: { id: string; name: string }) => Promise<void>,
): Promise<void> {
	if ('missing' in database) return;
	const folder = mkdtempSync(join(tmpdir(), 'surveys-postgres-'));
	// PostgreSQL's user has to get through to its data.
	chmodSync(folder, 0o711);
	const postgres = await Postgres.start(database, folder);
	try {
		await work(
			postgres,
			await host.n8n.createCredential('postgres', 'Postgres', postgres.credential),
		);
	} finally {
		await postgres.stop();
		rmSync(folder, { recursive: true, force: true });
	}
}

withDatabase(
	'nightly-feedback-export: every feedback response once, a second night changes rows and adds none',
	async () =>
		await onPostgres(async (server, postgres) => {
			const id = await imported('nightly-feedback-export', { postgres });
			sandbox.b.seedFeedback(250);
			const { feedback } = sandbox.b.state;
			const run = await host.n8n.run(id, { trigger: 'Every Night' });
			expect(run).toMatchObject({ status: 'success' });
			expect(run.items('Make Spreadsheet')[0]?.binary).toMatchObject({
				data: { fileName: 'feedback.xlsx' },
			});
			const saved = async () =>
				await server.rows('SELECT id, score, status FROM feedback ORDER BY id');
			const expected = () =>
				feedback
					.map(({ id, score, status }) => [String(id), String(score), status])
					.sort(([one], [other]) => Number(one) - Number(other));
			expect(await saved()).toEqual(expected());

			const [first] = feedback;
			if (first) first.status = first.status === 'OPEN' ? 'CLOSED' : 'OPEN';
			expect(await host.n8n.run(id, { trigger: 'Every Night' })).toMatchObject({
				status: 'success',
			});
			expect(await saved()).toEqual(expected());
		}),
	120_000,
);

withDatabase(
	'one-run-per-change: of two runs of one change, the database lets one through',
	async () =>
		await onPostgres(async (server, postgres) => {
			const { b } = sandbox;
			const id = await imported('one-run-per-change', { postgres });
			expect(await host.n8n.run(id, { trigger: 'Run Once' })).toMatchObject({ status: 'success' });
			// What another process of n8n lets through, this one does too when it remembers nothing.
			const workflow = await host.n8n.workflow(id);
			for (const { type, parameters } of workflow.nodes) {
				if (type.endsWith('surveyBTrigger')) Object.assign(parameters ?? {}, FORGETFUL);
			}
			await host.n8n.updateWorkflow(id, workflow);

			b.settings.deliveryRepeats = 2;
			// The run that made the table is among them.
			const all = await whilePublished(
				id,
				() => b.answer({ email: 'twice@example.com', campaignId: 101, score: 5, comment: 'Well' }),
				3,
			);
			b.settings.deliveryRepeats = 1;
			const runs = all.filter(({ nodes }) => 'Feedback Comes In' in nodes);
			expect(runs.map(({ status }) => status)).toEqual(['success', 'success']);
			const passed = runs.filter((run) => run.items('Mark as Done').length > 0);
			expect(passed).toHaveLength(1);
			const tagged = runs.filter(({ nodes }) => 'Tag Feedback' in nodes);
			expect(tagged).toEqual(passed);
			expect(b.state.feedback.at(-1)?.tags).toMatchObject([{ name: 'Seen by n8n' }]);
			const changes = async () =>
				await server.rows('SELECT done_at IS NOT NULL FROM survey_changes');
			expect(await changes()).toEqual([['t']]);

			await server.rows("UPDATE survey_changes SET claimed_at = now() - interval '31 days'");
			expect(await host.n8n.run(id, { trigger: 'Every Night' })).toMatchObject({
				status: 'success',
			});
			expect(await changes()).toEqual([]);
		}),
	120_000,
);

test('agent-triage: the agent tags and drafts, a person approves, the reply goes out once', async () => {
	const { b } = sandbox;
	const replies = b.state.replies.length;
	const newest = () => String(b.state.feedback.at(-1)?.id);
	const model = await openChatModel([
		{ tool: /find/i, input: () => ({ email: 'puzzled@example.com' }) },
		{ tool: /tag/i, input: () => ({ feedbackId: newest(), tagName: 'pricing' }) },
		{ says: 'We are sorry about the price.' },
	]);
	const smtp = await host.n8n.createCredential('smtp', 'Mailbox 2', mailbox.credential);
	const openAiApi = await host.n8n.createCredential('openAiApi', 'Model', {
		apiKey: 'example-key',
		url: `${model.url}/v1`,
	});
	const id = await imported('agent-triage', { smtp, openAiApi });
	await host.n8n.activate(id);
	try {
		b.answer({ email: 'puzzled@example.com', campaignId: 101, score: 4, comment: 'Too dear' });
		const link = await approvalLink();
		expect(b.state.replies).toHaveLength(replies);
		// n8n does not count a bot's visit as a click.
		await axios.get(link, { headers: { 'user-agent': 'Mozilla/5.0 Chrome/156.0' } });
		const [run] = await host.n8n.waitForExecutions(id, 1, 60_000);
		expect(run?.status).toBe('success');
		expect(run?.items('Sent')).toHaveLength(1);
	} finally {
		await host.n8n.deactivate(id);
		await model.close();
	}
	expect(b.state.replies.slice(replies)).toMatchObject([
		{ message: 'We are sorry about the price.' },
	]);
});

/** The link under «Approve» in the message that waits for somebody. */
async function approvalLink(): Promise<string> {
	for (let tries = 0; tries < 120 && mailbox.messages.length === 0; tries++) {
		await new Promise((resolve) => setTimeout(resolve, 500));
	}
	const message = unwrapped(mailbox.messages[0] ?? '');
	const links = message.match(/https?:\/\/[^\s"'<>]*webhook-waiting[^\s"'<>]*/g) ?? [];
	return links.find((link) => /approved=true/.test(link)) ?? 'no link';
}

test('backfill-customers: 50,000 customers in 50 requests, with progress', async () => {
	const { a } = sandbox;
	const id = await imported('backfill-customers');
	const run = await host.n8n.run(id, { timeoutMs: 240_000 });
	expect(run.status).toBe('success');
	expect(a.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
		Array(50).fill('POST /api/v2/nps/customers'),
	);
	expect(run.items('Note Progress').map(({ json }) => json)).toMatchObject(
		Array(10).fill({ customers: 5000, refused: 0 }),
	);
	expect(a.state.customers.get('customer49999@example.com')).toMatchObject({ firstName: 'Sample' });
}, 300_000);

test('both services have a credential that works', async () => {
	const { surveyAApi, surveyBApi } = host.credentials;
	expect(await host.n8n.testCredential(surveyAApi.id, credentialOf(sandbox.a))).toMatchObject({
		status: 'OK',
	});
	expect(await host.n8n.testCredential(surveyBApi.id, credentialOf(sandbox.b))).toMatchObject({
		status: 'OK',
	});
});
