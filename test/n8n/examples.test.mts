/** @jest-environment ./test/support/n8nEnvironment.mts */
import axios from 'axios';

import type { Postgres } from '../../host/queue/postgres.mts';
import { openChatModel } from '../support/chatModel.mts';
import { openPostgres } from '../support/database.mts';
import { deleteRows, recordsOf, updateRows } from '../support/dataTable.mts';
import {
	click,
	linksInEmail,
	openMailbox,
	unwrapped,
	type Links,
	type Mailbox,
} from '../support/mailbox.mts';
import { runPinned } from '../../scripts/compat/examples.mts';
import { EXAMPLES, fillIn, readExample } from '../support/examples.mts';
import {
	example,
	host,
	sandbox,
	withHost,
	type Execution,
	type WorkflowInput,
	type WorkflowNode,
} from '../support/n8n.mts';
import { available } from '../support/queue/available.mts';
import { openReceiver, type Receiver } from '../support/receiver.mts';

// Imports every example, fills in credentials and campaigns of the sandbox, runs it, and checks the result.

const CAMPAIGN_A = '64a000000000000000000003';

/** Options of a trigger that starts a run for every delivery. */
const FORGETFUL = { options: { ignoreRepeats: false } };

withHost();

let mailbox: Mailbox;
let receiver: Receiver;

beforeAll(async () => {
	mailbox = await openMailbox();
	receiver = await openReceiver();
});

afterAll(async () => {
	await mailbox.close();
	await receiver.close();
});

beforeEach(() => {
	sandbox.a.requests.length = 0;
	sandbox.b.requests.length = 0;
	mailbox.messages.length = 0;
	receiver.calls.length = 0;
});

type Credentials = Record<string, { id: string; name: string }>;

/** Imports an example and fills in what it leaves empty. */
async function imported(name: string, more: Credentials = {}) {
	const workflow = example(name, { credentials: { ...host.credentials, ...more } }, receiver.url);
	return await host.n8n.createWorkflow(workflow);
}

/** Publishes a workflow for as long as `work` takes, and returns its first runs. */
async function whilePublished(id: string, work: () => unknown, runs = 1): Promise<Execution[]> {
	await host.n8n.activate(id);
	try {
		await work();
		return await host.n8n.waitForExecutions(id, runs);
	} finally {
		await host.n8n.deactivate(id);
	}
}

const crmEvents = [
	{
		name: 'crm-event-to-survey',
		path: 'crm-event',
		table: 'Survey A rows to correct',
		service: () => sandbox.a,
		sent: () =>
			sandbox.a.state.sent
				.filter(({ campaign }) => campaign === CAMPAIGN_A)
				.map(({ email }) => email),
		saved: (email: string) => sandbox.a.state.customers.get(email),
		whole: {
			firstName: 'Lost',
			tags: ['vip', 'eu'],
			properties: expect.arrayContaining([
				// The label that the account has.
				expect.objectContaining({ label: 'Plan', value: 'free' }),
				expect.objectContaining({ label: 'renewal', type: 'date' }),
				expect.objectContaining({ label: 'No. of seats' }),
			]),
		},
		own: { 'No. of seats': 'twelve' },
		reason: /Invalid email address/,
	},
	{
		name: 'crm-event-to-survey-b',
		path: 'crm-event-b',
		table: 'Survey B rows to correct',
		service: () => sandbox.b,
		sent: () => sandbox.b.state.sent.map(({ email }) => email),
		saved: (email: string) => sandbox.b.state.contacts.get(email),
		whole: {
			first_name: 'Lost',
			attributes: { plan: 'free', renewal: '2027-03-04', 'No of seats': 'twelve' },
		},
		// Survey B accepts no dot in the name of an attribute.
		own: { 'No of seats': 'twelve' },
		reason: /Enter a valid email address/,
	},
];

const address = 'one@crm.example';
const good = { Email: ` ${address}`, first_name: 'One', company: 'Acme Inc', plan: 'pro' };
const refused = {
	'Email Address': 'nowhere',
	first_name: 'Lost',
	company: 'Acme Inc',
	plan: 'free',
	renewal: '2027-03-04',
	tags: ['vip', 'eu'],
};

describe.each(crmEvents)('$name', (job) => {
	let id: string;
	const post = async (...customers: object[]) =>
		await axios.post(`${host.n8n.url}/webhook/${job.path}`, { customers });
	const hourly = async () => {
		const run = await host.n8n.run(id, { trigger: 'Every Hour' });
		expect(run.status).toBe('success');
		return run;
	};

	beforeEach(async () => {
		id = await imported(job.name);
		sandbox.a.state.sent.length = 0;
		sandbox.b.state.sent.length = 0;
		sandbox.b.state.lastSurveyed.clear();
	});

	afterEach(async () => {
		job.service().faults.clear();
		await deleteRows(host.n8n, job.table);
	});

	test('saves a refused row in the table, and sends it once with all its columns after a correction', async () => {
		const [run] = await whilePublished(
			id,
			async () => await post(good, { ...refused, ...job.own }),
		);
		expect(run?.status).toBe('success');
		expect(run?.items('Surveyed').map(({ json }) => json.email)).toEqual([address]);
		expect(await recordsOf(host.n8n, job.table)).toMatchObject([
			{
				email: 'nowhere',
				reason: expect.stringMatching(job.reason),
				may_have_been_sent: false,
				corrected: false,
			},
		]);

		await updateRows(host.n8n, job.table, { email: 'still nowhere', corrected: true });
		await hourly();
		expect(await recordsOf(host.n8n, job.table)).toMatchObject([
			{ reason: expect.stringMatching(job.reason), may_have_been_sent: false, corrected: false },
		]);

		await updateRows(host.n8n, job.table, { email: 'found@crm.example', corrected: true });
		await hourly();
		await hourly();
		expect(job.sent()).toEqual([address, 'found@crm.example']);
		expect(job.saved('found@crm.example')).toMatchObject(job.whole);
		expect(await recordsOf(host.n8n, job.table)).toEqual([]);
	});

	test('takes one customer or a list as well, and saves any other body as a row to correct', async () => {
		const url = `${host.n8n.url}/webhook/${job.path}`;
		const bodies = [good, [{ email: 'two@crm.example' }], { contact: { email: 'x@crm.example' } }];
		const work = async () =>
			await Promise.all(bodies.map(async (body) => await axios.post(url, body)));
		await whilePublished(id, work, bodies.length);
		expect(job.sent().sort()).toEqual([address, 'two@crm.example']);
		expect(await recordsOf(host.n8n, job.table)).toMatchObject([
			{ row: JSON.stringify(bodies[2]), reason: expect.stringContaining('is not in the row') },
		]);
	});

	test('sends one survey per person although two responses are lost and five hourly runs follow', async () => {
		const runs = await whilePublished(
			id,
			async () => {
				await post(refused);
				await host.n8n.waitForExecutions(id, 1);
				await updateRows(host.n8n, job.table, { email: ' found@crm.example', corrected: true });
				job.service().faults.add({ method: 'POST', path: /survey/, kind: 'reset-after', times: 2 });
				await post(good);
			},
			2,
		);
		expect(runs.map(({ status }) => status)).toEqual(['success', 'success']);
		for (let hour = 0; hour < 5; hour++) await hourly();
		expect([...job.sent()].sort()).toEqual(['found@crm.example', address]);
		// Survey A's outbox shows both surveys. Survey B refuses the repetition, since it has sent them.
		expect(await recordsOf(host.n8n, job.table)).toEqual([]);
	});
});

test('route-detractors: a detractor is tagged, answered and closed once, and the team also hears of a comment that comes later', async () => {
	const { b } = sandbox;
	const id = await imported('route-detractors');
	const unhappy = { email: 'unhappy@example.com', campaignId: 101, score: 2 };
	const [happy, first, again] = await whilePublished(
		id,
		async () => {
			b.answer({ email: 'happy@example.com', campaignId: 101, score: 10, comment: 'Fast' });
			await host.n8n.waitForExecutions(id, 1);
			b.answer(unhappy);
			await host.n8n.waitForExecutions(id, 2);
			b.answer({ ...unhappy, comment: '<!channel> & slow' });
		},
		3,
	);
	expect(happy?.items('Promoter')).toHaveLength(1);
	expect(happy?.nodes).not.toHaveProperty('Tag Feedback');
	expect([first?.status, again?.status]).toEqual(['success', 'success']);
	expect(first?.items('Done')).toHaveLength(1);
	expect(b.state.replies).toHaveLength(1);
	expect(b.state.feedback.at(-1)).toMatchObject({
		status: 'CLOSED',
		tags: [{ name: 'detractor' }],
	});
	expect(receiver.calls).toMatchObject([
		{ path: '/alert-team', body: { text: 'unhappy@example.com gave 2: no comment' } },
		{ path: '/open-ticket', body: { email: 'unhappy@example.com' } },
		{
			path: '/alert-team',
			body: { text: 'unhappy@example.com gave 2: &lt;!channel&gt; &amp; slow' },
		},
	]);
	expect(again?.nodes).not.toHaveProperty('Save What Failed');
});

test('route-detractors: if the reply is refused, the team and the help desk hear of the detractor, the run fails, and the feedback stays open', async () => {
	const { b } = sandbox;
	const id = await imported('route-detractors');
	const body = { from_user: ['User is not a member of organization.'] };
	b.faults.add({ path: /reply/, kind: { status: 400, body } });
	const work = () =>
		b.answer({ email: 'alone@example.com', campaignId: 101, score: 0, comment: 'Hello?' });
	const [run] = await whilePublished(id, work);
	b.faults.clear();
	expect(run?.status).toBe('error');
	expect(run?.error?.message).toContain('Reply: ');
	expect(run?.items('Save What Failed').map(({ json }) => json)).toMatchObject([
		{ step: 'Reply', reason: expect.stringContaining('not a member') },
	]);
	expect(receiver.calls.map(({ path }) => path)).toEqual(['/alert-team', '/open-ticket']);
	expect(b.state.feedback.at(-1)).toMatchObject({ status: 'OPEN' });
});

test('route-detractors: a detractor whose delivery never came is handled once, at night', async () => {
	const { b } = sandbox;
	const id = await imported('route-detractors');
	const missed = b.answer({
		email: 'missed@example.com',
		campaignId: 101,
		score: 1,
		comment: 'Lost',
	});
	b.answer({ email: 'fresh@example.com', campaignId: 101, score: 1, comment: 'On its way' });
	missed.created = new Date(Date.now() - 2 * 3_600_000).toISOString();
	const before = b.state.replies.length;
	for (let night = 0; night < 2; night++) {
		expect(await host.n8n.run(id, { trigger: 'Every Night' })).toMatchObject({ status: 'success' });
	}
	expect(b.state.replies.slice(before)).toMatchObject([{ feedbackId: missed.id }]);
	expect(missed).toMatchObject({ status: 'CLOSED', tags: [{ name: 'detractor' }] });
});

test('promoter-to-referral: thanks a promoter once, marks the contact, writes one row with the last comment, and fails if the reply is refused', async () => {
	const { b } = sandbox;
	const replies = b.state.replies.length;
	const id = await imported('promoter-to-referral');
	const fan = { email: 'fan@example.com', campaignId: 101, score: 10, comment: 'Great' };
	const work = async () => {
		b.answer({ ...fan, email: 'detractor@example.com', score: 1 });
		b.answer(fan);
		await host.n8n.waitForExecutions(id, 1);
		b.answer({ ...fan, comment: 'Great, and fast' });
		await host.n8n.waitForExecutions(id, 2);
		const body = { from_user: ['User is not a member of organization.'] };
		b.faults.add({ path: /reply/, kind: { status: 400, body } });
		b.answer({ ...fan, email: 'other@example.com' });
	};
	const [run, again, refused] = await whilePublished(id, work, 3);
	expect([again?.status, refused?.status]).toEqual(['success', 'error']);
	expect(run?.items('Add to Referral List').map(({ json }) => json)).toMatchObject([
		{ email: 'fan@example.com', score: 10, comment: 'Great' },
	]);
	expect(await recordsOf(host.n8n, 'Referrals')).toMatchObject([
		{ email: 'fan@example.com', score: 10, comment: 'Great, and fast' },
	]);
	await host.n8n.deleteDataTables();
	expect(b.state.replies).toHaveLength(replies + 1);
	expect(b.state.contacts.get('fan@example.com')?.attributes).toMatchObject({ referrer: 'yes' });
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

const { found: database } = available();
const withDatabase = database ? test : test.skip;

/** Starts a PostgreSQL for as long as `work` takes, and creates a credential for it. */
async function onPostgres(
	work: (postgres: Postgres, credential: { id: string; name: string }) => Promise<void>,
): Promise<void> {
	if (!database) return;
	const { postgres, close } = await openPostgres(database);
	try {
		await work(
			postgres,
			await host.n8n.createCredential('postgres', 'Postgres', postgres.credential),
		);
	} finally {
		await close();
	}
}

withDatabase(
	'nightly-feedback-export: saves each feedback response once; a second night changes rows and adds none',
	async () =>
		await onPostgres(async (server, postgres) => {
			const id = await imported('nightly-feedback-export', { postgres });
			sandbox.b.seedFeedback(250);
			const { feedback } = sandbox.b.state;
			// Somebody who comments and gives no score is no detractor.
			Object.assign(feedback[1] ?? {}, { score: null, score_type: null });
			const run = await host.n8n.run(id, { trigger: 'Every Night' });
			expect(run).toMatchObject({ status: 'success' });
			expect(run.items('Make Spreadsheet')[0]?.binary).toMatchObject({
				data: { fileName: 'feedback.xlsx' },
			});
			const saved = async () =>
				await server.rows('SELECT id, score, score_type, status FROM feedback ORDER BY id');
			const expected = () =>
				feedback
					.map((one) =>
						[one.id, one.score, one.score_type, one.status].map((value) => String(value ?? '')),
					)
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
	'one-run-per-change: the database lets one of two runs of a change through',
	async () =>
		await onPostgres(async (server, postgres) => {
			const { b } = sandbox;
			const id = await imported('one-run-per-change', { postgres });
			expect(await host.n8n.run(id, { trigger: 'Run Once' })).toMatchObject({ status: 'success' });
			// Like two processes of n8n that do not know each other's deliveries.
			const workflow = await host.n8n.workflow(id);
			for (const { type, parameters } of workflow.nodes) {
				if (type.endsWith('surveyBTrigger')) Object.assign(parameters ?? {}, FORGETFUL);
			}
			await host.n8n.updateWorkflow(id, workflow);

			b.settings.deliveryRepeats = 2;
			// Including the run that created the table.
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

describe('agent-triage', () => {
	const REPLY = 'We are sorry about the price.';
	const script = [
		{ tool: /find/i, input: () => ({}) },
		{ tool: /tag/i, input: () => ({ tagName: 'pricing' }) },
		{ tool: /reply/i, input: () => reviewed({ message: REPLY }) },
		{ says: 'Done.' },
	];
	/** The input of a tool behind a review step, which has parameters of its own. */
	const reviewed = (toolParameters: object) => ({ toolParameters, hitlParameters: {} });
	const replies = () => sandbox.b.state.replies.map(({ message }) => message);

	/** Publishes the example, answers a survey, and lets `decide` act when the email has arrived. */
	async function triage(decide: (links: Links, id: string) => Promise<void>) {
		const model = await openChatModel(script);
		const smtp = await host.n8n.createCredential('smtp', 'Mailbox', mailbox.credential);
		const openAiApi = await host.n8n.createCredential('openAiApi', 'Model', {
			apiKey: 'example-key',
			url: `${model.url}/v1`,
		});
		const id = await imported('agent-triage', { smtp, openAiApi });
		sandbox.b.state.replies.length = 0;
		await host.n8n.activate(id);
		try {
			const email = `puzzled${Date.now()}@example.com`;
			sandbox.b.answer({ email, campaignId: 101, score: 4, comment: '<b>Too</b> dear' });
			const links = await linksInEmail(mailbox);
			// n8n sends the email before the run waits, and refuses a click until then.
			await host.n8n.waitUntilWaiting(id);
			await decide(links, id);
			return JSON.stringify(model.calls.at(-1)?.body);
		} finally {
			await host.n8n.deactivate(id);
			await model.close();
		}
	}

	test('sends an approved reply once', async () => {
		await triage(async ({ approve, text }, id) => {
			expect(text).toContain(REPLY);
			expect(text).toContain('&lt;b&gt;Too&lt;/b&gt; dear');
			expect(replies()).toEqual([]);
			await click(approve);
			const [run] = await host.n8n.waitForExecutions(id, 1, 60_000);
			expect(run?.status).toBe('success');
			expect(run?.items('Triaged')).toMatchObject([{ json: { output: 'Done.' } }]);
			await click(approve);
		});
		expect(replies()).toEqual([REPLY]);
		expect(sandbox.b.state.feedback.at(-1)?.tags).toMatchObject([{ name: 'pricing' }]);
	}, 180_000);

	test('sends no declined reply, and tells the model that a person declined', async () => {
		const lastRequest = await triage(async ({ decline }, id) => {
			await click(decline);
			const [run] = await host.n8n.waitForExecutions(id, 1, 60_000);
			expect(run?.status).toBe('success');
		});
		expect(replies()).toEqual([]);
		expect(lastRequest).toContain('User rejected the tool call to Reply to Feedback');
	}, 180_000);

	test('sends nothing before a person answers', async () => {
		await triage(async (_, id) => {
			const [run] = await host.n8n.executions(id);
			expect(run?.status).toBe('waiting');
			await host.n8n.stopExecution(run?.id ?? '');
		});
		expect(replies()).toEqual([]);
	}, 180_000);
});

describe('comment-topics-by-ai', () => {
	/** Returns a model's response to a prompt with a comment. */
	const topicsFor = (prompt: string) => {
		const named = ['pricing', 'support', 'hacked'].filter((name) =>
			prompt.includes(NAMED[name] ?? ''),
		);
		return JSON.stringify({ topics: named.map((name) => ({ name, sentiment: 'negative' })) });
	};
	const NAMED: Record<string, string> = {
		pricing: 'Too dear',
		support: 'support is slow',
		hacked: 'Too dear',
	};

	/** Imports the example with a model that follows `topicsFor`, and runs `work` with its ID. */
	async function withModel(work: (id: string) => Promise<void>) {
		const model = await openChatModel([{ says: topicsFor }]);
		const data = { apiKey: 'example-key', url: `${model.url}/v1` };
		const openAiApi = await host.n8n.createCredential('openAiApi', 'Model', data);
		try {
			await work(await imported('comment-topics-by-ai', { openAiApi }));
		} finally {
			await model.close();
		}
	}

	test('each comment gets the topics that are on the list, and an answer without a comment none', async () => {
		const { a } = sandbox;
		await withModel(async (id) => {
			const poll = async () => await host.n8n.run(id, { trigger: 'Feedback Comes In' });
			a.answer({ email: 'silent@example.com', campaignId: CAMPAIGN_A, score: 3 });
			expect((await poll()).error).toBeUndefined();
			const comment = 'Too dear, and the support is slow.';
			a.answer({ email: 'loud@example.com', campaignId: CAMPAIGN_A, score: 3, comment });
			expect((await poll()).error).toBeUndefined();
		});
		const [silent, loud] = a.state.feedback.slice(-2);
		expect(silent?.feedbackTopics).toEqual([]);
		expect(loud?.feedbackTopics).toEqual([
			{ name: 'pricing', sentiment: 'negative' },
			{ name: 'support', sentiment: 'negative' },
		]);
	}, 120_000);

	test('an evaluation runs the 30 labeled comments and writes nothing to the service', async () => {
		await withModel(async (id) => {
			expect(await host.n8n.run(id, { trigger: 'Run Once' })).toMatchObject({ status: 'success' });
			expect(await recordsOf(host.n8n, 'Comments with topics')).toHaveLength(30);
			const workflow = await host.n8n.workflow(id);
			const table = await host.n8n.dataTableId('Comments with topics');
			for (const { name, parameters = {} } of workflow.nodes) {
				if (name === 'Labeled Comment')
					parameters.dataTableId = { __rl: true, mode: 'id', value: table };
			}
			await host.n8n.updateWorkflow(id, workflow);
			sandbox.a.requests.length = 0;
			const { metrics, cases } = await host.n8n.evaluate(id);
			expect(cases).toBe(30);
			// The model above names the topics of one comment, and finds that two others have none.
			expect(metrics.topics_right).toBeCloseTo(3 / 30);
			expect(metrics.sentiment_right).toBe(1);
			expect(sandbox.a.requests).toEqual([]);
		});
		await host.n8n.deleteDataTables();
	}, 300_000);
});

test('backfill-customers: 50,000 customers in 50 requests, with progress', async () => {
	const { a } = sandbox;
	const id = await imported('backfill-customers');
	const run = await host.n8n.run(id, { timeoutMs: 240_000 });
	expect(run.status).toBe('success');
	// Each of the ten runs of the node reads the account's columns once.
	const methods = a.requests.map(({ method }) => method);
	expect(methods.filter((method) => method === 'POST')).toHaveLength(50);
	expect(methods.filter((method) => method === 'GET')).toHaveLength(10);
	expect(run.items('Note Progress').map(({ json }) => json)).toMatchObject(
		Array(10).fill({ customers: 5000, refused: 0 }),
	);
	expect(a.state.customers.get('customer49999@example.com')).toMatchObject({ firstName: 'Sample' });
}, 300_000);

test('backfill-customers: refused customers are counted and named in the table, the run fails, and its end runs once', async () => {
	const id = await imported('backfill-customers');
	const body = { code: 400, message: 'Validation Error' };
	sandbox.a.faults.add({
		method: 'POST',
		path: /customers/,
		kind: { status: 400, body },
		skip: 2,
		times: Infinity,
	});
	const workflow = await host.n8n.workflow(id);
	for (const { name, parameters } of workflow.nodes) {
		if (name === 'Make Sample Customers' && parameters) {
			parameters.jsonOutput = String(parameters.jsonOutput).replace('50000', '12');
		}
		if (name === '5,000 at a Time' && parameters) parameters.batchSize = 4;
	}
	await host.n8n.updateWorkflow(id, workflow);
	const run = await host.n8n.run(id);
	sandbox.a.faults.clear();
	expect(run.status).toBe('error');
	expect(run.nodes['Backfill Done']).toHaveLength(1);
	expect(run.nodes['Note Progress']).toHaveLength(3);
	expect(run.error?.message).toMatch(/^\d+ customers were refused/);
	const refused = run.items('Note Progress').filter(({ json }) => json.refused !== 0);
	expect(refused).toMatchObject([
		{ json: { reasons: expect.stringMatching(/Validation Error.*: .*customer\d+@example\.com/) } },
	]);
});

test.each(EXAMPLES)('%s: runs with its pinned data and without any account', async (name) => {
	await runPinned(host.n8n, name);
	expect([...sandbox.a.requests, ...sandbox.b.requests]).toEqual([]);
});

const isOfSurveys = ({ type }: WorkflowNode) => type.startsWith('n8n-nodes-surveys.');

/** Nodes of other services, and those that wait for a person. */
const FOREIGN = /\.(hubspot|salesforce|zendesk|slack|googleSheets|emailSend|form|extractFromFile)/;

/** Imports an example against the sandbox: only the nodes of other services stay pinned. */
function againstSandbox(name: string, more: Credentials = {}): WorkflowInput {
	const workflow = fillIn(readExample(name), { ...host.credentials, ...more });
	const pinned = workflow.nodes.filter(({ type }) => FOREIGN.test(type)).map((node) => node.name);
	const entries = Object.entries(readExample(name).pinData ?? {});
	return {
		...workflow,
		pinData: Object.fromEntries(entries.filter(([one]) => pinned.includes(one))),
	};
}

const RECORDER = 'Recorded';

/** Adds a node beside a pinned one that outputs the values of its expressions. */
function recording(workflow: WorkflowInput, name: string): WorkflowInput {
	const node = workflow.nodes.find((one) => one.name === name);
	const assignments = expressionsIn(node?.parameters).map(([path, value]) => ({
		id: path,
		name: path,
		value,
		type: 'string',
	}));
	const recorder: WorkflowNode = {
		id: RECORDER,
		name: RECORDER,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		position: [0, 900],
		parameters: { assignments: { assignments }, options: { dotNotation: false } },
	};
	const connections = JSON.parse(JSON.stringify(workflow.connections), (_, value) =>
		Array.isArray(value) && value.some((target) => target?.node === name)
			? [...value, { node: RECORDER, type: 'main', index: 0 }]
			: value,
	);
	return { ...workflow, nodes: [...workflow.nodes, recorder], connections };
}

/** Returns the expressions in a value, each with its path: `additionalFields/status`. */
function expressionsIn(value: unknown, path = ''): Array<[string, string]> {
	if (typeof value === 'string') return value.startsWith('=') ? [[path, value]] : [];
	return Object.entries(Object(value)).flatMap(([key, inside]) =>
		expressionsIn(inside, path === '' ? key : `${path}/${key}`),
	);
}

const recorded = (run: Execution) => run.items(RECORDER).map(({ json }) => json);

/** Runs a workflow by hand with one real event of Survey B. */
async function runWithEvent(
	workflow: WorkflowInput,
	answer: { email: string; score: number; comment?: string },
) {
	const id = await host.n8n.createWorkflow(workflow);
	sandbox.b.answer({ campaignId: 101, comment: 'Support never called back.', ...answer });
	await host.n8n.listenForTest(id, workflow.nodes[0]?.name ?? '');
	const [run] = await host.n8n.waitForExecutions(id, 1, 60_000);
	if (!run) throw new Error('The sample started no run');
	return run;
}

/** Expects the real items of the nodes of Survey A and B to have the columns of the pinned ones. */
function expectColumnsAsPinned(name: string, run: Execution): void {
	const { nodes, pinData } = readExample(name);
	for (const node of nodes.filter(isOfSurveys)) {
		const [{ json: sample }] = JSON.parse(JSON.stringify(pinData?.[node.name]));
		const [real] = run.items(node.name);
		expect(Object.keys(real?.json ?? {})).toEqual(expect.arrayContaining(columnsOf(sample)));
	}
}

/** Returns the columns that every record has, without questions and properties. */
function columnsOf(sample: object): string[] {
	return Object.keys(sample).filter((column) => /^[a-z_A-Z]+$/.test(column) && column !== 'Plan');
}

test('hubspot-deal-won-survey: surveys the contacts of a won deal, once in 30 days', async () => {
	const id = await host.n8n.createWorkflow(againstSandbox('hubspot-deal-won-survey'));
	sandbox.a.state.sent.length = 0;
	sandbox.a.state.outbox.length = 0;
	sandbox.a.state.optedOut.clear();
	const run = await host.n8n.run(id, { trigger: 'Deal Changes' });
	expect(run.items('Surveyed')).toMatchObject([{ json: { status: 'queued' } }]);
	expectColumnsAsPinned('hubspot-deal-won-survey', run);
	expect(run.items('Only Won Deals')).toHaveLength(1);
	expect(sandbox.a.state.sent).toMatchObject([{ email: 'ada@acme.example' }]);
	expect(sandbox.a.state.customers.get('ada@acme.example')?.properties).toEqual(
		expect.arrayContaining([
			expect.objectContaining({ label: 'Deal', value: 'Acme: 25 seats' }),
			expect.objectContaining({ label: 'Deal Amount' }),
		]),
	);
	await host.n8n.run(id, { trigger: 'Deal Changes' });
	expect(sandbox.a.state.sent).toHaveLength(1);
});

test('hubspot-last-answer: writes score, comment, category and date to properties named by campaign', async () => {
	const name = 'hubspot-last-answer';
	const id = await host.n8n.createWorkflow(recording(againstSandbox(name), 'Write to Contact'));
	const run = await host.n8n.run(id, { trigger: 'Feedback Comes In' });
	expect(run).toMatchObject({ status: 'success' });
	expectColumnsAsPinned(name, run);
	const [answer] = run.items('Name the Category');
	const { score, comment, email, category, createdDate, campaignName } = answer?.json ?? {};
	const midnight = new Date(String(createdDate)).setUTCHours(0, 0, 0, 0);
	expect(category).toMatch(/^(Promoter|Passive|Detractor)$/);
	const campaign = `survey_${String(campaignName).toLowerCase().replaceAll(' ', '_')}`;
	const [values = {}] = recorded(run);
	const properties = { score, comment, category, date: midnight };
	const written = Object.entries(properties).flatMap(([property, value]) => [
		`${campaign}_${property}`,
		value,
	]);
	expect(Object.values(values)).toEqual([email, ...written].map(String));
});

test('salesforce-case-closed-csat: surveys the contact of a closed case once', async () => {
	const name = 'salesforce-case-closed-csat';
	sandbox.b.state.sent.length = 0;
	const id = await host.n8n.createWorkflow(againstSandbox(name));
	const run = await host.n8n.run(id, { trigger: 'Case Changes' });
	expect(run.items('Surveyed')).toHaveLength(1);
	expectColumnsAsPinned(name, run);
	await host.n8n.run(id, { trigger: 'Case Changes' });
	expect(sandbox.b.state.sent).toMatchObject([{ email: 'grace@acme.example' }]);
	expect(sandbox.b.state.surveys.at(-1)).toMatchObject({
		attributes: { case_number: '00001026', case_subject: 'Export fails' },
	});
});

test('zendesk-detractor-ticket: the ticket has the comment and all earlier answers', async () => {
	const name = 'zendesk-detractor-ticket';
	const answer = { email: 'ada@acme.example', score: 1 };
	sandbox.b.answer({ ...answer, campaignId: 102, score: 8, comment: 'Fine, but a bit pricey.' });
	const run = await runWithEvent(recording(againstSandbox(name), 'Open Ticket'), answer);
	expect(run).toMatchObject({ status: 'success' });
	expectColumnsAsPinned(name, run);
	const [{ description, additionalFieldsJson } = {}] = recorded(run);
	expect(description).toMatch(/^Support never called back\.\n\nEarlier answers:\n/);
	expect(description).toContain('8  After support ticket: Fine, but a bit pricey.');
	expect(JSON.parse(String(additionalFieldsJson))).toMatchObject({
		subject: 'ada@acme.example gave 1 of 10',
		requester: { email: 'ada@acme.example' },
	});
});

test('zendesk-detractor-ticket: the ticket of an answer without an email has no answers of others', async () => {
	const workflow = recording(againstSandbox('zendesk-detractor-ticket'), 'Open Ticket');
	const run = await runWithEvent(workflow, { email: '', score: 1 });
	expect(run).toMatchObject({ status: 'success' });
	expect(run.nodes).not.toHaveProperty('Get All Answers');
	const [{ description, additionalFieldsJson } = {}] = recorded(run);
	expect(description).toMatch(/Earlier answers:\nUnknown, since the answer has no email\.$/);
	expect(JSON.parse(String(additionalFieldsJson))).not.toHaveProperty('requester');
});

test('zendesk-detractor-ticket: a comment that comes later is added to the ticket', async () => {
	const workflow = recording(againstSandbox('zendesk-detractor-ticket'), 'Add to Ticket');
	const answer = { email: 'later@acme.example', score: 1 };
	const { id } = sandbox.b.answer({ ...answer, campaignId: 101 });
	const ticket = { id: 35436, external_id: `feedback-${id}` };
	const pinData = { ...workflow.pinData, 'Find Ticket': [{ json: ticket }] };
	const run = await runWithEvent({ ...workflow, pinData }, answer);
	expect(run.nodes).not.toHaveProperty('Open Ticket');
	expect(recorded(run)).toMatchObject([
		{ id: '35436', updateFieldsJson: expect.stringContaining('Support never called back.') },
	]);
});

test.each([
	{ approved: true, replies: 1 },
	{ approved: false, replies: 0 },
])(
	'slack-detractor-reply: $replies replies go out when approved is $approved',
	async (decision) => {
		const name = 'slack-detractor-reply';
		const email = `slack-${decision.approved}@example.com`;
		const workflow = recording(againstSandbox(name), 'Ask in Slack');
		const pinData = { ...workflow.pinData, 'Ask in Slack': [{ json: { data: decision } }] };
		sandbox.b.state.replies.length = 0;
		const comment = '<!channel> <https://evil.example|Open the dashboard> & co\nReply:\n&lt;';
		const run = await runWithEvent({ ...workflow, pinData }, { email, score: 2, comment });
		expect(run).toMatchObject({ status: 'success' });
		expect(sandbox.b.state.replies).toHaveLength(decision.replies);
		expect(run.items('No Reply')).toHaveLength(1 - decision.replies);
		const [{ message } = {}] = recorded(run);
		// The Slack node turns each code of a character back into the character once.
		const characters: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
		const sent = String(message).replace(/&(amp|lt|gt);/g, (code) => characters[code] ?? '');
		expect(sent).toContain(`*${email}* gave *2*`);
		expect(sent).toContain(
			'> &lt;!channel&gt; &lt;https://evil.example|Open the dashboard&gt; &amp; co\n> Reply:\n> &amp;lt;\n\nReply:\n> Thank you',
		);
		expect(sent).not.toContain('<');
		if (decision.approved) {
			expect(sandbox.b.state.replies).toMatchObject([
				{ message: expect.stringContaining(`"${comment}"`) },
			]);
		}
		if (decision.approved) expectColumnsAsPinned(name, run);
	},
);

test('google-sheets-nightly-answers: each question and property is a column of the row', async () => {
	const name = 'google-sheets-nightly-answers';
	const id = await host.n8n.createWorkflow(againstSandbox(name));
	const run = await host.n8n.run(id, { trigger: 'Every Night' });
	expect(run).toMatchObject({ status: 'success' });
	expectColumnsAsPinned(name, run);
	const rows = run.items('Lists as Text').map(({ json }) => json);
	expect(rows).toHaveLength(run.items('Every Night').length);
	for (const row of rows) {
		expect(row).not.toHaveProperty('answers');
		for (const value of Object.values(row)) {
			expect(value === null || typeof value !== 'object').toBe(true);
		}
	}
});

test('account-nps-by-company: emails a bar per company, the lowest score first', async () => {
	const name = 'account-nps-by-company';
	const smtp = await host.n8n.createCredential('smtp', 'Mailbox', mailbox.credential);
	const [first, second] = sandbox.a.state.companies;
	if (first) first.cxMetrics = { NPS: 67, CSAT: null, CES: null, STAR: null };
	if (second) second.cxMetrics = { NPS: -25, CSAT: null, CES: null, STAR: null };
	const workflow = againstSandbox(name, { smtp });
	const id = await host.n8n.createWorkflow({ ...workflow, pinData: {} });
	const run = await host.n8n.run(id, { trigger: 'Every Monday' });
	expect(run).toMatchObject({ status: 'success' });
	expectColumnsAsPinned(name, run);
	expect(mailbox.messages).toHaveLength(1);
	const message = unwrapped(mailbox.messages[0] ?? '');
	expect(message).toMatch(/Subject: Account NPS: 1 of \d+ companies below zero/);
	expect(message).toContain('<td width="25" bgcolor="#dc2626"');
	expect(message).toContain('<td width="67" bgcolor="#16a34a"');
	expect(message.indexOf(`<td>${second?.companyName}</td>`)).toBeGreaterThan(0);
	expect(message.indexOf(`<td>${first?.companyName}</td>`)).toBeGreaterThan(
		message.indexOf(`<td>${second?.companyName}</td>`),
	);
});
