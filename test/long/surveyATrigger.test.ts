/** @jest-environment ./test/support/n8nEnvironment.mts */
import { sleep } from 'n8n-workflow';

import { people } from '../support/columns';
import { askEditor, seconds } from '../support/editor.mts';
import { credentialOf, host, rowsInto, sandbox, withHost } from '../support/n8n.mts';
import { testOfAll } from '../support/large.mts';
import { shareOf } from '../support/random.mts';
import { sayPastJest } from '../support/sayPastJest.mts';
import { until } from '../../host/until.mts';
import {
	DURABLE,
	TRIGGER,
	answer,
	broughtBy,
	clock,
	everySecond,
	newCustomer,
	noClock,
	outputsOf,
	poll,
	runs,
	workflow,
} from './surveyATriggerSetup';

// Survey A Trigger in a real n8n.

const DAY = 24 * 60 * 60 * 1000;

describe("with n8n's default settings", () => {
	withHost();

	afterEach(async () => {
		const { n8n } = host;
		for (const { id } of await n8n.workflows()) {
			await n8n.deleteWorkflow(id);
		}
		sandbox.a.reset();
	});

	test('a manual test shows recent rows, and a published trigger starts from the moment of publishing', async () => {
		const { n8n } = host;
		const id = await n8n.createWorkflow(workflow({ pollTimes: noClock() }));
		const shown = await n8n.run(id, { trigger: TRIGGER });
		expect(shown.status).toBe('success');
		const sample = outputsOf(shown).flat();
		expect(sample.filter((name) => name.startsWith('feedback.created'))).toHaveLength(5);
		expect(sample.filter((name) => name.startsWith('customer.created'))).toHaveLength(4);

		await n8n.activate(id);
		await poll(id);
		const feedback = answer(3);
		await poll(id);
		await n8n.run(id, { trigger: TRIGGER });
		await poll(id);
		const live = (await runs(id, 3)).filter(({ mode }) => mode === 'trigger');
		expect(live.map((run) => outputsOf(run))).toEqual([[[feedback]]]);
	}, 60_000);

	test('publishing fails within 90 s with our own sentence if the service accepts connections and never answers', async () => {
		const { n8n } = host;
		const id = await n8n.createWorkflow(workflow({ pollTimes: noClock() }));
		sandbox.a.faults.add({ kind: 'hang', times: Infinity });
		const begun = performance.now();
		await expect(n8n.activate(id)).rejects.toThrow(/Survey A did not/);
		const took = Math.round((performance.now() - begun) / 1000);
		sayPastJest(
			`Publishing Survey A Trigger while the service never answers fails after ${took} s`,
		);
		expect(took).toBeLessThan(90);
		sandbox.a.faults.clear();
		await n8n.activate(id);
		const feedback = answer(3);
		await poll(id);
		expect((await runs(id, 1)).map((run) => outputsOf(run))).toEqual([[[feedback]]]);
	}, 240_000);

	testOfAll(
		'publishing, an edit, drop-downs, columns and polls do not wait for a run of 2,000 rows at 60 requests a minute',
		async () => {
			const { n8n } = host;
			await useNewKey(60);
			const bulk = await n8n.start(await n8n.createWorkflow(bulkRun()));
			await until(
				() => sandbox.a.requests.length,
				(count) => count > 3,
			);
			const id = await n8n.createWorkflow(workflow({ pollTimes: everySecond() }));
			const type = 'n8n-nodes-surveys.surveyA';
			const table = {
				publish: await seconds(async () => await n8n.activate(id)),
				edit: await seconds(async () => await republish(id)),
				poll: await secondsToPoll(id),
				dropDown: await seconds(async () => {
					await askEditor(type, 'resource-locator-results', 'searchCampaigns');
				}),
				columns: await seconds(async () => {
					await askEditor(type, 'resource-mapper-fields', 'getColumns');
				}),
			};
			sayPastJest(
				`Survey A, beside a run of 2,000 rows at 60 requests a minute, in s: ${JSON.stringify(table)}`,
			);
			for (const took of Object.values(table)) expect(took).toBeLessThan(60);
			expect(await n8n.execution(bulk)).toMatchObject({ status: 'running' });
			await n8n.stopExecution(bulk);
			await n8n.deactivate(id);
		},
		240_000,
	);

	testOfAll(
		'an edit during a pause of 300 s ends while the earlier poll waits, a first publishing says what to do, and polls go on',
		async () => {
			const { n8n } = host;
			await useNewKey(0);
			const id = await n8n.createWorkflow(workflow({ pollTimes: everySecond() }));
			await n8n.activate(id);
			const kind = { status: 429, headers: { 'retry-after': '300' }, body: { message: 'No' } };
			sandbox.a.faults.add({ kind, times: Infinity });
			const before = sandbox.a.requests.length;
			await until(
				() => sandbox.a.requests.length,
				(count) => count > before,
			);
			const first = await n8n.createWorkflow(workflow({ pollTimes: noClock() }));
			const table = {
				edit: await seconds(async () => await republish(id)),
				publish: await seconds(async () => {
					await expect(n8n.activate(first)).rejects.toThrow(/Survey A asked not to be called/);
				}),
			};
			sayPastJest(`Survey A, during a pause of 300 s, in s: ${JSON.stringify(table)}`);
			for (const took of Object.values(table)) expect(took).toBeLessThan(60);
			sandbox.a.faults.clear();
			// Another key is another account, which knows no pause. An activation ends the poll that waits with the earlier one.
			await useNewKey(0);
			await poll(id);
			await secondsToPoll(id);
			await n8n.deactivate(id);
		},
		240_000,
	);

	test('no row is lost by an outage of the service and a restart of n8n during it', async () => {
		const { n8n } = host;
		const id = await n8n.createWorkflow(workflow({ pollTimes: clock(8) }));
		await n8n.activate(id);
		sandbox.a.faults.add({
			times: Infinity,
			kind: { status: 503, body: { message: 'Maintenance' } },
		});
		const added = [answer(1), answer(2), newCustomer()];
		const [failed] = await runs(id, 1);
		expect(failed?.status).toBe('error');
		expect(failed?.error?.message).toBe('Maintenance (HTTP 503)');

		await n8n.restart();
		added.push(answer(3));
		sandbox.a.faults.clear();
		await poll(id);
		await poll(id);
		const good = (await runs(id, 2)).filter(({ status }) => status === 'success');
		expect(good.map((run) => outputsOf(run).flat().sort())).toEqual([added.sort()]);
	}, 120_000);

	test.each(shareOf([0, 500_000]))(
		'publishing takes one request an event in an account of %i records',
		async (total) => {
			const { n8n } = host;
			const createdDate = new Date(Date.now() - 3 * DAY).toISOString();
			const many = Array.from({ length: 100 }, (_, i) => ({ id: `old${i}`, createdDate }));
			const records = total === 0 ? [] : many;
			for (const [path, name] of [
				[/feedback$/, 'responses'],
				[/customers$/, 'subscribers'],
			] as const) {
				const body = { code: 200, data: { [name]: records, page: 1, total } };
				sandbox.a.faults.add({ path, times: Infinity, kind: { status: 200, body } });
			}
			const id = await n8n.createWorkflow(workflow({ pollTimes: noClock() }));
			const before = sandbox.a.requests.length;
			await n8n.activate(id);
			expect(sandbox.a.requests.length - before).toBe(2);
			sandbox.a.faults.clear();
		},
		60_000,
	);

	test('an answer starts its run with the comment that came later', async () => {
		const { n8n } = host;
		const options = { waitForComment: 0.2 };
		const id = await n8n.createWorkflow(workflow({ pollTimes: everySecond(), options }));
		await n8n.activate(id);
		answer(2);
		await sleep(3000);
		Object.assign(sandbox.a.state.feedback.at(-1) ?? {}, { comment: 'Slow' });
		const [run] = await runs(id, 1);
		const [items] = run?.nodes[TRIGGER]?.[0]?.outputs ?? [];
		expect(items?.map(({ json }) => json.comment)).toEqual(['Slow']);
		await n8n.deactivate(id);
	}, 90_000);

	testOfAll(
		'a burst of 30,000 comes out whole, and each once',
		async () => {
			const { n8n } = host;
			const id = await n8n.createWorkflow(
				workflow({ pollTimes: noClock(), events: ['feedback.created'] }),
			);
			await n8n.activate(id);
			const before = sandbox.a.state.feedback.length;
			sandbox.a.seedFeedback(30_000);
			const burst = sandbox.a.state.feedback.slice(before);
			for (const [i, feedback] of burst.entries()) {
				feedback.createdDate = new Date(Date.now() - i).toISOString();
			}
			const sent = sandbox.a.requests.length;
			for (let count = 0; count < 4; count++) await poll(id);
			const came = (await runs(id, 3)).flatMap((run) => outputsOf(run).flat());
			sayPastJest(`A burst of 30,000: ${sandbox.a.requests.length - sent} requests in 4 polls`);
			expect(new Set(came).size).toBe(30_000);
			expect(came).toHaveLength(30_000);
		},
		240_000,
	);

	testOfAll(
		'what came while n8n was stopped for a weekend starts one run, and another key brings nothing old',
		async () => {
			const { n8n } = host;
			const dateAll = (at: number) => {
				for (const feedback of sandbox.a.state.feedback)
					feedback.createdDate = new Date(at).toISOString();
			};
			dateAll(Date.now() - 3 * DAY);
			const id = await n8n.createWorkflow(workflow({ pollTimes: noClock() }));
			await n8n.activate(id);
			const added: string[] = [];
			for (let hour = 60; hour > 0; hour -= 2) {
				added.push(answer(hour % 11));
				const last = sandbox.a.state.feedback.at(-1);
				if (last) last.createdDate = new Date(Date.now() - (hour / 24) * DAY).toISOString();
			}
			await n8n.restart();
			await runs(id, 1);
			expect((await broughtBy(id)).sort()).toEqual(added.sort());
			sandbox.a.state.feedback = [];
			sandbox.a.seedFeedback(50);
			dateAll(Date.now() - DAY);
			await useNewKey(0);
			await poll(id);
			const feedback = answer(1);
			await poll(id);
			await runs(id, 2);
			expect((await broughtBy(id)).sort()).toEqual([...added, feedback].sort());
		},
		180_000,
	);

	testOfAll('polls every second, some of them slow, bring each row once', pollEachSecond, 150_000);
});

describe('with durable cursors in n8n', () => {
	withHost(DURABLE);

	test('polls every second, some of them slow, bring each row once', pollEachSecond, 150_000);

	testOfAll(
		'publishing is the start, although n8n starts again before the first scheduled poll',
		async () => {
			const { n8n } = host;
			const id = await n8n.createWorkflow(workflow({ pollTimes: clock(40) }));
			await n8n.activate(id);
			const added = [answer(3), newCustomer()];
			await n8n.restart();
			const all = await runs(id, 1);
			expect(all.flatMap((run) => outputsOf(run).flat()).sort()).toEqual(added.sort());
		},
		240_000,
	);
});

/** Gives the credential another key, which has another pace and knows no pause. */
async function useNewKey(requestsPerMinute: number): Promise<void> {
	const { surveyAApi } = host.credentials;
	sandbox.a.apiKey = `key-of-survey-a-${Date.now()}`;
	const data = { ...credentialOf(sandbox.a), requestsPerMinute };
	await host.n8n.updateCredential(surveyAApi.id, 'surveyAApi', 'Survey A', data);
}

/** Returns a workflow that sends a request for each of 2,000 rows. */
function bulkRun() {
	const feedbackId = sandbox.a.state.feedback[0]?.id;
	const set = { resource: 'feedback', operation: 'setTags', tags: '={{ $json.email }}' };
	const { surveyAApi } = host.credentials;
	const type = 'n8n-nodes-surveys.surveyA';
	const parameters = { ...set, feedbackId };
	return rowsInto({ type, parameters, credentials: { surveyAApi } }, people(2000));
}

async function republish(id: string): Promise<void> {
	const edited = workflow({ pollTimes: everySecond(), routeBy: 'scoreType' });
	await host.n8n.updateWorkflow(id, edited);
	await host.n8n.activate(id);
}

/** Returns the seconds until a poll brings an answer of now. */
async function secondsToPoll(id: string): Promise<number> {
	const added = answer(2);
	return await seconds(async () => {
		await until(
			async () => await broughtBy(id),
			(names) => names.includes(added),
			{ what: 'The run for a new answer', timeoutMs: 60_000 },
		);
	});
}

async function pollEachSecond(): Promise<void> {
	const { n8n, a } = { ...host, ...sandbox };
	a.faults.add({ times: Infinity, kind: { delayMs: 700 } });
	const id = await n8n.createWorkflow(workflow({ pollTimes: everySecond() }));
	await n8n.activate(id);
	const added: string[] = [];
	for (let i = 0; i < 12; i++) {
		added.push(answer(i % 11), newCustomer());
		await sleep(500);
	}
	const brought = async () => await broughtBy(id);
	const isAllThere = (names: string[]) => added.every((name) => names.includes(name));
	await until(brought, isAllThere, { what: 'The runs for all records', timeoutMs: 60_000 });
	await sleep(6000);
	await n8n.deactivate(id);
	await runs(id, 1);
	expect((await broughtBy(id)).sort()).toEqual(added.sort());
}
