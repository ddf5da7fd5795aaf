// `npm start`: a demo with both services and a real n8n on this machine. It publishes two example workflows and runs one
// round through them. `--once` ends after that round, with exit code 0 if every step was observed. `--image IMAGE` runs n8n
// in a container, and `--n8n URL` uses a running n8n that has the package, with its API key in N8N_API_KEY.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import getPort from 'get-port';

import { OWNER, N8n, type WorkflowInput } from '../host/index.mts';
import { n8nByUrl, type PublicN8n } from '../host/publicApi.mts';
import { until } from '../host/until.mts';
import { startSandbox, type Sandbox } from '../sandbox/index.ts';
import { builtPackage } from './build.mts';
import { tryLock } from './lock.mjs';
import { atEnd, ROOT, runMain, scratchFolder } from './processes.mts';
import { fillIn, readExample } from '../test/support/examples.mts';
import { openReceiver } from '../test/support/receiver.mts';

interface Demo {
	sandbox: Sandbox;
	n8n: N8n | PublicN8n;
	/** The steps that were not observed. */
	missing: string[];
}

const { values: args } = parseArgs({
	options: { once: { type: 'boolean' }, image: { type: 'string' }, n8n: { type: 'string' } },
});
const ONCE = args.once;
const N8N_PORT = 5678;
const STEP_TIMEOUT_MS = 60_000;
const EXAMPLES = ['crm-event-to-survey', 'route-detractors'];
/** The webhook path of the first example in the demo, so that n8n publishes the example itself beside it. */
const CRM_PATH = 'demo-crm-event';
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
	const sandbox = await startSandbox();
	atEnd(async () => await sandbox.close());
	// The workflow in n8n remembers the feedback of earlier demos by its ID.
	sandbox.b.state.lastId = Math.floor(Date.now() / 1000);
	print('Sandbox', `service A ${sandbox.a.url}`);
	print('', `service B ${sandbox.b.url}`);
	const demo: Demo = { sandbox, n8n: args.n8n ? n8nByUrl(args.n8n) : await host(), missing: [] };
	const [crm, detractors] = await examples(demo);
	await round(demo);
	if (demo.missing.length > 0) await explain(demo, [crm, detractors]);
	if (!ONCE) await stayUp(demo, [crm, detractors]);
	return demo.missing.length === 0 ? 0 : 1;
}

async function host() {
	const tarball = await builtPackage();
	const userFolder = await folder();
	print('n8n', 'starting (about ten seconds)');
	const port = await getPort(ONCE ? {} : { port: N8N_PORT });
	const n8n = await N8n.start({ root: ROOT, tarball, userFolder, port, image: args.image });
	atEnd(async () => await n8n.stop());
	print('', `${n8n.url}  sign in as ${OWNER.email} with ${OWNER.password}`);
	return n8n;
}

/** Returns a temporary folder with `--once`, otherwise one that keeps the user's changes for the next start. */
async function folder() {
	if (!ONCE) {
		const kept = join(ROOT, '.surveys');
		mkdirSync(kept, { recursive: true });
		const release = await tryLock(kept);
		if (!release) throw new Error('npm start is running already. End it first.');
		atEnd(release);
		return kept;
	}
	return scratchFolder();
}

/** Creates the credentials and example workflows, or updates those of the last start, and publishes the workflows. */
async function examples({ n8n, sandbox }: Demo): Promise<string[]> {
	const { a, b } = sandbox;
	const credentials = {
		surveyAApi: await credential(n8n, 'surveyAApi', 'Sandbox A', a),
		surveyBApi: await credential(n8n, 'surveyBApi', 'Sandbox B', b),
	};
	// Takes the place of the chat and the help desk that the second workflow calls.
	const receiver = await openReceiver();
	atEnd(async () => await receiver.close());
	const ids: string[] = [];
	for (const name of EXAMPLES) ids.push(await example(n8n, name, credentials, receiver.url));
	if (!args.n8n) await publishAgain(n8n, ids);
	return ids;
}

/** Publishes the user's own workflows again, so that their triggers register at the new sandbox. */
async function publishAgain(n8n: Demo['n8n'], exampleIds: string[]) {
	for (const { id, name, active } of await n8n.workflows()) {
		if (!active || exampleIds.includes(id)) continue;
		await n8n.deactivate(id);
		await n8n.activate(id);
		print('Published', `"${name}" again`);
	}
}

/** Creates or updates a credential. The sandbox has new ports at every start. */
async function credential(
	n8n: Demo['n8n'],
	type: string,
	name: string,
	service: Sandbox['a' | 'b'],
) {
	const data = { baseUrl: service.url, apiKey: service.apiKey, requestsPerMinute: 0 };
	const kept = (await n8n.credentials()).find((one) => one.type === type && one.name === name);
	if (!kept) return await n8n.createCredential(type, name, data);
	await n8n.updateCredential(kept.id, type, name, data);
	return { id: kept.id, name };
}

async function example(
	n8n: Demo['n8n'],
	name: string,
	credentials: Record<string, { id: string; name: string }>,
	receiverUrl: string,
) {
	const workflow = fillIn(forDemo(readExample(name)), credentials, receiverUrl);
	const kept = (await n8n.workflows()).find(({ name }) => name === workflow.name);
	// The services are new at every start: the webhook must be registered again, and the receiver has another URL.
	if (kept?.active) await n8n.deactivate(kept.id);
	if (kept) await n8n.updateWorkflow(kept.id, workflow);
	const id = kept?.id ?? (await n8n.createWorkflow(workflow));
	await n8n.activate(id);
	print(kept ? 'Updated' : 'Imported', `"${workflow.name}", active: ${n8n.url}/workflow/${id}`);
	return id;
}

/**
 * Gives an example a name and a webhook path of the demo, because n8n publishes a path only once. Its triggers of Survey B
 * listen to the demo's campaign only. Otherwise the demo replies to each answer first, and Survey B refuses the reply of a
 * workflow that the user builds beside it.
 */
function forDemo(workflow: WorkflowInput): WorkflowInput {
	const nodes = workflow.nodes.map((node) => {
		if (node.type.endsWith('.surveyBTrigger')) {
			const campaignIds = [String(DETRACTOR.campaignId)];
			const filters = { ...Object(node.parameters?.filters), campaignIds };
			return { ...node, parameters: { ...node.parameters, filters } };
		}
		if (!node.type.endsWith('.webhook')) return node;
		return {
			...node,
			webhookId: undefined,
			parameters: { ...node.parameters, path: CRM_PATH },
		};
	});
	return { ...workflow, name: `Demo: ${workflow.name}`, nodes };
}

/** Runs one round through both workflows. */
async function round(demo: Demo) {
	const { a, b } = demo.sandbox;
	const feedback = '/api/v2/feedback/\\d+/';
	await observe(demo, 'Service B has the trigger registered', done(b, 'POST /api/v2/hooks'));
	const url = `${demo.n8n.url}/webhook/${CRM_PATH}`;
	await send(demo, `CRM event of ${CUSTOMERS.length} customers`, url, { customers: CUSTOMERS });
	const survey = done(a, 'POST /api/v2/survey');
	await observe(demo, 'Service A was asked to survey the customers', survey);
	const { campaignId: campaign_id, email } = DETRACTOR;
	const body = { campaign_id, contact: { email } };
	await send(demo, `Survey to ${email}`, `${b.url}/api/v2/survey/`, body, `Token ${b.apiKey}`);
	print('Answer', `${DETRACTOR.email} gives ${DETRACTOR.score} of 10: "${DETRACTOR.comment}"`);
	await b.answer(DETRACTOR);
	await observe(demo, 'Service B delivered the answer to n8n', () =>
		b.deliveries.some(({ status }) => ok(status)),
	);
	await observe(demo, 'The feedback was tagged', done(b, `POST ${feedback}tag/`));
	await observe(demo, 'The customer got a reply', done(b, `POST ${feedback}reply/`));
	await observe(demo, 'The feedback was closed', done(b, `PUT ${feedback}`));
}

/** Sends a request, and prints the status of the response. */
async function send(
	{ missing }: Demo,
	what: string,
	url: string,
	body: object,
	authorization = '',
) {
	const headers = { 'content-type': 'application/json', authorization };
	const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
	print('Sent', `${what} to ${url}: ${status}`);
	if (!ok(status)) missing.push(`${what}: accepted`);
}

/** Returns a function that returns whether a service has carried out a request such as `POST /api/v2/survey`. */
function done(service: Sandbox['a' | 'b'], line: string) {
	const pattern = new RegExp(`^${line}`);
	return () =>
		service.requests.some(
			({ method, path, status }) => pattern.test(`${method} ${path}`) && ok(status),
		);
}

const ok = (status: number | undefined) => status !== undefined && status >= 200 && status < 300;

/** Waits until a step is observed, and prints whether it was. */
async function observe({ missing }: Demo, step: string, happened: () => boolean) {
	try {
		await until(happened, Boolean, { timeoutMs: STEP_TIMEOUT_MS });
		print('  ✓', step);
	} catch {
		print('  ✗', `${step}: not observed within ${STEP_TIMEOUT_MS / 1000} s`);
		missing.push(step);
	}
}

async function explain({ n8n, missing }: Demo, workflows: Array<string | undefined>) {
	console.log(`\nMissing:\n${missing.map((step) => `  - ${step}`).join('\n')}`);
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
	const isFree = ({ id, status }: { id: number; status: string }) =>
		id !== DETRACTOR.campaignId && status === 'ACTIVE';
	const free = sandbox.b.state.campaigns.map(({ record }) => record).find(isFree);
	if (!free) throw new Error("Survey B's sandbox has no campaign beside the demo's");
	console.log(
		[
			'',
			`n8n        ${n8n.url}${args.n8n ? '' : `  (${OWNER.email} / ${OWNER.password})`}`,
			...workflows.map((id) => `           ${n8n.url}/workflow/${id}`),
			`Service A  Base URL ${sandbox.a.url}  API Key ${sandbox.a.apiKey}`,
			`           ${sandbox.a.url}/_sandbox/  (answer its surveys there)`,
			`Service B  Base URL ${sandbox.b.url}  API Key ${sandbox.b.apiKey}`,
			`           ${sandbox.b.url}/_sandbox/  (answer its surveys there)`,
			'',
			`The demo replies to answers of Survey B's campaign ${DETRACTOR.campaignId} only. Use another campaign, such as`,
			`${free.id} "${free.name}", in your own workflows: Survey B takes one reply per feedback response.`,
			args.n8n
				? 'The workflows and credentials stay in that n8n. Ctrl-C ends the services.'
				: 'n8n keeps its data in .surveys, but each start sets these two workflows anew. Ctrl-C ends everything.',
		].join('\n'),
	);
	await new Promise(() => setInterval(() => undefined, 3_600_000));
}

function print(label: string, text: string) {
	console.log(`${label.padEnd(10)} ${text}`);
}

await runMain(main);
