/** @jest-environment ./test/support/n8nEnvironment.mts */
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../../host/until.mts';
import type { Fault } from '../../sandbox/core/faults';
import { host, sandbox, withHost, type Made, type WorkflowInput } from '../support/n8n.mts';
import { testOfAll } from '../support/large.mts';
import { approvalLink, click } from '../support/mailbox.mts';
import { shareOf } from '../support/random.mts';
import { Stage } from '../support/stage.mts';

// The two jobs of the README when n8n is killed, a service is down, many events come at once, or two copies run.

withHost();

let stage: Stage;
/** A credential of a service that does not respond. */
let nobody: Made;

beforeAll(async () => {
	stage = await Stage.open([
		{
			tool: /reply/i,
			input: () => ({ toolParameters: { message: 'We call you.' }, hitlParameters: {} }),
		},
		{ says: 'Done.' },
	]);
	const data = { baseUrl: 'http://127.0.0.1:9', apiKey: 'example', requestsPerMinute: 0 };
	nobody = await host.n8n.createCredential('surveyAApi', 'Down', data);
});
afterAll(async () => await stage.close());
beforeEach(() => {
	stage.reset();
	day++;
});

const SURVEY = { method: 'POST', path: /\/survey$/ };
/** Quiet Period remembers whom this n8n has surveyed, so each test has people of its own. */
let day = 0;
const people = (count: number) =>
	Array.from({ length: count }, (_, i) => `p${i}@day${day}.example`);
const rows = (emails: string[]) => emails.map((email) => ({ email, plan: 'pro' }));
const surveyed = () => sandbox.a.state.sent.map(({ email }) => email).sort();
const failures = () => stage.mails().filter((mail) => mail.includes('Subject: Failed: '));

/** Lets error-mail hear of the failed runs of an example. */
async function errorMail(): Promise<(workflow: WorkflowInput) => void> {
	const errorWorkflow = await stage.publish('error-mail');
	return (workflow) => void (workflow.settings = { ...workflow.settings, errorWorkflow });
}

/** Sets parameters of a node of an example. */
function set({ nodes }: WorkflowInput, name: string, parameters: object): void {
	const node = nodes.find((one) => one.name === name);
	if (!node) throw new RangeError(`There is no node ${name}`);
	node.parameters = { ...node.parameters, ...parameters };
}

/** Holds a request back, and calls `arrived` when it comes: before it is carried out, or before its response is sent. */
type Hold = (arrived: () => void) => void;

const atService =
	(service: 'a' | 'b', request: Pick<Fault, 'method' | 'path'>, moment: 'before' | 'in'): Hold =>
	(arrived) => {
		// A held request is carried out when the promise settles, so never.
		const kind = moment === 'in' ? 'hang' : { until: new Promise(() => undefined) };
		sandbox[service].faults.add({ ...request, when: () => (arrived(), true), kind });
	};

const inReceiver =
	(path: string): Hold =>
	(arrived) =>
		void (stage.receiver.hold = { path, arrived });

const inMail: Hold = (arrived) => void (stage.mailbox.hold = arrived);

/** Kills n8n when a request arrives, and starts it again. */
async function killedAt(hold: Hold, begin: () => Promise<unknown>): Promise<void> {
	await new Promise<void>((arrived, fail) => {
		hold(arrived);
		begin().catch(fail);
	});
	// A request that was carried out gives no other sign.
	await sleep(200);
	await host.n8n.process.kill();
	sandbox.a.faults.clear();
	sandbox.b.faults.clear();
	stage.receiver.hold = undefined;
	stage.mailbox.hold = undefined;
	await host.n8n.restart();
}

/** Retries the only run of a workflow, which is shown as crashed. */
async function retriedAfterCrash(id: string) {
	const { id: run, status } = await stage.ended(id);
	expect(status).toBe('crashed');
	await until(failures, (mails) => mails.length > 0, { what: 'The mail of the error workflow' });
	return await host.n8n.retry(run);
}

test.each(shareOf<'before' | 'in'>(['before', 'in']))(
	'crm-event-to-survey, killed %s Send Survey: the error workflow hears of it, and Retry surveys each customer once',
	async (moment) => {
		const id = await stage.publish('crm-event-to-survey', await errorMail());
		const event = { customers: rows(people(3)) };
		const hold = atService('a', SURVEY, moment);
		await killedAt(hold, async () => await stage.post('crm-event', event));
		expect(await retriedAfterCrash(id)).toMatchObject({ status: 'success' });
		expect(surveyed()).toEqual(people(3));
	},
	180_000,
);

testOfAll(
	'crm-event-to-survey, killed after Send Survey while the mail goes out: Retry surveys nobody again, and names the refused row in a second mail',
	async () => {
		const id = await stage.publish('crm-event-to-survey', await errorMail());
		const event = { customers: rows(['nowhere', ...people(2)]) };
		await killedAt(inMail, async () => await stage.post('crm-event', event));
		expect(surveyed()).toEqual(people(2));
		expect(await retriedAfterCrash(id)).toMatchObject({ status: 'success' });
		expect(surveyed()).toEqual(people(2));
		const refused = stage.mails().filter((mail) => mail.includes('could not be surveyed'));
		expect(refused).toHaveLength(2);
	},
	180_000,
);

test('crm-event-to-survey, killed while it waits: the row goes out after the wait, and a person heard of it once', async () => {
	const id = await stage.publish('crm-event-to-survey', (workflow) => {
		// n8n keeps shorter waits in memory.
		set(workflow, 'Wait an Hour', { amount: 70, unit: 'seconds' });
	});
	sandbox.a.faults.add({ ...SURVEY, kind: { status: 401 } });
	await stage.post('crm-event', { customers: rows(['nowhere', ...people(2)]) });
	await host.n8n.waitUntilWaiting(id);
	await host.n8n.process.kill();
	const database = new DatabaseSync(join(host.userFolder, '.n8n/database.sqlite'));
	database.exec(`UPDATE execution_entity SET "waitTill" = datetime('now', '-1 second')`);
	database.close();
	await host.n8n.restart();
	expect(await stage.ended(id)).toMatchObject({ status: 'success' });
	expect(surveyed()).toEqual(people(2));
	expect(stage.mails()).toHaveLength(1);
	expect(stage.mails()[0]).toContain('Subject: Survey A: 3 customers could not be surveyed');
}, 180_000);

/** Waits a second in place of an hour, and gives up after four tries. */
function fast(workflow: WorkflowInput): void {
	set(workflow, 'Wait an Hour', { amount: 1, unit: 'seconds' });
	const text = JSON.stringify(workflow.nodes);
	workflow.nodes = JSON.parse(text.replaceAll('$runIndex < 24', '$runIndex < 4'));
}

testOfAll(
	'crm-event-to-survey: a key that is refused for three rounds costs one mail and no survey',
	async () => {
		const id = await stage.publish('crm-event-to-survey', fast);
		sandbox.a.faults.add({ ...SURVEY, kind: { status: 401 }, times: 3 });
		await stage.post('crm-event', rows(people(2)));
		expect(await stage.ended(id)).toMatchObject({ status: 'success' });
		expect([surveyed(), stage.mails().length]).toEqual([people(2), 1]);
	},
	120_000,
);

testOfAll(
	'crm-event-to-survey: a service that cannot be reached for some rounds costs one mail, and each customer is surveyed once when it is back',
	async () => {
		const { n8n } = host;
		const data = { baseUrl: 'http://127.0.0.1:9', apiKey: 'example', requestsPerMinute: 0 };
		const down = await n8n.createCredential('surveyAApi', 'Down for a while', data);
		const id = await stage.publish('crm-event-to-survey', (workflow) => {
			set(workflow, 'Wait an Hour', { amount: 1, unit: 'seconds' });
			for (const { name, credentials } of workflow.nodes)
				if (name === 'Send Survey' && credentials) credentials.surveyAApi = down;
		});
		await stage.post('crm-event', rows(people(2)));
		await until(
			() => stage.mails(),
			(mails) => mails.length > 0,
			{ what: 'The mail' },
		);
		// At least one more round.
		await sleep(6000);
		const { url: baseUrl, apiKey } = sandbox.a;
		await n8n.updateCredential(down.id, 'surveyAApi', down.name, { ...data, baseUrl, apiKey });
		expect(await stage.ended(id)).toMatchObject({ status: 'success' });
		expect([surveyed(), stage.mails().length]).toEqual([people(2), 1]);
	},
	120_000,
);

testOfAll(
	'crm-event-to-survey: a second mail names the rows that are not out after all tries',
	async () => {
		const id = await stage.publish('crm-event-to-survey', (workflow) => {
			fast(workflow);
			for (const { name, credentials } of workflow.nodes) {
				if (name === 'Send Survey' && credentials) credentials.surveyAApi = nobody;
			}
		});
		await stage.post('crm-event', rows(people(2)));
		expect(await stage.ended(id)).toMatchObject({ status: 'success' });
		expect([surveyed(), stage.mails().length]).toEqual([[], 2]);
		expect(stage.mails()[1]).toContain(people(2)[1]);
	},
	120_000,
);

test('two copies of crm-event-to-survey for two campaigns, with 20 events at once in an empty n8n: each copy surveys each customer once', async () => {
	const [one, other] = sandbox.a.state.campaigns.filter(
		({ isActive, type }) => isActive && type === 'transactional',
	);
	const copies = [one?.id, other?.id].map(async (campaign, i) => {
		return await stage.publish('crm-event-to-survey', (workflow) => {
			set(workflow, 'CRM Event', { path: `copy-${i}` });
			set(workflow, 'Send Survey', { campaign: { __rl: true, mode: 'id', value: campaign } });
		});
	});
	const ids = await Promise.all(copies);
	const events = people(20).map((email, i) => [i % 2, email] as const);
	await Promise.all(
		events.flatMap(([, email]) =>
			[0, 1].map(async (i) => await stage.post(`copy-${i}`, { customers: rows([email]) })),
		),
	);
	for (const id of ids) {
		const runs = await host.n8n.waitForExecutions(id, 20, 60_000);
		expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'success'));
	}
	for (const campaign of [one?.id, other?.id]) {
		const sent = sandbox.a.state.sent.filter((survey) => survey.campaign === campaign);
		expect(sent.map(({ email }) => email).sort()).toEqual(people(20).sort());
	}
	expect(stage.mails()).toEqual([]);
}, 120_000);

const detractor = (email: string, campaignId = 101) =>
	sandbox.b.answer({ email, campaignId, score: 2, comment: 'Slow' });

test('route-detractors: after a failed ticket, Retry goes on at Open Ticket', async () => {
	const id = await stage.publish('route-detractors', await errorMail());
	stage.receiver.refusal = { status: 500, path: '/open-ticket' };
	detractor('ada@days.example');
	const { id: run, lastNode } = await stage.ended(id);
	expect([lastNode, sandbox.b.state.replies]).toEqual(['Open Ticket', []]);
	await until(failures, (mails) => mails.length === 1, { what: 'The mail of the error workflow' });
	stage.receiver.refusal = undefined;
	expect(await host.n8n.retry(run)).toMatchObject({ status: 'success' });
	expect(stage.bodies('/alert-team')).toHaveLength(1);
	expect(sandbox.b.state.replies).toHaveLength(1);
	expect(sandbox.b.state.feedback).toMatchObject([{ status: 'CLOSED' }]);
}, 60_000);

const GET = { method: 'GET', path: /\/feedback\/\d+\/$/ };
const REPLY = { method: 'POST', path: /\/reply\/$/ };
const CLOSE = { method: 'PUT' };

test.each(
	shareOf<[string, typeof GET]>([
		['Get Feedback', GET],
		['Reply', REPLY],
	]),
)(
	'route-detractors: while Survey B is down at %s, the run fails and is heard of, and Retry goes on there when it is back',
	async (node, request) => {
		const id = await stage.publish('route-detractors', await errorMail());
		sandbox.b.faults.add({ ...request, kind: { status: 503 }, times: Infinity });
		detractor('ada@days.example');
		const { id: run, lastNode } = await stage.ended(id);
		expect([lastNode, sandbox.b.state.replies]).toEqual([node, []]);
		await until(failures, (mails) => mails.length === 1, { what: 'The error mail' });
		sandbox.b.faults.clear();
		expect(await host.n8n.retry(run)).toMatchObject({ status: 'success' });
		const work = ['/alert-team', '/open-ticket'].map((path) => stage.bodies(path).length);
		expect([...work, sandbox.b.state.replies.length]).toEqual([1, 1, 1]);
		expect(sandbox.b.state.feedback).toMatchObject([{ status: 'CLOSED' }]);
	},
	60_000,
);

test.each(
	shareOf<[string, ReturnType<typeof inReceiver>, string, number[]]>([
		['in Alert Team', inReceiver('/alert-team'), 'success', [2, 1]],
		['in Get Feedback', atService('b', GET, 'in'), 'success', [2, 1]],
		['in Open Ticket', inReceiver('/open-ticket'), 'success', [2, 2]],
		['before Reply', atService('b', REPLY, 'before'), 'success', [2, 2]],
		['in Reply', atService('b', REPLY, 'in'), 'error', [2, 2]],
		['after Reply', atService('b', CLOSE, 'before'), 'error', [2, 2]],
		['in Close Feedback', atService('b', CLOSE, 'in'), 'success', [2, 1]],
	]),
)(
	'route-detractors, killed %s: the error workflow hears of it, the customer gets one reply, alert and ticket may come twice, and a response that stays open is a failed run',
	async (_, hold, status, work) => {
		const id = await stage.publish('route-detractors', await errorMail());
		await killedAt(hold, async () => detractor('ada@days.example'));
		expect(await retriedAfterCrash(id)).toMatchObject({ status });
		expect(sandbox.b.state.replies).toHaveLength(1);
		const [feedback] = sandbox.b.state.feedback;
		expect(feedback?.status === 'CLOSED').toBe(status === 'success');
		expect([stage.bodies('/alert-team').length, stage.bodies('/open-ticket').length]).toEqual(work);
	},
	180_000,
);

/** Publishes a copy of an example for campaign 101 and one for campaign 102 of Survey B. */
async function twoCopies(
	name: string,
	change: (workflow: WorkflowInput, campaign: number) => void = () => {},
): Promise<string[]> {
	const copies = [101, 102].map(async (campaign) => {
		return await stage.publish(name, (workflow) => {
			const trigger = workflow.nodes.find(({ name: one }) => one === 'Feedback Comes In');
			Object.assign(Object(trigger?.parameters?.filters), { campaignIds: [String(campaign)] });
			change(workflow, campaign);
		});
	});
	return await Promise.all(copies);
}

test('two copies of route-detractors for two campaigns, with 20 answers at once: each answer gets the reply of its campaign', async () => {
	const ids = await twoCopies('route-detractors', (workflow, campaign) => {
		set(workflow, 'Reply', { message: `From ${campaign}` });
	});
	const answers = people(20).map((email, i) => detractor(email, 101 + (i % 2)));
	for (const id of ids) {
		const runs = await host.n8n.waitForExecutions(id, 10, 60_000);
		expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'success'));
	}
	const replies = sandbox.b.state.replies.map(({ feedbackId, message }) => [feedbackId, message]);
	const expected = answers.map(({ id, campaign }) => [id, `From ${campaign.id}`]);
	expect(replies.sort()).toEqual(expected.sort());
}, 120_000);

testOfAll(
	'two copies of agent-triage for two campaigns: an approval lets the agent of its own copy go on, and the other one waits',
	async () => {
		const [id = '', other = ''] = await twoCopies('agent-triage');
		const { id: feedbackId } = detractor('ada@days.example');
		detractor('eve@days.example', 102);
		const approve = await approvalLink(stage.mailbox, 'ada@days.example');
		for (const one of [id, other]) await host.n8n.waitUntilWaiting(one);
		await click(approve);
		expect(await stage.ended(id)).toMatchObject({ status: 'success' });
		expect(sandbox.b.state.replies).toMatchObject([{ feedbackId }]);
		expect(await host.n8n.executions(other)).toMatchObject([{ status: 'waiting' }]);
	},
	60_000,
);
