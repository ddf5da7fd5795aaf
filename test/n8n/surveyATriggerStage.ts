import { sleep } from 'n8n-workflow';

import type { OutboxSurvey } from '../../sandbox/a/records';
import { findCampaign } from '../../sandbox/a/state';
import { outboxRecord } from '../../sandbox/a/surveys';
import { placeCustomer } from '../../sandbox/a/writing';
import { host, sandbox } from '../support/n8n.mts';
import type { Execution, WorkflowInput } from '../support/n8n.mts';
import { nameOf } from '../support/triggerItems';

// What the real-n8n tests of Survey A Trigger share. n8n polls by the clock, and at every activation.

export const TRIGGER = 'Survey A Trigger';
export const NPS = '64a000000000000000000003';
export const CSAT = '64a000000000000000000004';

/** n8n stores how far a poll came together with its run. The rest makes it quick enough for a test. */
export const DURABLE = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
};

/** A workflow that begins with the trigger and goes on from its first output for a moment. */
export function workflow(parameters: object, name = TRIGGER): WorkflowInput {
	return {
		name: 'New feedback',
		nodes: [
			{
				id: 'trigger',
				name,
				type: 'n8n-nodes-surveys.surveyATrigger',
				parameters: { events: ['feedback.created', 'customer.created'], ...parameters },
				credentials: { surveyAApi: host.credentials.surveyAApi },
			},
			{
				name: 'Work',
				type: 'n8n-nodes-base.wait',
				typeVersion: 1.1,
				parameters: { amount: 0.3 },
			},
		],
		connections: { [name]: { main: [[{ node: 'Work', type: 'main', index: 0 }]] } },
	};
}

/** Poll times: at one second of each minute, a while from now. */
export function clock(seconds: number): object {
	const second = new Date(Date.now() + seconds * 1000).getSeconds();
	return { item: [{ mode: 'custom', cronExpression: `${second} * * * * *` }] };
}

/** Poll times at each second: n8n refuses a rule that polls more than once a minute, but not 60 rules. */
export const everySecond = () => ({
	item: Array.from({ length: 60 }, (_, second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
});

/** Poll times at which n8n does not poll while a test lasts. */
export const noClock = () => ({
	item: [{ mode: 'everyDay', hour: (new Date().getHours() + 12) % 24, minute: 0 }],
});

/** A new feedback, by its name as `nameOf` gives it. */
export function answer(score: number, campaignId = NPS, createdDate?: string): string {
	const feedback = sandbox.a.answer({ email: 'ada@acme.example', campaignId, score });
	if (createdDate) feedback.createdDate = createdDate;
	return `feedback.created ${feedback.id}`;
}

let customers = 0;

export function newCustomer(createdDate = sandbox.a.state.clock.now()): string {
	const email = `new${++customers}@example.com`;
	return `customer.created ${placeCustomer(sandbox.a.state, { email }, createdDate).id}`;
}

/** A survey goes out to Ada. */
export function sendSurvey(): OutboxSurvey {
	const { state } = sandbox.a;
	const customer = state.customers.get('ada@acme.example');
	const campaign = findCampaign(state, NPS);
	if (!customer || !campaign) throw new Error('Survey A has no Ada or no campaign');
	const survey = outboxRecord(customer, campaign, state.clock.now(), 'manual');
	state.outbox.push(survey);
	return survey;
}

/** The items that came out of an output of the trigger in a run. */
export function itemsOf(run: Execution, output: number): unknown[] {
	return run.items(TRIGGER, output).map(({ json }) => json);
}

/** The names of the items that came out of the trigger in a run, by output. */
export function outputsOf({ nodes }: Execution, name = TRIGGER): string[][] {
	const [run] = nodes[name] ?? [];
	return (run?.outputs ?? []).map((items) => items.map(({ json }) => nameOf(json)));
}

/** Polls once. */
export async function poll(id: string): Promise<void> {
	const { n8n } = host;
	if ((await n8n.workflow(id)).active) await n8n.deactivate(id);
	await n8n.activate(id);
}

/** All runs of a workflow, once they have ended: those that an activation starts begin a moment after it. */
export async function runs(id: string, count = 0): Promise<Execution[]> {
	const { n8n } = host;
	await n8n.waitForExecutions(id, count, 90_000);
	await sleep(1000);
	const all = await n8n.executions(id);
	return await Promise.all(all.map(async (run) => (run.stoppedAt ? run : await n8n.ended(run.id))));
}
