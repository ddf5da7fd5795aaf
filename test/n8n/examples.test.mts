/** @jest-environment ./test/support/n8nEnvironment.mts */
import axios from 'axios';

import { outboxRecord } from '../../sandbox/a/records';
import { EXAMPLES, emptyFields, fillIn, readExample } from '../support/examples.mts';
import { approvalLink, click, unwrapped } from '../support/mailbox.mts';
import { host, sandbox, withHost } from '../support/n8n.mts';
import { runPinned } from '../support/pinnedRun.mts';
import { LOGIN, Stage } from '../support/stage.mts';

// Each example runs with its pinned data, publishes nothing unfilled, and has its one awkward day. Kills of n8n are in
// test/long/examples.kills.test.mts.

withHost();

let stage: Stage;

beforeAll(async () => {
	stage = await Stage.open([
		{ tool: /tag/i, input: () => ({ tagName: 'pricing' }) },
		{
			tool: /reply/i,
			input: () => ({ toolParameters: { message: 'We call you.' }, hitlParameters: {} }),
		},
		{ says: 'Done.' },
	]);
});
afterAll(async () => await stage.close());
beforeEach(() => stage.reset());

const CAMPAIGN = '64a000000000000000000003';
const DAY = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString();
/** Puts a survey into the outbox of Survey A. */
function sentByA(email: string, days: number, details = {}, status = 'OPENED'): void {
	const { customers, campaigns, outbox } = sandbox.a.state;
	const campaign = campaigns.find(({ id }) => id === CAMPAIGN);
	const [customer] = customers.values();
	if (!campaign || !customer) throw new RangeError('The sandbox has no such campaign or customer');
	const record = outboxRecord({ ...customer, email }, campaign, daysAgo(days), 'manual');
	const isResponded = status === 'RESPONDED';
	const detailedStatus = { ...record.detailedStatus, isResponded, ...details };
	outbox.push({ ...record, status, detailedStatus, surveyCreatedDate: record.sentDate });
}

const surveyedByA = () => sandbox.a.state.sent.map(({ email }) => email);
const surveyedByB = () => sandbox.b.state.sent.map(({ email }) => email);

test.each(EXAMPLES)(
	'%s: runs with its pinned data and without any account',
	async (name) => {
		sandbox.a.requests.length = 0;
		sandbox.b.requests.length = 0;
		await runPinned(host.n8n, name);
		expect([...sandbox.a.requests, ...sandbox.b.requests]).toEqual([]);
	},
	180_000,
);

test.each(EXAMPLES)(
	'%s: n8n knows every node, and publishes nothing until each empty field is filled in',
	async (name) => {
		const { nodes } = fillIn(readExample(name), host.credentials);
		const asImported = readExample(name).nodes.map((node, i) => ({
			...node,
			credentials: nodes[i]?.credentials,
		}));
		const id = await host.n8n.createWorkflow({ ...readExample(name), nodes: asImported });
		const refused = await host.n8n.activate(id).catch(String);
		expect(refused).not.toMatch(/type not found/i);
		const incomplete = asImported.filter(
			({ parameters = {} }) => emptyFields(parameters).length > 0,
		);
		for (const node of incomplete) expect(refused).toContain(`Node "${node.name}":`);
	},
);

test('the pinned run of crm-event-to-survey shows each customer once', async () => {
	const id = await host.n8n.createWorkflow(readExample('crm-event-to-survey'));
	const run = await host.n8n.run(id, { trigger: 'CRM Event' });
	for (const node of ['One Row per Customer', 'Send Survey']) {
		expect(run.items(node).map(({ json }) => json.email)).toEqual([
			'ada@acme.example',
			'alan@globex.example',
		]);
	}
});

test('crm-event-to-survey-b: one refused customer is named in a mail, and an event that comes twice surveys once', async () => {
	const id = await stage.publish('crm-event-to-survey-b');
	const customers = ['p0@days.example', 'nowhere', 'p1@days.example'].map((email) => ({ email }));
	await stage.post('crm-event-b', { customers });
	await stage.ended(id);
	await stage.post('crm-event-b', customers);
	await stage.ended(id, 2);
	expect(surveyedByB().sort()).toEqual(['p0@days.example', 'p1@days.example']);
	expect(stage.mails()).toHaveLength(2);
	expect(stage.mails()[0]).toContain('Subject: Survey B: 1 customers could not be surveyed');
	expect(stage.mails()[0]).toContain('nowhere');
});

test('sheet-to-survey: the status goes into the row that was read, and a row that can go out later keeps "send"', async () => {
	const id = await stage.publish('sheet-to-survey');
	const rows = ['p0@days.example', 'nowhere'].map((email, i) => ({
		...{ row_number: 4 + 3 * i, email, plan: 'pro', survey: 'send', survey_result: '' },
	}));
	stage.answer = (path) => (path === '/get-rows-to-send' ? rows : {});
	await stage.start(id);
	sandbox.a.faults.add({ path: /survey/, method: 'POST', kind: { status: 401 }, times: Infinity });
	rows.splice(0, 2, { ...rows[0]!, row_number: 9, email: 'p1@days.example' });
	await stage.start(id);
	expect(surveyedByA()).toEqual(['p0@days.example']);
	const written = stage.bodies('/write-result').map((body) => Object.values(body).map(String));
	expect(written.map(([row, survey]) => [row, survey]).sort()).toEqual([
		['4', 'queued'],
		['7', 'failed'],
		['9', 'send'],
	]);
	expect(written.find(([row]) => row === '7')?.[2]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d .*email/i);
	const { properties = [] } = sandbox.a.state.customers.get('p0@days.example') ?? {};
	expect(properties.map(({ label }) => label)).toEqual(['Plan']);
});

test('hubspot-deal-won-survey: a contact who opted out and an old deal are not surveyed', async () => {
	const id = await stage.publish('hubspot-deal-won-survey');
	const contact = (email: string | null, optout: string | null = null) => ({
		properties: {
			email,
			firstname: 'Ada',
			lastname: null,
			company: 'Acme',
			hs_email_optout: optout,
		},
	});
	let wonAt = Date.now();
	stage.answer = (path) =>
		path === '/get-deal'
			? {
					dealId: 7,
					properties: {
						...{ dealname: { value: 'Acme: 25 seats' }, dealstage: { value: 'closedwon' } },
						closedate: { value: String(wonAt) },
					},
				}
			: [contact('won@days.example'), contact('out@days.example', 'true'), contact(null)];
	await stage.start(id, [{ dealId: 7 }]);
	wonAt -= 8 * DAY;
	await stage.start(id, [{ dealId: 8 }]);
	expect(surveyedByA()).toEqual(['won@days.example']);
	expect(sandbox.a.state.customers.get('won@days.example')).toMatchObject({
		properties: [{ label: 'Deal', value: 'Acme: 25 seats' }],
	});
	expect(stage.mails()).toHaveLength(1);
});

test('zendesk-solved-survey: a ticket whose requester is refused gets its own tag and one mail', async () => {
	const id = await stage.publish('zendesk-solved-survey');
	const tickets = [1, 2].map((one) => ({
		id: one,
		requester_id: one,
		subject: 'Help',
		tags: ['x'],
	}));
	stage.answer = (path, { id: requester }) => {
		if (path === '/get-solved-tickets') return tickets;
		return {
			id: requester,
			name: 'Ada Lovelace',
			email: ['', 'p1@days.example', 'bad@'][Number(requester)],
		};
	};
	await stage.start(id);
	expect(surveyedByB()).toEqual(['p1@days.example']);
	const tags = stage
		.bodies('/mark-ticket')
		.map((body) => [body.id, JSON.parse(String(body.updateFieldsJson))]);
	expect(Object.fromEntries(tags)).toEqual({
		1: { tags: ['x', 'survey_sent'] },
		2: { tags: ['x', 'survey_refused'] },
	});
	expect(stage.mails()).toHaveLength(1);
	expect(stage.mails()[0]).toContain('Ticket 2: ');
});

test('remind-once: of seven people one is reminded, and then nobody', async () => {
	const id = await stage.publish('remind-once');
	sentByA('due@days.example', 8);
	sentByA('early@days.example', 6);
	sentByA('late@days.example', 15);
	sentByA('answered@days.example', 8, {}, 'RESPONDED');
	sentByA('out@days.example', 8, { isOptedOut: true });
	sentByA('bounced@days.example', 8, { isBounced: true });
	sentByA('twice@days.example', 12);
	sentByA('twice@days.example', 8);
	await stage.start(id);
	await stage.start(id);
	expect(sandbox.a.state.sent).toMatchObject([{ email: 'due@days.example', campaign: CAMPAIGN }]);
	expect(stage.mails()).toEqual([]);
});

test('who-was-surveyed: one mail names who got no survey', async () => {
	const id = await stage.publish('who-was-surveyed');
	const customer = (email: string, hs_email_optout: string | null = null) => ({
		properties: { email, hs_email_optout },
	});
	const customers = ['none@days.example', 'sent@days.example'].map((email) => customer(email));
	stage.answer = () => [...customers, customer('out@days.example', 'true')];
	sentByA('sent@days.example', 1);
	await stage.start(id);
	const [mail = ''] = stage.mails();
	expect(mail).toContain("Subject: 1 contacts of yesterday's won deals have no survey");
	expect(mail).toContain('none@days.example: notYet');
});

test('route-detractors: nothing replies to the past, to a closed response or to one whose score has changed', async () => {
	const id = await stage.publish('route-detractors');
	const { b } = sandbox;
	const answer = (email: string) =>
		b.answer({ email, campaignId: 101, score: 2, comment: '<b>Slow' });
	const now = answer('now@days.example');
	await stage.ended(id);
	// The response is closed, changed or old by the time its delivery comes.
	const others = [
		{ created: daysAgo(8) },
		{ status: 'CLOSED' },
		{ score_type: 'promoter' },
	] as const;
	for (const [i, change] of others.entries()) {
		const given = answer(`other${i}@days.example`);
		const delivered = { ...given };
		Object.assign(given, change);
		await b.deliver('feedback.added_or_changed', { ...delivered, comment: 'Late' });
	}
	await stage.ended(id, 2);
	await b.idle();
	expect(b.state.replies.map(({ feedbackId }) => feedbackId)).toEqual([now.id]);
	expect(b.state.feedback.find((one) => one.id === now.id)).toMatchObject({ status: 'CLOSED' });
	expect(stage.bodies('/open-ticket')).toMatchObject([
		{ email: 'now@days.example', feedback: now.id },
	]);
	expect(stage.bodies('/alert-team')[0]).toEqual({
		text: 'now@days.example gave 2: &lt;b&gt;Slow',
	});
});

test('open-detractors-digest: a mail comes with and without open detractors', async () => {
	const id = await stage.publish('open-detractors-digest');
	await stage.start(id);
	for (const score of [2, 10]) {
		sandbox.b.answer({
			email: `p${score}@days.example`,
			campaignId: 101,
			score,
			comment: 'A <b> b',
		});
	}
	await stage.start(id);
	expect(stage.mails()[0]).toContain('Subject: 0 detractors are open');
	expect(stage.mails()[1]).toContain('Subject: 1 detractors are open');
	expect(stage.mails()[1]).toContain('p2@days.example, 2, Relationship: A &lt;b> b');
});

test('slack-detractor-reply: Do Not Reply sends nothing, and a comment cannot call everyone in Slack', async () => {
	const id = await stage.publish('slack-detractor-reply');
	let approved = false;
	stage.answer = () => ({ data: { approved } });
	const answer = { campaignId: 101, score: 2, comment: '<!channel>' };
	sandbox.b.answer({ ...answer, email: 'no@days.example' });
	await stage.ended(id);
	approved = true;
	const { id: feedbackId } = sandbox.b.answer({ ...answer, email: 'yes@days.example' });
	await stage.ended(id, 2);
	expect(sandbox.b.state.replies).toMatchObject([{ feedbackId }]);
	expect(stage.bodies('/ask-in-slack')[0]?.message).not.toContain('<!channel>');
});

test('agent-triage: the agent tags alone, and its reply goes out when a person has approved it', async () => {
	const id = await stage.publish('agent-triage');
	const { b } = sandbox;
	b.answer({ email: 'ada@days.example', campaignId: 101, score: 2, comment: 'Too dear' });
	const approve = await approvalLink(stage.mailbox);
	// n8n sends the mail before the run waits, and refuses a click until then.
	await host.n8n.waitUntilWaiting(id);
	expect(b.state.replies).toEqual([]);
	await click(approve);
	await stage.ended(id);
	expect(b.state.replies).toMatchObject([{ message: 'We call you.' }]);
	expect(b.state.feedback).toMatchObject([{ tags: [{ name: 'pricing' }] }]);
}, 120_000);

test('promoter-to-review: a delivery that comes twice, also in an older form, asks once', async () => {
	const id = await stage.publish('promoter-to-review');
	const { b } = sandbox;
	const answer = b.answer({
		email: 'ada@days.example',
		campaignId: 101,
		score: 10,
		comment: 'Great',
	});
	const older = JSON.parse(JSON.stringify({ ...answer, tags: [], comment: null }));
	await stage.ended(id);
	await b.deliver('feedback.added_or_changed', older);
	await stage.ended(id, 2);
	expect(stage.mails()).toHaveLength(1);
	expect(b.state.feedback).toMatchObject([{ tags: [{ name: 'asked for review' }] }]);
});

test('hubspot-last-answer: the newest answer is written last, and one without an email is left out', async () => {
	const id = await stage.publish('hubspot-last-answer');
	const answer = { email: 'ada@days.example', campaignName: 'After purchase', comment: null };
	await stage.start(id, [
		{ ...answer, id: '3', score: 9, createdDate: daysAgo(1) },
		{ ...answer, id: '1', score: 2, createdDate: daysAgo(3) },
		{ ...answer, id: '2', score: 5, createdDate: daysAgo(2), email: null },
	]);
	const written = stage.bodies('/write-to-contact').map((body) => Object.values(body));
	expect(written.map((values) => values.includes('Promoter'))).toEqual([false, true]);
	expect(written[1]).toContain('survey_after_purchase_score');
});

test('google-sheets-nightly-answers: each question is a column of the row, and a list is text', async () => {
	const id = await stage.publish('google-sheets-nightly-answers');
	const run = await stage.start(id, [
		{ id: '1', score: 9, 'Which feature? e.g. a.b': 'Reports', Tags: ['a', 'b'] },
	]);
	expect(run.items('Lists as Text')).toMatchObject([
		{ json: { id: '1', score: 9, 'Which feature? e.g. a.b': 'Reports', Tags: 'a, b' } },
	]);
});

test('nightly-feedback-export: a refused row deletes nothing', async () => {
	const id = await stage.publish('nightly-feedback-export');
	sandbox.b.answer({ email: 'ada@days.example', campaignId: 101, score: 9, comment: 'Great' });
	await stage.start(id);
	stage.receiver.refusal = { status: 500, path: '/save-to-postgresql' };
	const run = await stage.start(id);
	expect(run).toMatchObject({ status: 'error', lastNode: 'Save to PostgreSQL' });
	expect(run.items('Choose Columns')).toMatchObject([
		{ json: { email: 'ada@days.example', score: 9 } },
	]);
	expect(stage.bodies('/delete-what-is-gone')).toHaveLength(1);
});

test('weekly-nps-report: the mail has the rates of the campaign and a picture of its trend', async () => {
	const id = await stage.publish('weekly-nps-report');
	sentByA('ada@days.example', 1, {}, 'RESPONDED');
	for (let i = 0; i < 3; i++) sentByA(`p${i}@days.example`, 1, { isBounced: i === 0 });
	await stage.start(id);
	const [message = ''] = stage.mails();
	expect(message).toMatch(/Subject: NPS: -?\d+/);
	expect(message).toContain('Of 4 surveys of this campaign, 75 % were delivered and 33 % of these');
	const [, encoded = ''] = message.match(/nps\.svg[\s\S]*?\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/) ?? [];
	const chart = Buffer.from(encoded, 'base64').toString();
	expect(chart).toMatch(/^<svg[\s\S]*<polyline[^>]*points="[\d., -]+"[\s\S]*<\/svg>/);
});

test('opt-outs-to-crm: a person whom Survey B does not know is marked in HubSpot all the same', async () => {
	const id = await stage.publish('opt-outs-to-crm');
	const { a, b } = sandbox;
	await axios.post(
		`${b.url}/api/v2/contacts/`,
		{ email: 'ada@days.example' },
		{ headers: { authorization: `Token ${b.apiKey}` } },
	);
	for (const one of ['ada', 'new']) sentByA(`${one}@days.example`, 1, { isOptedOut: true });
	await stage.start(id);
	expect(b.state.contacts.get('ada@days.example')?.unsubscribed).toBe(true);
	// The unsubscription of Ada comes back as an event, too.
	await b.deliver('contact.unsubscribed', { id: 1, email: 'left@days.example' });
	await stage.ended(id, 3);
	expect(a.state.unsubscribed.map(({ email }) => email)).toContain('left@days.example');
	const marked = stage.bodies('/write-to-contact').map(({ email }) => email);
	expect(new Set(marked)).toEqual(
		new Set(['ada@days.example', 'new@days.example', 'left@days.example']),
	);
	expect(stage.mails()).toEqual([]);
});

test('erase-person: after approval the person is gone in both services, and the receipt says what is left', async () => {
	const id = await stage.publish('erase-person');
	const { a, b } = sandbox;
	for (const score of [2, 9]) b.answer({ email: 'ada@days.example', campaignId: 101, score });
	const { nodes } = readExample('erase-person');
	const form = new FormData();
	form.append('field-0', ' ada@days.example');
	const { webhookId } = nodes.find(({ name }) => name === 'Erase a Person') ?? {};
	await axios.post(`${host.n8n.url}/form/${webhookId}`, form, { auth: LOGIN });
	const approve = await approvalLink(stage.mailbox);
	await host.n8n.waitUntilWaiting(id);
	await click(approve);
	const receipt = async () => stage.mailbox.messages.map(unwrapped)[1] ?? '';
	while ((await receipt()) === '') await new Promise((resolve) => setTimeout(resolve, 100));
	expect(await receipt()).toContain('Subject: Erased: ada@days.example');
	expect(await receipt()).toContain('Left are feedback responses and the outbox in Survey A');
	expect(b.state.feedback).toEqual([]);
	expect(b.state.contacts.has('ada@days.example')).toBe(false);
	expect(a.requests.map(({ method }) => method)).toContain('DELETE');
}, 60_000);
