// `npm start`: a demo with both services and a real n8n on this machine. It publishes two example workflows and runs one
// round through them. `--once` ends after that round, with exit code 0 if every step was observed. `--folder FOLDER` keeps
// n8n's data there instead of in .surveys. `--n8n URL` uses a running n8n that has the
// package, with its API key in N8N_API_KEY.
import { mkdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { N8nRequestError } from '../host/client.mts';
import { OWNER, N8n } from '../host/index.mts';
import { n8nByUrl } from '../host/publicApi.mts';
import { startSandbox, type Sandbox } from '../sandbox/index.ts';
import { openReceiver } from '../test/support/receiver.mts';
import { builtPackage } from './build.mts';
import { freePorts, samePorts } from './demo/ports.mts';
import { print, printFailure } from './demo/print.mts';
import { round, type Demo } from './demo/round.mts';
import { keepWebhooks } from './demo/webhooks.mts';
import { demoWorkflows, DETRACTOR, type DemoN8n } from './demo/workflows.mts';
import { tryLock } from './lock.mjs';
import { atEnd, ROOT, runMain, scratchFolder } from './processes.mts';

const { values: args } = parseArgs({
	options: {
		once: { type: 'boolean' },
		folder: { type: 'string', default: join(ROOT, '.surveys') },
		n8n: { type: 'string' },
	},
});
/** The pause between two looks whether n8n still runs. */
const LOOK_MS = 2_000;

const FOLDER = args.once ? scratchFolder() : resolve(args.folder);

async function main(): Promise<number> {
	if (!args.once) await lockFolder();
	const ports = args.once ? await freePorts() : await samePorts(FOLDER);
	const sandbox = await startSandbox({ portA: ports.serviceA, portB: ports.serviceB });
	atEnd(async () => await sandbox.close());
	// The workflow in n8n remembers the feedback of earlier demos by its ID.
	sandbox.b.state.lastId = Math.floor(Date.now() / 1000);
	if (!args.once) keepWebhooks(sandbox.b, FOLDER);
	print('Sandbox', `service A ${sandbox.a.url}`);
	print('', `service B ${sandbox.b.url}`);
	// Takes the place of the chat and the help desk that the second workflow calls.
	const team = await openReceiver(undefined, ports.team);
	atEnd(async () => await team.close());
	const n8n = args.n8n ? n8nByUrl(args.n8n) : await ownN8n(ports.n8n);
	const isComplete = await demo({ n8n, sandbox, team }).catch((error: unknown) => {
		printFailure('The workflows stay as they are', error);
		return false;
	});
	if (!args.once) return await stayUp(n8n, sandbox);
	return isComplete ? 0 : 1;
}

async function lockFolder(): Promise<void> {
	mkdirSync(FOLDER, { recursive: true });
	const release = await tryLock(FOLDER);
	if (!release) throw new Error('npm start is running already. End it first.');
	atEnd(release);
}

async function ownN8n(port: number): Promise<N8n> {
	const tarball = process.env.SURVEYS_TARBALL ?? (await builtPackage());
	print('n8n', 'starting (about ten seconds)');
	const options = { root: ROOT, tarball, userFolder: FOLDER, port };
	const n8n = await N8n.launch(options).catch((error: Error) => {
		const folder = relative(process.cwd(), FOLDER);
		const hint = `The next start without ${folder} makes a new n8n: rename the folder to try that.`;
		throw new Error(`${error.message}\n${hint}`);
	});
	atEnd(async () => await n8n.stop());
	print('', `${n8n.url}  sign in as ${OWNER.email} with ${OWNER.password}`);
	return n8n;
}

/** Sets up the demo in n8n and runs a round. Returns whether all was observed. */
async function demo(demo: Demo): Promise<boolean> {
	const { n8n, sandbox, team } = demo;
	if (n8n instanceof N8n) await n8n.signIn().catch(asChangedPassword);
	const workflows = await demoWorkflows(n8n, sandbox, team.url);
	return await round(demo, workflows);
}

function asChangedPassword(error: unknown): never {
	if (!(error instanceof N8nRequestError) || error.status !== 401) throw error;
	throw new Error(`the password of ${OWNER.email} was changed in n8n: sign in with yours`);
}

/** Returns when n8n has ended by itself. */
async function stayUp(n8n: DemoN8n, { a, b }: Sandbox): Promise<number> {
	const isFree = ({ id, status }: { id: number; status: string }) =>
		id !== DETRACTOR.campaignId && status === 'ACTIVE';
	const free = b.state.campaigns.map(({ record }) => record).find(isFree);
	if (!free) throw new Error("Survey B's sandbox has no campaign beside the demo's");
	console.log(
		[
			'',
			`n8n        ${n8n.url}${args.n8n ? '' : `  (${OWNER.email} / ${OWNER.password})`}`,
			`Service A  Base URL ${a.url}  API Key ${a.apiKey}`,
			`           ${a.url}/_sandbox/  (answer its surveys there)`,
			`Service B  Base URL ${b.url}  API Key ${b.apiKey}`,
			`           ${b.url}/_sandbox/  (answer its surveys there)`,
			`           From User ${b.state.members[0]}`,
			'',
			`The demo replies to answers of Survey B's campaign ${DETRACTOR.campaignId} only. Use another campaign, such as`,
			`${free.id} "${free.name}", in your own workflows: Survey B takes one reply per feedback response.`,
			args.n8n
				? 'The workflows and credentials stay in that n8n. Ctrl-C ends the services.'
				: 'n8n keeps its data in .surveys. Each start sets the two demo workflows anew: rename one to keep your changes.',
			...(args.n8n ? [] : ['Ctrl-C ends everything.']),
		].join('\n'),
	);
	while (!(n8n instanceof N8n) || n8n.process.running()) await sleep(LOOK_MS);
	print('n8n', `has ended by itself. Start again with npm start. The end of its log:`);
	console.log(n8n.process.log().trimEnd().split('\n').slice(-5).join('\n'));
	return 1;
}

await runMain(main);
