/** @jest-environment ./test/support/n8nEnvironment.mts */
import axios from 'axios';

import { createTable, recordsOf } from '../support/dataTable.mts';
import { click, linksInEmail, openMailbox, unwrapped, type Mailbox } from '../support/mailbox.mts';
import { until } from '../../host/until.mts';
import { example, host, sandbox, withHost, type WorkflowInput } from '../support/n8n.mts';

// Runs the examples that use both services, and checks the result at the services.

const CAMPAIGN_A = '64a000000000000000000003';
const LOGIN = { username: 'lead', password: 'example' };

withHost();

let mailbox: Mailbox;
let more: Record<string, { id: string; name: string }>;

beforeAll(async () => {
	mailbox = await openMailbox();
	const { n8n } = host;
	more = {
		smtp: await n8n.createCredential('smtp', 'Mailbox', mailbox.credential),
		httpBasicAuth: await n8n.createCredential('httpBasicAuth', 'Login', {
			user: LOGIN.username,
			password: LOGIN.password,
		}),
	};
});

afterAll(async () => await mailbox.close());

beforeEach(async () => {
	sandbox.a.reset();
	sandbox.b.reset();
	mailbox.messages.length = 0;
	await host.n8n.deleteDataTables();
});

const ready = (name: string) => example(name, { credentials: { ...host.credentials, ...more } });

async function submit(workflow: WorkflowInput, trigger: string, form: FormData): Promise<void> {
	const { webhookId } = workflow.nodes.find(({ name }) => name === trigger) ?? {};
	await axios.post(`${host.n8n.url}/form/${webhookId}`, form, { auth: LOGIN });
}

describe('erase-person', () => {
	const email = 'leaver@acme.example';

	beforeEach(async () => {
		const { a, b } = sandbox;
		a.answer({ email, campaignId: CAMPAIGN_A, score: 9 });
		b.answer({ email, campaignId: 101, score: 2, comment: 'No' });
		b.answer({ email, campaignId: 102, score: 3, comment: 'No' });
		b.answer({ email: `not-${email}`, campaignId: 102, score: 3, comment: 'Stays' });
		const rows = [{ email: email.toUpperCase() }, { email: `not-${email}` }];
		await createTable(host.n8n, 'Referrals', [{ name: 'email', type: 'string' }], rows);
	});

	async function ask(answer: 'approve' | 'decline') {
		const workflow = ready('erase-person');
		const id = await host.n8n.createWorkflow(workflow);
		await host.n8n.activate(id);
		const form = new FormData();
		form.append('field-0', ' Leaver@acme.example');
		await submit(workflow, 'Erase a Person', form);
		const links = await linksInEmail(mailbox);
		expect(sandbox.b.requests).toEqual([]);
		mailbox.messages.length = 0;
		await host.n8n.waitUntilWaiting(id);
		await click(links[answer]);
		// n8n keeps no run of this workflow that succeeds, and has removed it when its list is empty.
		const runs = async () => await host.n8n.executions(id).catch(() => undefined);
		await until(runs, (list) => list?.length === 0, { what: 'The end of the run' });
		await host.n8n.deactivate(id);
		return unwrapped(mailbox.messages[0] ?? '');
	}

	test('after approval a person is gone in both services and the tables, and the receipt names what remains', async () => {
		const { a, b } = sandbox;
		const left = a.state.feedback.find((one) => one.email === email)?.id;
		const receipt = await ask('approve');
		expect(a.state.customers.has(email)).toBe(false);
		expect(b.state.contacts.has(email)).toBe(false);
		expect(b.state.feedback.filter((one) => one.contact.email === email)).toEqual([]);
		expect(b.state.contacts.has(`not-${email}`)).toBe(true);
		expect(await recordsOf(host.n8n, 'Referrals')).toMatchObject([{ email: `not-${email}` }]);
		expect(receipt).toContain(`Subject: Not all erased: ${email}`);
		expect(receipt).toContain(`Still there: ${left}`);
		expect(receipt).toMatch(/Contact in Survey B[^<]*<\/td><td>Deleted or not there/);
		expect(receipt).toMatch(/Rows of data tables<\/td><td>1 deleted/);
	}, 120_000);

	test('a declined erasure deletes nothing', async () => {
		expect(await ask('decline')).toBe('');
		expect(sandbox.a.state.customers.has(email)).toBe(true);
		expect(sandbox.b.state.contacts.has(email)).toBe(true);
		expect(sandbox.b.requests).toEqual([]);
	}, 120_000);
});

describe('nps-history', () => {
	const TABLE = 'Survey history';
	const keys = async () => (await recordsOf(host.n8n, TABLE)).map(({ key }) => String(key)).sort();

	test('each NPS response of both services is one row after two runs, and the chart has their NPS', async () => {
		const { a, b } = sandbox;
		a.seedFeedback(30);
		b.seedFeedback(120);
		const id = await host.n8n.createWorkflow(ready('nps-history'));
		const monthly = async () => await host.n8n.run(id, { trigger: 'Every Month' });
		expect(await monthly()).toMatchObject({ status: 'success' });
		const expected = () => [
			...a.state.feedback.filter((one) => one.metricsType === 'NPS').map((one) => `A ${one.id}`),
			...b.state.feedback.map((one) => `B ${one.id}`),
		];
		expect(await keys()).toEqual(expected().sort());

		const [changed] = b.state.feedback;
		if (changed) changed.score = changed.score === 10 ? 0 : 10;
		b.answer({ email: 'new@acme.example', campaignId: 101, score: 0, comment: 'New' });
		mailbox.messages.length = 0;
		expect(await monthly()).toMatchObject({ status: 'success' });
		expect(await keys()).toEqual(expected().sort());
		const [row] = (await recordsOf(host.n8n, TABLE)).filter(
			({ key }) => key === `B ${changed?.id}`,
		);
		expect(row).toMatchObject({ score: changed?.score });
		const message = unwrapped(mailbox.messages[0] ?? '');
		expect(message).toContain(`Subject: NPS by month: ${expected().length} responses`);
		expect(message).toContain(chartLine(b.state.feedback.filter(isOfRelationship)));
	}, 120_000);

	const isOfRelationship = (one: { campaign: { name?: string }; created: string }) =>
		one.campaign.name === 'Relationship' && one.created.startsWith(thisMonth());
	const thisMonth = () => new Date().toISOString().slice(0, 7);

	/** Returns the end of the chart's line for these responses: the NPS and their number. */
	function chartLine(feedback: Array<{ score: number }>): string {
		const promoters = feedback.filter(({ score }) => score >= 9).length;
		const detractors = feedback.filter(({ score }) => score <= 6).length;
		const nps = Math.round(
			(100 * promoters) / feedback.length - (100 * detractors) / feedback.length,
		);
		return `<td align="right">${nps}</td><td align="right">${feedback.length}</td>`;
	}

	test('each line of a CSV file that is uploaded twice is stored once, with its own date', async () => {
		const workflow = ready('nps-history');
		const id = await host.n8n.createWorkflow(workflow);
		await host.n8n.activate(id);
		const anonymous = ',7,2024-06-01,Yearly,\n';
		const csv =
			'email,score,date,campaign,comment\nada@acme.example,9,2024-05-31,Yearly,"Fast, and good"\nbad@acme.example,eleven,31.05.2024,Yearly,\n' +
			anonymous.repeat(2);
		for (const count of [1, 2]) {
			const form = new FormData();
			form.append('field-0', new Blob([csv], { type: 'text/csv' }), 'old.csv');
			await submit(workflow, 'Upload CSV', form);
			const runs = await host.n8n.waitForExecutions(id, count);
			expect(runs.at(-1)?.items('List Refused Rows')).toHaveLength(1);
		}
		await host.n8n.deactivate(id);
		expect(await recordsOf(host.n8n, TABLE)).toMatchObject([
			{
				email: 'ada@acme.example',
				score: 9,
				date: '2024-05-31T00:00:00.000Z',
				comment: 'Fast, and good',
			},
			{ email: '', score: 7 },
			{ email: '', score: 7 },
		]);
	}, 120_000);
});

describe('opt-outs-to-crm', () => {
	/** Returns the example with a node that outputs the values in place of HubSpot. */
	function withoutHubspot(): WorkflowInput {
		const workflow = ready('opt-outs-to-crm');
		const nodes = workflow.nodes.map((node) => {
			if (node.name !== 'Write to Contact') return node;
			const { email, additionalFields } = node.parameters ?? {};
			const [property] = Object(additionalFields).customPropertiesUi.customPropertiesValues;
			const values = { email, [property.property]: property.value };
			const assignments = Object.entries(values).map(([name, value]) => ({
				...{ id: name, name, value, type: 'string' },
			}));
			const parameters = { assignments: { assignments }, options: {} };
			return { ...node, type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
		});
		return { ...workflow, nodes };
	}

	test('who leaves one service leaves the other and is marked in HubSpot once, with one request to the outbox an hour', async () => {
		const { a, b } = sandbox;
		a.seedCustomers(20);
		a.seedOutbox(1500);
		const [out, bounced, old] = [a.state.outbox.at(-1), a.state.outbox.at(-2), a.state.outbox[0]];
		if (out) out.detailedStatus.isOptedOut = true;
		if (bounced) bounced.detailedStatus.isBounced = true;
		if (old) old.detailedStatus.isOptedOut = true;
		// A survey in an app or by SMS may have no email.
		const nameless = Object.assign({ ...out }, { email: null });
		a.state.outbox.splice(-3, 1, nameless);
		const id = await host.n8n.createWorkflow(withoutHubspot());
		const asked = () => a.requests.filter(({ path }) => path.endsWith('/outbox')).length;
		const run = await host.n8n.run(id, { trigger: 'Every Hour' });
		expect(run).toMatchObject({ status: 'success' });
		expect(asked()).toBe(1);
		const marked = run.items('Write to Contact').map(({ json }) => json);
		expect(marked).toEqual(
			expect.arrayContaining([
				{ email: out?.email, survey_opt_out: 'Opted out in Survey A' },
				{ email: bounced?.email, survey_opt_out: 'Bounced in Survey A' },
			]),
		);
		const requested = () =>
			b.requests.filter(({ path }) => path.includes('unsubscribe')).map(({ body }) => body);
		expect(JSON.stringify(requested())).toContain(out?.email);
		const again = await host.n8n.run(id, { trigger: 'Every Hour' });
		expect(again).toMatchObject({ status: 'success' });
		expect(again.items('Write to Contact')).toEqual([]);
		const weekly = await host.n8n.run(id, { trigger: 'Every Sunday' });
		expect(weekly.items('Write to Contact').map(({ json }) => json.email)).toContain(old?.email);
	}, 120_000);

	test('a contact who unsubscribes in Survey B is unsubscribed in Survey A at once, again after a failure', async () => {
		const { a, b } = sandbox;
		const id = await host.n8n.createWorkflow(withoutHubspot());
		const [leaver] = b.state.contacts.values();
		a.faults.add({ path: /unsubscribe/, kind: { status: 400 } });
		await host.n8n.activate(id);
		await axios.post(
			`${b.url}/api/v2/contacts/unsubscribe/`,
			{ emails: [leaver?.email] },
			{ headers: { authorization: `Token ${b.apiKey}`, 'content-type': 'application/json' } },
		);
		await host.n8n.waitForExecutions(id, 1);
		await host.n8n.deactivate(id);
		expect(a.state.unsubscribed).toEqual([]);
		expect(await recordsOf(host.n8n, 'Survey opt-outs')).toMatchObject([{ done: false }]);
		await host.n8n.run(id, { trigger: 'Every Hour' });
		const { email } = leaver ?? {};
		expect(a.state.unsubscribed).toMatchObject([{ email, message: 'Unsubscribed in Survey B' }]);
		expect(await recordsOf(host.n8n, 'Survey opt-outs')).toMatchObject([{ done: true }]);
	}, 120_000);
});
