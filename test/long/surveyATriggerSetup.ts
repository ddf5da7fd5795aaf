import { sleep } from 'n8n-workflow';

import { chain } from '../../host/index.mts';
import { placeCustomer } from '../../sandbox/a/writing';
import { host, sandbox } from '../support/n8n.mts';
import type { Execution, WorkflowInput } from '../support/n8n.mts';
import { nameOf } from '../support/triggerItems';

// Helpers for tests of Survey A Trigger in a real n8n, which polls on a schedule and at every activation.

export const TRIGGER = 'Survey A Trigger';
const NPS = '64a000000000000000000003';

/** Makes n8n store the watermark together with the run. The other settings make it fast enough for a test. */
export const DURABLE = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
};

/** Returns a workflow with the trigger and a short wait behind its first output. */
export function workflow(parameters: object): WorkflowInput {
	return {
		name: 'New feedback',
		nodes: [
			{
				id: 'trigger',
				name: TRIGGER,
				type: 'n8n-nodes-surveys.surveyATrigger',
				parameters: {
					events: ['feedback.created', 'customer.created'],
					options: { waitForComment: 0 },
					...parameters,
				},
				credentials: { surveyAApi: host.credentials.surveyAApi },
			},
			{
				name: 'Work',
				type: 'n8n-nodes-base.wait',
				typeVersion: 1.1,
				parameters: { amount: 0.3 },
			},
		],
		connections: chain(TRIGGER, 'Work'),
	};
}

/** Returns poll times once a minute, the first in this many seconds. */
export function clock(seconds: number): object {
	const second = new Date(Date.now() + seconds * 1000).getSeconds();
	return { item: [{ mode: 'custom', cronExpression: `${second} * * * * *` }] };
}

/** Returns poll times for every second: n8n refuses one rule for that, but not 60 rules. */
export const everySecond = () => ({
	item: Array.from({ length: 60 }, (_, second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
});

/** Returns poll times outside the duration of a test. */
export const noClock = () => ({
	item: [{ mode: 'everyDay', hour: (new Date().getHours() + 12) % 24, minute: 0 }],
});

/** Adds a feedback response; returns its name as `nameOf` does. */
export function answer(score: number): string {
	const feedback = sandbox.a.answer({ email: 'ada@acme.example', campaignId: NPS, score });
	return `feedback.created ${feedback.id}`;
}

let customers = 0;

export function newCustomer(): string {
	const email = `new${++customers}@example.com`;
	const { state } = sandbox.a;
	return `customer.created ${placeCustomer(state, { email }, state.clock.now()).id}`;
}

/** Returns the names of the trigger's items in a run, by output. */
export function outputsOf({ nodes }: Execution): string[][] {
	const [run] = nodes[TRIGGER] ?? [];
	return (run?.outputs ?? []).map((items) => items.map(({ json }) => nameOf(json)));
}

/** Returns the names of all items that the runs of a workflow have brought so far. */
export async function broughtBy(id: string): Promise<string[]> {
	return (await host.n8n.executions(id)).flatMap((run) => outputsOf(run).flat());
}

export async function poll(id: string): Promise<void> {
	const { n8n } = host;
	if ((await n8n.workflow(id)).active) await n8n.deactivate(id);
	await n8n.activate(id);
}

/** Waits until all runs of a workflow have ended, and returns them. An activation starts its run a moment later. */
export async function runs(id: string, count = 0): Promise<Execution[]> {
	const { n8n } = host;
	await n8n.waitForExecutions(id, count, 90_000);
	await sleep(1000);
	const all = await n8n.executions(id);
	return await Promise.all(all.map(async (run) => (run.stoppedAt ? run : await n8n.ended(run.id))));
}
