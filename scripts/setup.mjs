// What every `npm start`, `npm test` and `npm run bench` begins with: installs what is missing, saying what it does,
// and runs the script that is named with the Node that n8n needs. Node built-ins only: this runs on a fresh clone.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const HOST = join(ROOT, 'host');
const NODE_MAJOR = 24;
const BROUGHT_NODE = join(HOST, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
const STAMP = '.surveys-installed';
const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
const STOP_TIMEOUT_MS = 15_000;

/** The step that is under way. */
let child;
let stopping = false;

const [script, ...args] = process.argv.slice(2);

process.on('SIGINT', () => stop('SIGINT', 130));
process.on('SIGTERM', () => stop('SIGTERM', 143));
process.on('SIGHUP', () => stop('SIGTERM', 129));
// npm ends the shell between itself and this process, but does not pass the signal on: the sign is a new parent.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
	setInterval(() => process.ppid !== parent && stop('SIGTERM', 143), 500).unref();
}

main().then(
	(code) => process.exit(code),
	(error) => {
		console.error(`\n${error.message}`);
		if (script?.endsWith('test.mts')) console.log('0 passed, 1 failed');
		process.exit(1);
	},
);

async function main() {
	if (!script) {
		console.error('Usage: node scripts/setup.mjs SCRIPT [ARGUMENT ...]');
		return 2;
	}
	const node = await setUp();
	// The channel tells the script when this process is gone, however it went.
	const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
	return await run(node, ['--import', 'tsx', script, ...args], { node, stdio });
}

/** Installs what is missing or out of date and gives the path of a Node that n8n runs on. */
async function setUp() {
	refuseWithoutNode();
	if (!rootIsInstalled()) await installRoot();
	if (!hostIsInstalled()) await installHost();
	return nodeForN8n();
}

async function installRoot() {
	const what = 'Installing the development tools (about 1,400 packages, one to three minutes)';
	await must(what, 'npm', ['ci', ...QUIET]);
	stamp(ROOT, lockHash(ROOT));
}

async function installHost() {
	const what = 'Installing n8n itself (about 2,100 packages, 2.4 GB, two to ten minutes)';
	await must(what, 'npm', ['ci', '--legacy-peer-deps', ...QUIET], { cwd: HOST });
	const node = nodeForN8n();
	// n8n's native add-ons: their install scripts did not run, as no package's does.
	const rebuild = ['rebuild', 'sqlite3', 'isolated-vm', '--loglevel=error', ...headers(node)];
	const building = "Building n8n's database driver (about a minute)";
	await must(building, 'npm', rebuild, { cwd: HOST, node });
	stamp(HOST, hostHash(node));
}

/** The Node to run n8n with: this one if it is new enough, else the one that `host` brings on Linux. */
function nodeForN8n() {
	return isNewEnough() ? process.execPath : BROUGHT_NODE;
}

function isNewEnough() {
	return Number(process.versions.node.split('.')[0]) >= NODE_MAJOR;
}

/** Says so before minutes of installing, where there will be no Node that n8n runs on. */
function refuseWithoutNode() {
	const brought = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
	if (isNewEnough() || brought) return;
	throw new Error(
		`n8n needs Node ${NODE_MAJOR} or newer; this is ${process.versions.node}. Install Node ${NODE_MAJOR} and try again.`,
	);
}

/** Native add-ons are compiled against the headers beside that Node, so that nothing has to be downloaded. */
function headers(node) {
	const prefix = dirname(dirname(node));
	return existsSync(join(prefix, 'include/node/node.h')) ? [`--nodedir=${prefix}`] : [];
}

function rootIsInstalled() {
	if (readStamp(ROOT) === lockHash(ROOT)) return true;
	// Installed by hand: npm writes this file at the end of an install, and `npm ci` takes it away at the beginning.
	const done = join(ROOT, 'node_modules/.package-lock.json');
	const lock = join(ROOT, 'package-lock.json');
	return existsSync(done) && statSync(done).mtimeMs >= statSync(lock).mtimeMs;
}

/** Without a stamp there may be no Node for n8n yet, or half of n8n: `npm ci` begins anew. */
function hostIsInstalled() {
	const stamped = readStamp(HOST);
	return stamped !== undefined && stamped === hostHash(nodeForN8n());
}

function lockHash(folder) {
	return createHash('sha256')
		.update(readFileSync(join(folder, 'package-lock.json')))
		.digest('hex');
}

/** The add-ons fit one major of Node on one kind of machine. */
function hostHash(node) {
	const major = node === process.execPath ? process.versions.node.split('.')[0] : NODE_MAJOR;
	return `${lockHash(HOST)} ${process.platform}-${process.arch} node${major}`;
}

function readStamp(folder) {
	const path = join(folder, 'node_modules', STAMP);
	return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Says of a finished install what it was made of, to tell the next time whether there is anything to do. */
function stamp(folder, text) {
	mkdirSync(join(folder, 'node_modules'), { recursive: true });
	writeFileSync(join(folder, 'node_modules', STAMP), text);
}

function say(text) {
	console.log(`▸ ${text}`);
}

/** Runs a step that the rest needs. A line now and then shows that a long one is still going. */
async function must(what, command, commandArgs, options) {
	say(`${what} …`);
	const began = Date.now();
	const still = setInterval(() => say(`  … ${Math.round((Date.now() - began) / 1000)} s`), 30_000);
	const code = await run(command, commandArgs, options).finally(() => clearInterval(still));
	if (code !== 0) throw new Error(`${what}: failed (exit code ${code}).`);
}

/** Runs a command to its end and gives its exit code. Whatever it leaves running is ended. */
async function run(command, commandArgs, { cwd = ROOT, node, stdio = 'inherit' } = {}) {
	if (stopping) return await new Promise(() => undefined);
	// A group of its own, so that all of it can be ended together.
	child = spawn(command, commandArgs, { cwd, stdio, detached: true, env: environment(node) });
	const code = await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (exit, signal) => resolve(exit ?? (signal ? 128 : 1)));
	});
	endGroup();
	return stopping ? await new Promise(() => undefined) : code;
}

/** The caller's environment with that Node first, so that npm and its scripts use it too. */
function environment(node) {
	const env = { ...process.env };
	if (node) env.PATH = [dirname(node), process.env.PATH].join(delimiter);
	// Keeps spinners out of logs.
	if (!process.stdout.isTTY) env.CI ??= 'true';
	return env;
}

function endGroup() {
	try {
		process.kill(-child.pid, 'SIGKILL');
	} catch {
		// It has ended already.
	}
}

/** Ends the step that is under way: politely first, and after a while by force. */
function stop(signal, code) {
	if (stopping) return;
	stopping = true;
	const end = () => {
		if (child?.pid) endGroup();
		process.exit(code);
	};
	if (!child?.pid || child.exitCode !== null || child.signalCode !== null) end();
	child.once('exit', end);
	child.kill(signal);
	setTimeout(end, STOP_TIMEOUT_MS);
}
