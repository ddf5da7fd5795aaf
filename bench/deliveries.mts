// Measures the deliveries per second that n8n answers and runs: with Survey B Trigger, with n8n's own Webhook node, and
// with a trigger that does nothing, in turns in the same real n8n. Writes tables to docs/performance.md.
//
//     npm run bench:deliveries               200 deliveries per turn
//     npm run bench:deliveries -- 40         another number
//     npm run bench:deliveries -- growth     whether deliveries get slower once 1,000 records are stored
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { z } from 'zod';

import { cpuSeconds } from '../host/queue/cpu.mts';
import { builtPackage } from '../scripts/build.mts';
import { atEnd, run, runMain, say, scratchFolder } from '../scripts/processes.mts';
import { startSandbox, type Sandbox } from '../sandbox/index.ts';
import { startHost, type Host, type WorkflowNode } from '../test/support/n8n.mts';
import { machine, put, table } from './report.mts';

const ROUNDS = 5;
const DELIVERIES = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 200);
const LANES = 8;
const EVENT = 'feedback.added_or_changed';

/** By default, n8n starts an isolate for each delivery to a node other than its own Webhook. */
const SETTINGS: Array<[name: string, env: Record<string, string>]> = [
	["n8n's defaults", {}],
	['N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true', { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' }],
];

/** A webhook trigger that returns the body as an item. */
const IDLE_TRIGGER = `
class IdleTrigger {
	constructor() {
		this.description = {
			displayName: 'Idle Trigger', name: 'idleTrigger', group: ['trigger'], version: [1, 1.1], defaultVersion: 1.1,
			description: '', defaults: { name: 'Idle Trigger' }, inputs: [], outputs: ['main'], properties: [],
			webhooks: [{ name: 'default', httpMethod: 'POST', path: 'idle', responseMode: 'onReceived' }],
		};
	}
	async webhook(context) {
		const self = context ?? this;
		return { workflowData: [[{ json: self.getBodyData() }]] };
	}
}
module.exports = { IdleTrigger };
`;

/** A published workflow with the trigger to measure. */
interface Measured {
	name: string;
	workflowId: string;
	url: string;
	/** Runs so far. */
	runs: number;
}

function idleTriggerFolder(): string {
	const folder = scratchFolder();
	writeFileSync(join(folder, 'IdleTrigger.node.js'), IDLE_TRIGGER);
	return folder;
}

async function open(sandbox: Sandbox, env: Record<string, string>): Promise<Host> {
	const host = await startHost(sandbox, { ...env, N8N_CUSTOM_EXTENSIONS: idleTriggerFolder() });
	atEnd(async () => await host.end());
	return host;
}

async function publish(host: Host, name: string, node: Partial<WorkflowNode>): Promise<Measured> {
	const trigger = {
		name: 'Trigger',
		type: '',
		webhookId: `bench-${name.replace(/\W/g, '')}`,
		...node,
	};
	const workflowId = await host.n8n.createWorkflow({ name, nodes: [trigger], connections: {} });
	await host.n8n.activate(workflowId);
	const path = String(node.parameters?.path ?? `${trigger.webhookId}/idle`);
	return { name, workflowId, url: `${host.n8n.url}/webhook/${path}`, runs: 0 };
}

async function measuredWorkflows(host: Host, { b }: Sandbox): Promise<Measured[]> {
	const webhook = await publish(host, 'Webhook node', {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path: 'bench', responseMode: 'onReceived', options: {} },
	});
	const idle = await publish(host, 'Idle trigger', {
		type: 'CUSTOM.idleTrigger',
		typeVersion: 1.1,
	});
	return [webhook, idle, await surveyTrigger(host, { b })];
}

async function surveyTrigger(host: Host, { b }: Pick<Sandbox, 'b'>): Promise<Measured> {
	const ours = await publish(host, 'Survey B Trigger', {
		type: 'n8n-nodes-surveys.surveyBTrigger',
		typeVersion: 1.1,
		parameters: { events: [EVENT] },
		credentials: { surveyBApi: host.credentials.surveyBApi },
	});
	return { ...ours, url: String(b.state.hooks.at(-1)?.target) };
}

let serial = 0;

/** Sends deliveries, `LANES` at a time; resolves when all have a response. */
async function deliver({ b }: Pick<Sandbox, 'b'>, url: string, ids: number[]): Promise<void> {
	const hook = b.state.hooks.at(-1);
	const queue = ids.values();
	const lane = async () => {
		for (const id of queue) {
			const data = { ...b.state.feedback[0], id, comment: `Change ${serial++}` };
			const body = JSON.stringify({ hook, data });
			const headers = { 'content-type': 'application/json' };
			const response = await fetch(url, { method: 'POST', headers, body });
			await response.arrayBuffer();
			if (response.status !== 200) throw new Error(`${url} responded with ${response.status}`);
		}
	};
	await Promise.all(Array.from({ length: LANES }, lane));
}

const countSchema = z.object({ count: z.number() });

async function untilRun({ n8n }: Host, { workflowId, runs }: Measured): Promise<void> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['success'] }));
	for (;;) {
		const { count } = await n8n.get(`/executions?limit=1&filter=${filter}`, countSchema);
		if (count >= runs) return;
		await pause(200);
	}
}

/** The figures of a turn of deliveries. */
interface Turn {
	/** Deliveries per second. */
	pace: number;
	/** Processor time of n8n per delivery in ms. */
	work: number;
}

async function turn(host: Host, sandbox: Sandbox, measured: Measured): Promise<Turn> {
	const ids = Array.from({ length: DELIVERIES }, (_, i) => 10_000 + ((serial + i) % 1000));
	const worked = cpuSeconds(host.n8n.pid) ?? NaN;
	const begun = performance.now();
	await deliver(sandbox, measured.url, ids);
	measured.runs += DELIVERIES;
	await untilRun(host, measured);
	const seconds = (performance.now() - begun) / 1000;
	const work = ((cpuSeconds(host.n8n.pid) ?? NaN) - worked) * 1000;
	return { pace: DELIVERIES / seconds, work: work / DELIVERIES };
}

function median(values: number[]): number {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** The turns of a trigger. */
interface Turns {
	name: string;
	turns: Turn[];
}

const medianOf = ({ turns }: Turns, figure: keyof Turn) =>
	median(turns.map((turn) => turn[figure]));

/** Returns the speed of a trigger relative to another, by processor time. */
function relativeSpeed(one: Turns, other: Turns | undefined): string {
	return other ? (medianOf(other, 'work') / medianOf(one, 'work')).toFixed(2) : '';
}

async function compareIn(
	sandbox: Sandbox,
	setting: string,
	env: Record<string, string>,
): Promise<Turns[]> {
	const host = await open(sandbox, env);
	const workflows = await measuredWorkflows(host, sandbox);
	const all = workflows.map(({ name }): Turns => ({ name, turns: [] }));
	for (const measured of workflows) await turn(host, sandbox, measured);
	for (let round = 0; round < ROUNDS; round++) {
		for (const [at, measured] of workflows.entries()) {
			all[at]?.turns.push(await turn(host, sandbox, measured));
		}
	}
	for (const { name, turns } of all) {
		const figures = turns.map(({ pace, work }) => `${pace.toFixed(1)} (${work.toFixed(1)} ms)`);
		say(`${setting}, ${name}: ${figures.join(', ')} per second`);
	}
	await host.n8n.stop();
	return all;
}

async function compare(sandbox: Sandbox): Promise<void> {
	const lines: string[][] = [];
	for (const [setting, env] of SETTINGS) {
		const all = await compareIn(sandbox, setting, env);
		const [webhook, idle] = all;
		for (const one of all) {
			const figures = [medianOf(one, 'pace'), medianOf(one, 'work')].map((n) => n.toFixed(1));
			lines.push([
				setting,
				one.name,
				...figures,
				relativeSpeed(one, webhook),
				relativeSpeed(one, idle),
			]);
		}
	}
	const head = [
		'Setting of n8n',
		'Trigger',
		'Deliveries per second',
		'Processor time each, ms',
		'Speed relative to the Webhook node',
		'Speed relative to the idle trigger',
	];
	const place = `Medians of ${ROUNDS} turns of ${DELIVERIES} deliveries, ${LANES} at a time; ${machine()}.`;
	put('docs/performance.md', 'deliveries', `${place}\n\n${table(head, lines)}`);
}

/** Sends 5,000 deliveries about 1,000 records and compares the time of each thousand with the first. */
async function growth(sandbox: Sandbox): Promise<void> {
	const host = await open(sandbox, { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' });
	const { url } = await surveyTrigger(host, sandbox);
	const thousands: Array<{ seconds: number; work: number }> = [];
	await deliver(
		sandbox,
		url,
		Array.from({ length: 500 }, () => 1),
	);
	const ids = Array.from({ length: 1000 }, (_, i) => i);
	for (let part = 0; part < 5; part++) {
		const worked = cpuSeconds(host.n8n.pid) ?? NaN;
		const begun = performance.now();
		await deliver(sandbox, url, ids);
		const seconds = (performance.now() - begun) / 1000;
		thousands.push({ seconds, work: (cpuSeconds(host.n8n.pid) ?? NaN) - worked });
		say(`Deliveries ${part * 1000 + 1} to ${(part + 1) * 1000}: ${seconds.toFixed(1)} s`);
	}
	await host.n8n.stop();
	const first = thousands[0]?.work ?? NaN;
	const lines = thousands.map(({ seconds, work }, part) => [
		`${part * 1000 + 1} to ${(part + 1) * 1000}`,
		seconds.toFixed(1),
		work.toFixed(1),
		(work / first).toFixed(2),
	]);
	const head = [
		'Deliveries',
		'Seconds',
		'ms of processor time each',
		'Relative to the first thousand',
	];
	put('docs/performance.md', 'deliveries growth', table(head, lines));
}

async function main(): Promise<number> {
	process.env.SURVEYS_TARBALL ??= await builtPackage();
	const sandbox = await startSandbox();
	atEnd(async () => await sandbox.close());
	if (process.argv.includes('growth')) await growth(sandbox);
	else await compare(sandbox);
	return await run('prettier', ['--write', 'docs/performance.md']);
}

await runMain(main);
