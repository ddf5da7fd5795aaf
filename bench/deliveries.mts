// Measures the deliveries that n8n answers and runs: with Survey B Trigger and with n8n's own Webhook node, in turns in the
// same real n8n. Writes the table of docs/evidence/performance.md.
//
//     npm run bench:deliveries           200 deliveries per turn
//     npm run bench:deliveries -- 40     another number
import { z } from 'zod';

import { inLanes } from '../host/inLanes.mts';
import { until } from '../host/until.mts';
import { startSandbox, type Sandbox } from '../sandbox/index.ts';
import { builtPackage } from '../scripts/build.mts';
import { table } from '../scripts/page.mts';
import { atEnd, run, runMain, say } from '../scripts/processes.mts';
import { startHost, type Host, type WorkflowNode } from '../test/support/n8n.mts';
import { machine, median, put } from './page.mts';

const ROUNDS = 5;
const DELIVERIES = Number(process.argv[2] ?? 200);
const LANES = 8;

/** By default, n8n starts an isolate for each delivery to a node other than its own Webhook. */
const SETTINGS: Array<[name: string, env: Record<string, string>]> = [
	["n8n's defaults", {}],
	['N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true', { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' }],
];

/** A published workflow with the trigger to measure. */
interface Measured {
	name: string;
	workflowId: string;
	url: string;
	/** Runs so far. */
	runs: number;
	/** Deliveries per second of each turn. */
	paces: number[];
}

async function publish({ n8n }: Host, name: string, node: Partial<WorkflowNode>) {
	const trigger = { name: 'Trigger', type: '', webhookId: 'bench', ...node };
	const workflowId = await n8n.createWorkflow({ name, nodes: [trigger], connections: {} });
	await n8n.activate(workflowId);
	return { name, workflowId, url: `${n8n.url}/webhook/bench`, runs: 0, paces: [] };
}

async function measuredWorkflows(host: Host, { b }: Sandbox): Promise<Measured[]> {
	const webhook = await publish(host, 'Webhook node', {
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { httpMethod: 'POST', path: 'bench', responseMode: 'onReceived', options: {} },
	});
	const ours = await publish(host, 'Survey B Trigger', {
		type: 'n8n-nodes-surveys.surveyBTrigger',
		typeVersion: 1.1,
		parameters: { events: ['feedback.added_or_changed'] },
		credentials: { surveyBApi: host.credentials.surveyBApi },
		webhookId: 'ours',
	});
	return [webhook, { ...ours, url: String(b.state.hooks.at(-1)?.target) }];
}

let serial = 10_000;

/** Sends deliveries, `LANES` at a time; resolves when all have a response. */
async function deliver({ b }: Sandbox, url: string): Promise<void> {
	const hook = b.state.hooks.at(-1);
	const ids = Array.from({ length: DELIVERIES }, () => serial++);
	await inLanes(ids, LANES, async (id) => {
		const data = { ...b.state.feedback[0], id, comment: `Change ${id}` };
		const body = JSON.stringify({ hook, data });
		const headers = { 'content-type': 'application/json' };
		const response = await fetch(url, { method: 'POST', headers, body });
		await response.arrayBuffer();
		if (response.status !== 200) throw new Error(`${url} responded with ${response.status}`);
	});
}

async function untilRun({ n8n }: Host, { workflowId, runs }: Measured): Promise<void> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['success'] }));
	const path = `/executions?limit=1&filter=${filter}`;
	const counted = async () => (await n8n.get(path, z.object({ count: z.number() }))).count;
	await until(counted, (count) => count >= runs, { timeoutMs: 600_000 });
}

/** Returns the deliveries per second until all have run. */
async function turn(host: Host, sandbox: Sandbox, measured: Measured): Promise<number> {
	const begun = performance.now();
	await deliver(sandbox, measured.url);
	measured.runs += DELIVERIES;
	await untilRun(host, measured);
	return (DELIVERIES / (performance.now() - begun)) * 1000;
}

async function compareIn(sandbox: Sandbox, env: Record<string, string>): Promise<Measured[]> {
	const host = await startHost(sandbox, env);
	atEnd(async () => await host.end());
	const all = await measuredWorkflows(host, sandbox);
	for (const measured of all) await turn(host, sandbox, measured);
	for (let round = 0; round < ROUNDS; round++) {
		for (const one of all) one.paces.push(await turn(host, sandbox, one));
	}
	await host.n8n.stop();
	return all;
}

async function main(): Promise<number> {
	process.env.SURVEYS_TARBALL ??= await builtPackage();
	const sandbox = await startSandbox();
	atEnd(async () => await sandbox.close());
	const lines: string[][] = [];
	for (const [setting, env] of SETTINGS) {
		const all = await compareIn(sandbox, env);
		const paces = all.map((one) => median(one.paces, (pace) => pace));
		for (const [index, { name }] of all.entries()) {
			const [pace = NaN, webhook = NaN] = [paces[index], paces[0]];
			lines.push([setting, name, pace.toFixed(1), (pace / webhook).toFixed(2)]);
			say(lines.at(-1)?.join(', ') ?? '');
		}
	}
	const head = ['Setting of n8n', 'Trigger', 'Per second', 'Relative to the Webhook node'];
	const place = `Medians of ${ROUNDS} turns of ${DELIVERIES} deliveries, ${LANES} at a time; ${machine()}.`;
	put('deliveries', `${place}\n\n${table(head, lines)}`);
	return await run('prettier', ['--write', 'docs/evidence/performance.md']);
}

await runMain(main);
