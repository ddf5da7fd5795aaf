// The demo behind `npm start`: both services and a real n8n on this machine, the two example workflows active in
// it, and one round through them. `--once` ends after that round, with 0 if everything was seen to happen.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import getPort from 'get-port';

import { OWNER, startN8n, type N8n } from '../host/index.mts';
import { startSandbox } from '../sandbox/index.ts';
import { builtPackage } from './build.mts';
import { atEnd, ROOT, runMain, scratchFolder } from './processes.mts';
import { fillIn, readExample } from '../test/support/examples.mts';
import { openReceiver } from '../test/support/receiver.mts';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

interface Demo {
	sandbox: Sandbox;
	n8n: N8n;
	/** What did not happen although it should have. */
	missing: string[];
}

const ONCE = process.argv.includes('--once');
const N8N_PORT = 5678;
const STEP_TIMEOUT_MS = 60_000;
const EXAMPLES = ['crm-event-to-survey', 'route-detractors'];
const CUSTOMERS = [
	{ email: 'ada@customer.example', first_name: 'Ada', last_name: 'Byron', company: 'Analytical' },
	{ email: 'alan@customer.example', first_name: 'Alan', last_name: 'Turing', company: 'Bombe' },
];
const DETRACTOR = {
	email: 'grace@customer.example',
	campaignId: 101,
	score: 3,
	comment: 'The export has been failing since Monday.',
};

async function main(): Promise<number> {
	const tarball = await builtPackage();
	const sandbox = await startSandbox();
	atEnd(async () => await sandbox.close());
	tell('Sandbox', `service A ${sandbox.a.url}`);
	tell('', `service B ${sandbox.b.url}`);
	const demo: Demo = { sandbox, n8n: await host(tarball), missing: [] };
	const [crm, detractors] = await examples(demo);
	await round(demo);
	if (demo.missing.length > 0) await explain(demo, [crm, detractors]);
	if (!ONCE) await stayUp(demo, [crm, detractors]);
	return demo.missing.length === 0 ? 0 : 1;
}

async function host(tarball: string) {
	const userFolder = folder();
	tell('n8n', 'starting (about ten seconds)');
	const port = await getPort(ONCE ? {} : { port: N8N_PORT });
	const n8n = await startN8n({ root: ROOT, tarball, userFolder, port });
	atEnd(async () => await n8n.stop());
	tell('', `${n8n.url}  sign in as ${OWNER.email} with ${OWNER.password}`);
	return n8n;
}

/** A fresh folder for one round, else one that is kept, so that what a user tries out is there the next time. */
function folder() {
	if (!ONCE) {
		const kept = join(ROOT, '.surveys');
		mkdirSync(kept, { recursive: true });
		claim(join(kept, 'process'));
		return kept;
	}
	return scratchFolder();
}

/** Two n8n on one database would spoil it. */
function claim(file: string) {
	const owner = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
	if (owner > 0 && isAlive(owner)) {
		throw new Error(
			`npm start is running already (process ${owner}). If it is not, remove ${file}.`,
		);
	}
	writeFileSync(file, String(process.pid));
	atEnd(async () => rmSync(file, { force: true }));
}

function isAlive(pid: number) {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

/** Puts credentials and example workflows in, or finds those of the last time, and activates the workflows. */
async function examples({ n8n, sandbox }: Demo): Promise<string[]> {
	const { a, b } = sandbox;
	const credentials = {
		surveyAApi: await credential(n8n, 'surveyAApi', 'Sandbox A', a),
		surveyBApi: await credential(n8n, 'surveyBApi', 'Sandbox B', b),
	};
	// Stands for the team's chat and the help desk that the second workflow calls.
	const office = await openReceiver();
	atEnd(async () => await office.close());
	const ids: string[] = [];
	for (const name of EXAMPLES) ids.push(await example(n8n, name, credentials, office.url));
	return ids;
}

/** The sandbox gets new ports at every start, so a credential of the last time is brought up to date. */
async function credential(n8n: N8n, type: string, name: string, service: Sandbox['a' | 'b']) {
	const data = { baseUrl: service.url, apiKey: service.apiKey, requestsPerMinute: 0 };
	const kept = (await n8n.credentials()).find((one) => one.type === type && one.name === name);
	if (!kept) return await n8n.createCredential(type, name, data);
	await n8n.updateCredential(kept.id, type, name, data);
	return { id: kept.id, name };
}

async function example(
	n8n: N8n,
	name: string,
	credentials: Record<string, { id: string; name: string }>,
	officeUrl: string,
) {
	const workflow = fillIn(readExample(name), credentials, officeUrl);
	const kept = (await n8n.workflows()).find(({ name }) => name === workflow.name);
	// A kept workflow is left as its user left it, but registers again: this sandbox knows nothing of the last one.
	if (kept?.active) await n8n.deactivate(kept.id);
	const id = kept?.id ?? (await n8n.createWorkflow(workflow));
	await n8n.activate(id);
	tell(kept ? 'Kept' : 'Imported', `"${workflow.name}", active: ${n8n.url}/workflow/${id}`);
	return id;
}

/** One round through both workflows. */
async function round(demo: Demo) {
	const { a, b } = demo.sandbox;
	await seen(demo, 'Service B has the trigger registered', () =>
		done(b, 'POST', /^\/api\/v2\/hooks/),
	);
	await crmEvent(demo);
	await seen(demo, 'Service A was asked to survey the customers', () =>
		done(a, 'POST', /^\/api\/v2\/survey/),
	);
	await surveyDetractor(demo);
	tell('Answer', `${DETRACTOR.email} gives ${DETRACTOR.score} of 10: "${DETRACTOR.comment}"`);
	await b.answer(DETRACTOR);
	await seen(demo, 'Service B delivered the answer to n8n', () =>
		b.deliveries.some(({ status }) => ok(status)),
	);
	await seen(demo, 'The feedback was tagged', () =>
		done(b, 'POST', /^\/api\/v2\/feedback\/\d+\/tag\//),
	);
	await seen(demo, 'The customer got a reply', () =>
		done(b, 'POST', /^\/api\/v2\/feedback\/\d+\/reply\//),
	);
	await seen(demo, 'The feedback was closed', () => done(b, 'PUT', /^\/api\/v2\/feedback\/\d+\//));
}

async function crmEvent({ n8n, missing }: Demo) {
	const url = `${n8n.url}/webhook/crm-event`;
	const status = await post(url, { customers: CUSTOMERS });
	tell('CRM event', `${CUSTOMERS.length} customers sent to ${url}: ${status}`);
	if (!ok(status)) missing.push('The CRM event was taken');
}

async function surveyDetractor({ sandbox: { b }, missing }: Demo) {
	const body = { campaign_id: DETRACTOR.campaignId, contact: { email: DETRACTOR.email } };
	const status = await post(`${b.url}/api/v2/survey/`, body, {
		authorization: `Token ${b.apiKey}`,
	});
	tell(
		'Survey',
		`campaign ${DETRACTOR.campaignId} sent to ${DETRACTOR.email} by service B: ${status}`,
	);
	if (!ok(status)) missing.push('Service B sent its survey');
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: JSON.stringify(body),
	});
	await response.text();
	return response.status;
}

function done(service: Sandbox['a' | 'b'], method: string, path: RegExp) {
	return service.requests.some(
		(request) => request.method === method && path.test(request.path) && ok(request.status),
	);
}

const ok = (status: number | undefined) => status !== undefined && status >= 200 && status < 300;

/** Waits until something shows in the sandbox's log and tells, or notes that it did not. */
async function seen({ missing }: Demo, what: string, happened: () => boolean) {
	const deadline = Date.now() + STEP_TIMEOUT_MS;
	while (!happened() && Date.now() < deadline) await pause(100);
	if (happened()) tell('  ✓', what);
	else {
		tell('  ✗', `${what}: not seen within ${STEP_TIMEOUT_MS / 1000} s`);
		missing.push(what);
	}
}

async function explain({ n8n, missing }: Demo, workflows: Array<string | undefined>) {
	console.log(`\nMissing:\n${missing.map((what) => `  - ${what}`).join('\n')}`);
	for (const id of workflows) {
		for (const run of id ? await n8n.executions(id) : []) {
			const reason = run.error ? `: ${run.error.message} ${run.error.description ?? ''}` : '';
			console.log(
				`  workflow ${id}, execution ${run.id}, ${run.status} at ${run.lastNode}${reason}`,
			);
		}
	}
}

async function stayUp({ n8n, sandbox }: Demo, workflows: Array<string | undefined>) {
	console.log(
		[
			'',
			`n8n        ${n8n.url}  (${OWNER.email} / ${OWNER.password})`,
			...workflows.map((id) => `           ${n8n.url}/workflow/${id}`),
			`Service A  ${sandbox.a.url}/_sandbox/  (answer its surveys there)`,
			`Service B  ${sandbox.b.url}/_sandbox/  (answer its surveys there)`,
			'',
			'n8n keeps its data in .surveys; remove that folder to begin anew. Ctrl-C ends everything.',
		].join('\n'),
	);
	await new Promise(() => setInterval(() => undefined, 3_600_000));
}

function tell(label: string, text: string) {
	console.log(`${label.padEnd(10)} ${text}`);
}

await runMain(main);
