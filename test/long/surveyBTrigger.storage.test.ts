import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { changeOf } from '../../nodes/shared/webhooks/deliveries';
import { trigger } from '../../nodes/SurveyB/trigger/webhookTrigger';
import { inLanes } from '../../host/inLanes.mts';
import { chain } from '../../host/index.mts';
import { until } from '../../host/until.mts';
import { databaseKinds } from '../support/database.mts';
import type { Database } from '../support/database.mts';
import type { WorkflowNode } from '../support/n8n.mts';
import { HAS_ALL_CASES } from '../support/random.mts';
import { TriggerSetup } from '../support/surveyBTriggerSetup';
import type { Subscribed } from '../support/surveyBTriggerSetup';

// A 200 means that n8n has stored the run. A delivery that is not stored gets an error and starts its run when the
// service repeats it. The tests read n8n's database by `deliveryId`, because n8n's lists and counts leave out
// executions in progress.

const EVENT = 'feedback.added_or_changed';

/** A change that the service delivers until it gets a 200. */
interface Change {
	data: IDataObject;
	deliveryId: string;
	/** The status codes before that; undefined for no response. */
	refusals: Array<number | undefined>;
}

interface Stored {
	id: string;
	status: string;
	data: string;
}

/** The status of executions that did not reach their end. */
const FAILED = ['error', 'crashed'];

/** SQLite, n8n's default, and with all cases PostgreSQL, too. */
const KINDS = HAS_ALL_CASES ? databaseKinds() : databaseKinds().slice(0, 1);

describe.each(KINDS)('n8n on $name', ({ open, outage }) => {
	let setup: TriggerSetup;
	let database: Database;
	let workflowId: string;
	let hook: Subscribed;
	const testWithDatabase = open ? test : test.skip;

	beforeAll(async () => {
		if (!open) return;
		database = await open();
		// Halves the duration; the order of storing does not depend on it.
		const env = { ...database.env, N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
		setup = await TriggerSetup.open(env);
	}, 180_000);
	afterAll(async () => {
		await setup?.close();
		await database?.close();
	}, 60_000);

	beforeEach(async () => {
		if (open) await publish();
	});
	afterEach(async () => await setup?.clear());

	/** Publishes a workflow that requests the feedback of each delivery once. */
	async function publish(): Promise<void> {
		const ask: WorkflowNode = {
			name: 'Ask',
			type: 'n8n-nodes-surveys.surveyB',
			parameters: { resource: 'feedback', operation: 'get', feedbackId: '={{ $json.data.id }}' },
			credentials: { surveyBApi: setup.host.credentials.surveyBApi },
		};
		const workflow = setup.workflow([setup.node({ events: [EVENT] })], {
			nodes: [ask],
			connections: chain('Trigger', 'Ask'),
		});
		workflowId = await setup.n8n.createWorkflow(workflow);
		await setup.n8n.activate(workflowId);
		const [subscribed] = setup.hooks;
		if (!subscribed) throw new RangeError('Not subscribed');
		hook = subscribed;
	}

	function newChanges(count: number): Change[] {
		setup.b.seedFeedback(count);
		return setup.b.state.feedback.slice(-count).map((feedback) => {
			const data = { ...feedback };
			return {
				data,
				deliveryId: changeOf(EVENT, data, trigger.subjectOf(EVENT, data), trigger.links).deliveryId,
				refusals: [],
			};
		});
	}

	/** Delivers a change once; returns the status, or undefined if no response came in time. */
	async function post({ data }: Change, timeout = 60_000): Promise<number | undefined> {
		const options = { timeout, validateStatus: () => true };
		const answer = axios.post(hook.target, { ...hook.body, data }, options);
		return await answer.then(
			({ status }) => status,
			() => undefined,
		);
	}

	/** Delivers a change as the service does, repeatedly until it gets a 200. */
	async function deliver(change: Change): Promise<void> {
		for (;;) {
			const status = await post(change);
			if (status === 200) break;
			change.refusals.push(status);
			await sleep(500);
		}
	}

	/** Returns the executions of each change, found by `deliveryId`. */
	async function stored(changes: Change[]): Promise<Map<Change, Stored[]>> {
		const rows = await database.rows(
			`select e.id, e.status, d.data from execution_entity e
			join execution_data d on d."executionId" = e.id
			where e."workflowId" = '${workflowId}' order by e.id`,
		);
		const found = rows.map(([id = '', status = '', data = '']) => ({ id, status, data }));
		const of = ({ deliveryId }: Change) => found.filter(({ data }) => data.includes(deliveryId));
		return new Map(changes.map((change) => [change, of(change)]));
	}

	function asked({ data }: Change): number {
		const end = `/feedback/${String(data.id)}/`;
		return setup.b.requests.filter(({ path }) => path.endsWith(end)).length;
	}

	/** Retries an execution from the failed node, like a user. */
	async function retry(execution: Stored | undefined): Promise<void> {
		if (!execution) throw new RangeError('What did not run does not stand as failed either');
		await setup.n8n.post(`/executions/${execution.id}/retry`, { loadWorkflow: false });
	}

	testWithDatabase(
		'every change of a burst is stored and runs once although the database fails in the middle',
		async () => {
			const changes = newChanges(60);
			let failing: Promise<void> | undefined;
			await inLanes(changes, 8, async (change) => {
				if (change === changes[20]) failing = database.fail(outage);
				await deliver(change);
			});
			await failing;
			const refusals = changes.flatMap((change) => change.refusals);
			expect(refusals.length).toBeGreaterThan(0);
			expect(refusals.filter((status) => status === undefined || status < 500)).toEqual([]);

			// Executions in progress end, or n8n marks them as crashed on its next start.
			await until(
				() => stored(changes.slice(-8)),
				(runs) => [...runs.values()].flat().every(({ status }) => status === 'success'),
			);
			const before = await stored(changes);
			expect(changes.filter((change) => before.get(change)?.length === 0)).toEqual([]);
			await setup.n8n.restart();
			const after = await stored(changes);

			for (const change of changes.filter((change) => asked(change) === 0)) {
				await retry(after.get(change)?.find(({ status }) => FAILED.includes(status)));
			}
			// On its start n8n runs executions that it had stored and not begun, although their deliveries got a 500.
			const leftBehind = (change: Change) =>
				before.get(change)?.filter(({ status }) => status === 'new').length ?? 0;
			await until(
				() => changes.map((change) => asked(change) - leftBehind(change)),
				(counts) => counts.every((count) => count === 1),
			);
		},
		240_000,
	);

	testWithDatabase(
		'a repeated delivery waits for the outcome of the first one, although the first sender hung up',
		async () => {
			const changes = newChanges(2);
			const release = await database.hold();
			const hungUp = changes.map(async (change) => await post(change, 300));
			await sleep(100);
			const duplicates = changes.map(deliver);
			expect(await Promise.all(hungUp)).toEqual([undefined, undefined]);
			await release();
			await Promise.all(duplicates);
			await until(
				() => changes.map(asked),
				(counts) => counts.every((count) => count > 0),
			);
			expect(changes.map(asked)).toEqual([1, 1]);
			const runs = await stored(changes);
			expect(changes.map((change) => runs.get(change)?.length)).toEqual([1, 1]);
		},
		120_000,
	);

	testWithDatabase(
		'every run is stored when n8n is killed after the last 200',
		async () => {
			const changes = newChanges(HAS_ALL_CASES ? 300 : 100);
			await inLanes(changes, 8, deliver);
			await setup.n8n.process.kill();
			expect(changes.flatMap(({ refusals }) => refusals)).toEqual([]);
			const counts = [...(await stored(changes)).values()].map(({ length }) => length);
			expect(counts).toEqual(changes.map(() => 1));
			await setup.n8n.restart();
		},
		240_000,
	);
});
