/** @jest-environment ./test/support/n8nEnvironment.mts */
import axios from 'axios';

import { recordsOf, updateRows } from '../support/dataTable.mts';
import { openMailbox, unwrapped, type Mailbox } from '../support/mailbox.mts';
import { example, host, sandbox, withHost, type WorkflowInput } from '../support/n8n.mts';
import { chain } from '../../host/index.mts';
import { until } from '../../host/until.mts';

// Runs survey-queue.json in a real n8n. The clocks of both services and the workflow's `now` move together.

const TABLE = 'Survey queue';
const CAMPAIGN = '64a000000000000000000003';
const REMINDER = '64a000000000000000000004';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A Tuesday, 10:00 in Berlin. */
const START = Date.parse('2027-03-02T09:00:00Z');

withHost();

let mailbox: Mailbox;
let id: string;
let more: Awaited<ReturnType<typeof moreCredentials>>;
let now = START;
const realNow = Date.now;

beforeAll(async () => {
	mailbox = await openMailbox();
	more = await moreCredentials();
}, 60_000);

afterAll(async () => await mailbox.close());

beforeEach(async () => {
	moveTo(START);
	sandbox.a.reset();
	sandbox.b.reset();
	// Seeds lie 20 days before the real time.
	sandbox.a.state.outbox.length = 0;
	await host.n8n.deleteDataTables();
	id = await host.n8n.createWorkflow(queue());
	await hourly();
});

afterEach(() => jest.restoreAllMocks());

/** Moves the clock of both services. */
function moveTo(time: number): void {
	now = time;
	const offset = time - realNow();
	jest.spyOn(Date, 'now').mockImplementation(() => realNow() + offset);
}

async function moreCredentials() {
	const { n8n } = host;
	const secret = { name: 'x-secret', value: 'example' };
	const login = { user: 'lead', password: 'example' };
	return {
		smtp: await n8n.createCredential('smtp', 'Mailbox', mailbox.credential),
		httpHeaderAuth: await n8n.createCredential('httpHeaderAuth', 'Secret', secret),
		httpBasicAuth: await n8n.createCredential('httpBasicAuth', 'Login', login),
	};
}

function queue(): WorkflowInput {
	const workflow = example('survey-queue', { credentials: { ...host.credentials, ...more } });
	setFields(workflow, 'Defaults', {
		'defaults.campaign': CAMPAIGN,
		'defaults.timeZone': 'Europe/Berlin',
	});
	setFields(workflow, 'Settings', { reminderCampaign: REMINDER });
	return workflow;
}

/** Overwrites fields of a Set node. */
function setFields({ nodes }: WorkflowInput, name: string, values: Record<string, unknown>): void {
	const { assignments } = Object(nodes.find((node) => node.name === name)?.parameters).assignments;
	for (const field of assignments) field.value = values[field.name] ?? field.value;
}

/** Runs the hourly branch at the moved time. */
async function hourly(settings: object = {}) {
	const workflow = await host.n8n.workflow(id);
	setFields(workflow, 'Settings', { now: new Date(now).toISOString(), ...settings });
	await host.n8n.updateWorkflow(id, workflow);
	const run = await host.n8n.run(id, { trigger: 'Every Hour' });
	expect(run.error).toBeUndefined();
}

/** Queues people by running the workflow from its sub-workflow entry. */
async function put(...people: object[]): Promise<void> {
	const columns = { not_before: new Date(START).toISOString() };
	const workflow = await host.n8n.workflow(id);
	const pinData = {
		'Queue a Survey': people.map((person) => ({ json: { ...columns, ...person } })),
	};
	await host.n8n.updateWorkflow(id, { ...workflow, pinData });
	const run = await host.n8n.run(id, { trigger: 'Queue a Survey' });
	expect(run.error).toBeUndefined();
	await host.n8n.updateWorkflow(id, { ...workflow, pinData: {} });
}

const b = (email: string) => ({ email, service: 'B', campaign: '101' });
const sentByA = () => sandbox.a.state.sent.map(({ email, campaign }) => `${email} ${campaign}`);
const sentByB = () => sandbox.b.state.sent.map(({ email }) => email);

/** Returns state and reason of each row by email. */
async function states(): Promise<Record<string, string>> {
	const rows = await recordsOf(host.n8n, TABLE);
	return Object.fromEntries(
		rows.map(({ email, state, reason }) => [String(email), `${state}: ${reason}`]),
	);
}

test('a sub-workflow call, the webhook and the form queue people, and bad requests are stored with the reason', async () => {
	const { n8n } = host;
	await n8n.activate(id);
	const headers = { 'x-secret': 'example' };
	const url = `${n8n.url}/webhook/queue-a-survey`;
	const people = [{ email: 'Web@acme.example', plan: 'pro' }, { email: 'nobody' }];
	await axios.post(url, { people }, { headers });
	await expect(axios.post(url, { people })).rejects.toThrow('403');
	const form = new FormData();
	form.append('field-0', 'form@acme.example');
	form.append('field-1', 'Grace');
	const { webhookId } =
		(await n8n.workflow(id)).nodes.find(({ name }) => name === 'Queue by Form') ?? {};
	const auth = { username: 'lead', password: 'example' };
	await axios.post(`${n8n.url}/form/${webhookId}`, form, { auth });
	const caller = await n8n.createWorkflow({
		name: 'Caller',
		nodes: [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
			{
				name: 'Queue',
				type: 'n8n-nodes-base.executeWorkflow',
				typeVersion: 1.2,
				parameters: {
					workflowId: { __rl: true, mode: 'id', value: id },
					workflowInputs: {
						mappingMode: 'defineBelow',
						value: { email: 'caller@acme.example', columns: '={{ { plan: "free" } }}' },
						schema: [],
					},
					options: {},
				},
			},
		],
		connections: chain('Start', 'Queue'),
	});
	expect(await n8n.run(caller)).toMatchObject({ status: 'success' });
	await n8n.deactivate(id);
	const find = async () => await recordsOf(n8n, TABLE);
	const rows = await until(find, (found) => found.length === 4, { what: 'The rows' });
	// The form responds before its run ends.
	const byEmail = Object.fromEntries(rows.map((row) => [row.email, row]));
	expect(byEmail).toMatchObject({
		'Web@acme.example': { state: 'waiting', columns: '{"plan":"pro"}', campaign: CAMPAIGN },
		nobody: { state: 'decide', reason: 'There is no valid email' },
		'form@acme.example': { state: 'waiting', time_zone: 'Europe/Berlin' },
		'caller@acme.example': { state: 'waiting', columns: '{"plan":"free"}' },
	});
	expect(JSON.parse(String(byEmail['form@acme.example']?.columns))).toMatchObject({
		first_name: 'Grace',
	});
});

test('surveys by both services in working hours, and leaves out who was surveyed or has unsubscribed', async () => {
	const { a, b: service } = sandbox;
	const [recent, out] = a.seedCustomers(2).map(({ email }) => email);
	const [campaign] = a.state.campaigns;
	if (!campaign) throw new Error('No campaign');
	a.seedSurveyed([...a.state.customers.values()].slice(-2), { campaign, daysAgo: 10 });
	const old = a.state.outbox.at(-1);
	if (old) old.sentDate = new Date(START - 90 * DAY).toISOString();
	if (old) old.detailedStatus.isOptedOut = true;
	const contact = [...service.state.contacts.values()].at(-1);
	if (contact) contact.unsubscribed = true;
	await put(
		{ email: 'ada@acme.example', columns: { plan: 'pro' } },
		b('alan@acme.example'),
		{ email: 'late@acme.example', time_zone: 'Asia/Tokyo' },
		{ email: recent },
		{ email: out },
		b(String(contact?.email)),
		{ email: 'both@acme.example' },
		b('both@acme.example'),
	);
	await hourly();
	expect(sentByA()).toEqual([`ada@acme.example ${CAMPAIGN}`, `both@acme.example ${CAMPAIGN}`]);
	expect(sentByB()).toEqual(['alan@acme.example']);
	expect(a.state.customers.get('ada@acme.example')?.properties).toMatchObject([{ value: 'pro' }]);
	expect(await states()).toMatchObject({
		'ada@acme.example': expect.stringMatching(/^accepted/),
		'alan@acme.example': 'sent: Survey B sent it',
		'late@acme.example': 'waiting: Waits for working hours',
		[String(recent)]: expect.stringMatching(/^left out: Surveyed by Survey A on/),
		[String(out)]: 'left out: Opted out in Survey A',
		[String(contact?.email)]: 'left out: Unsubscribed in Survey B',
		'both@acme.example': expect.stringMatching(/^left out: Surveyed by Survey A in row/),
	});

	moveTo(START + HOUR);
	await hourly();
	expect((await states())['ada@acme.example']).toBe('sent: In the outbox of Survey A');
	moveTo(START + 15 * HOUR);
	await hourly();
	expect(sentByA().at(-1)).toBe(`late@acme.example ${CAMPAIGN}`);
});

test('working hours from 0 to 24 on all days are open in the last hour of a day too', async () => {
	moveTo(Date.parse('2027-03-02T22:30:00Z'));
	await put({ email: 'night@acme.example' });
	const week = { workDays: '[1, 2, 3, 4, 5, 6, 7]', toHour: 24 };
	await hourly({ ...week, fromHour: 1 });
	expect(sentByA()).toEqual([]);
	await updateRows(host.n8n, TABLE, { not_before: new Date(START).toISOString() });
	await hourly({ ...week, fromHour: 0 });
	expect(sentByA()).toEqual([`night@acme.example ${CAMPAIGN}`]);
});

test('a sample has the same people each time, in whichever order they are queued', async () => {
	const people = Array.from({ length: 12 }, (_, i) => ({ email: `person${i}@acme.example` }));
	const outside = async () => {
		await hourly({ samplePercent: 50 });
		const all = Object.entries(await states());
		return all.filter(([, state]) => state.includes('Not in the sample')).map(([email]) => email);
	};
	await put(...people);
	const first = await outside();
	await put(...people.reverse());
	expect((await outside()).sort()).toEqual(first.sort());
	expect(sentByA()).toHaveLength(12 - first.length);
	expect(first).toHaveLength(7);
});

test('after lost responses nobody gets two surveys: Survey A is looked up, Survey B repeats', async () => {
	const { a, b: service } = sandbox;
	const survey = { method: 'POST', path: /survey/ };
	a.faults.add({ ...survey, kind: 'reset-after' });
	a.faults.add({ ...survey, kind: 'reset-before' });
	service.faults.add({ ...survey, kind: 'reset-after', times: 10 });
	await put({ email: 'came@acme.example' }, { email: 'lost@acme.example' }, b('b@acme.example'));
	await hourly();
	expect(await states()).toMatchObject({
		'came@acme.example': expect.stringMatching(/^checking/),
		'lost@acme.example': expect.stringMatching(/^checking/),
	});
	service.faults.clear();
	for (let hour = 1; hour <= 3; hour++) {
		moveTo(START + hour * HOUR);
		await hourly();
	}
	expect(sentByA()).toEqual([`came@acme.example ${CAMPAIGN}`]);
	expect(sentByB()).toEqual(['b@acme.example']);
	expect(await states()).toMatchObject({
		'came@acme.example': 'sent: In the outbox of Survey A',
		'lost@acme.example': expect.stringMatching(/^checking/),
		'b@acme.example': expect.stringMatching(/^sent: Survey B, asked again/),
	});

	service.faults.add({ ...survey, kind: 'reset-after' });
	await put(b('once@acme.example'));
	await hourly();
	expect(sentByB()).toEqual(['b@acme.example', 'once@acme.example']);
	expect((await states())['once@acme.example']).toMatch(/^sent: Survey B, asked again/);

	moveTo(START + 3 * DAY + HOUR);
	await hourly();
	expect((await states())['lost@acme.example']).toMatch(/^decide: May have been sent/);
	mailbox.messages.length = 0;
	expect(await host.n8n.run(id, { trigger: 'Every Morning' })).toMatchObject({ status: 'success' });
	expect(unwrapped(mailbox.messages[0] ?? '')).toContain('lost@acme.example');
	await updateRows(host.n8n, TABLE, { state: 'waiting' });
	await hourly();
	expect(sentByA().filter((one) => one.startsWith('lost'))).toHaveLength(1);
	expect(sentByA().filter((one) => one.startsWith('came'))).toHaveLength(1);
});

test('reminds once, by another campaign, who has not answered after seven days, not who opted out', async () => {
	const { a } = sandbox;
	const emails = ['answers@acme.example', 'silent@acme.example', 'out@acme.example'];
	await put(...emails.map((email) => ({ email })));
	await hourly();
	moveTo(START + HOUR);
	await hourly();
	a.answer({ email: 'answers@acme.example', campaignId: CAMPAIGN, score: 9 });
	const out = a.state.outbox.find(({ email }) => email === 'out@acme.example');
	if (out) out.detailedStatus.isOptedOut = true;
	for (const hours of [6 * 24, 7 * 24 + 1, 7 * 24 + 2, 7 * 24 + 3, 14 * 24 + 4, 14 * 24 + 5]) {
		moveTo(START + hours * HOUR);
		await hourly();
	}
	expect(sentByA().slice(3)).toEqual([`silent@acme.example ${REMINDER}`]);
	expect(await states()).toMatchObject({
		'answers@acme.example': 'sent: No reminder: answered',
		'silent@acme.example': expect.stringMatching(/^sent: Reminder sent on/),
		'out@acme.example': 'sent: No reminder: opted out in Survey A',
	});
});

test('two runs at the same moment and a kill of n8n send each survey once, and at most surveysPerDay', async () => {
	const { a } = sandbox;
	const people = Array.from({ length: 8 }, (_, i) => ({ email: `person${i}@acme.example` }));
	await put(...people);
	await hourly({ surveysPerDay: 0 });
	await updateRows(host.n8n, TABLE, { not_before: new Date(START).toISOString() });
	const workflow = await host.n8n.workflow(id);
	setFields(workflow, 'Settings', { surveysPerDay: 5, now: new Date(now).toISOString() });
	await host.n8n.updateWorkflow(id, workflow);
	const runs = await Promise.all(
		['Every Hour', 'Every Hour'].map((one) => host.n8n.start(id, one)),
	);
	for (const run of runs) expect(await host.n8n.ended(run)).toMatchObject({ status: 'success' });
	expect(new Set(sentByA()).size).toBe(sentByA().length);
	expect(sentByA().length).toBeLessThanOrEqual(5);
	expect(sentByA().length).toBeGreaterThan(0);

	const before = sentByA().length;
	let release = () => {};
	const held = new Promise<void>((resolve) => (release = resolve));
	a.faults.add({ method: 'POST', path: /survey$/, kind: { until: held } });
	moveTo(START + DAY);
	const next = await host.n8n.workflow(id);
	setFields(next, 'Settings', { surveysPerDay: 5, now: new Date(now).toISOString() });
	await host.n8n.updateWorkflow(id, next);
	await host.n8n.start(id, 'Every Hour');
	const asked = () => a.requests.filter(({ path }) => path.endsWith('/survey')).length;
	await until(
		async () => asked(),
		(count) => count > before,
		{ what: 'The request' },
	);
	await host.n8n.process.kill();
	release();
	await host.n8n.restart();
	expect(await states()).toMatchObject({ 'person0@acme.example': expect.any(String) });
	for (let hour = 2; hour <= 5; hour++) {
		moveTo(START + DAY + hour * HOUR);
		await hourly({ surveysPerDay: 5 });
	}
	moveTo(START + 2 * DAY);
	await hourly({ surveysPerDay: 5 });
	moveTo(START + 2 * DAY + 2 * HOUR);
	await hourly({ surveysPerDay: 5 });
	expect([...sentByA()].sort()).toEqual(people.map(({ email }) => `${email} ${CAMPAIGN}`));
	for (const state of Object.values(await states())) expect(state).toMatch(/^sent: In the outbox/);
}, 180_000);
