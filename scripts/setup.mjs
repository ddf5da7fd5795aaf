// The first part of `npm start`, `npm test` and the other commands: installs what is missing and runs the named script
// with a Node that n8n runs on. Node built-ins only, because it runs on a fresh clone.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readFileSync,
	realpathSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { waitForLock } from './lock.mjs';

const ROOT = realpathSync(join(dirname(fileURLToPath(import.meta.url)), '..'));
const HOST = join(ROOT, 'host');
/** The oldest Node that runs this repository's tools. */
const OLDEST_NODE = 20;
/** The Node that runs n8n: n8n 2.41 refuses 22 and older, and its add-on isolated-vm has no build for 25. */
const N8N_NODE = 24;
/** The Node that `host` installs on Linux, for developers who have another one. */
const BUNDLED_NODE = join(HOST, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
const ROOT_LOCK = join(ROOT, 'package-lock.json');
const HOST_LOCK = join(HOST, 'pnpm-lock.yaml');
const PNPM = 'pnpm@10.34.9';
const STAMP = '.surveys-installed';
const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
const STOP_TIMEOUT_MS = 15_000;

/** The processes of the current steps. */
const children = new Set();
let stopping = false;

/**
 * Options before the script. `--without-n8n`: installs the development tools only, and runs the script with the caller's Node.
 * `--early`: starts the script while n8n's database driver is built; before it starts n8n, it waits for the stamp of `host`.
 */
const options = process.argv.slice(2).filter((one, i, all) => all.slice(0, i + 1).every(isOption));
const needsN8n = !options.includes('--without-n8n');
const isEarly = options.includes('--early');
const [script, ...args] = process.argv.slice(2 + options.length);

process.on('SIGINT', () => stop('SIGINT', 130));
process.on('SIGTERM', () => stop('SIGTERM', 143));
process.on('SIGHUP', () => stop('SIGTERM', 129));
// npm ends the shell above this process without passing the signal on; a new parent is the only sign.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
	setInterval(() => process.ppid !== parent && stop('SIGTERM', 143), 500).unref();
}

main().then(
	(code) => process.exit(code),
	(error) => {
		children.forEach(endGroup);
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
	const problem = systemProblem();
	if (problem) throw new Error(problem);
	const { driver } = await install();
	if (!isEarly) await driver;
	// The script ends when this channel closes, which also happens if this process is killed.
	const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
	const node = needsN8n ? nodeForN8n() : process.execPath;
	const work = run(node, ['--import', 'tsx', script, ...args], { stdio, node });
	return await Promise.race([work, driver.then(() => work)]);
}

function isOption(argument) {
	return argument.startsWith('--');
}

/** Returns why nothing can run on this system, before anything is installed. */
function systemProblem() {
	if (process.platform === 'win32') {
		return 'Windows is not supported: run this in WSL (https://learn.microsoft.com/windows/wsl).';
	}
	const own = process.versions.node;
	if (ownMajor() < OLDEST_NODE) {
		return `Node ${OLDEST_NODE} or newer is needed; this is ${own}. Install Node ${N8N_NODE} and try again.`;
	}
	if (!needsN8n || nodeForN8n() === process.execPath || bundledNodeRuns()) return undefined;
	return `n8n needs Node ${N8N_NODE}; this is ${own}. Install Node ${N8N_NODE} and try again.`;
}

/**
 * Installs what is missing or out of date, the development tools and n8n side by side. Commands that start at the same
 * time install one after the other.
 *
 * @returns what goes on: the build of n8n's database driver
 */
async function install() {
	if (rootIsInstalled() && (!needsN8n || hostIsInstalled())) return { driver: Promise.resolve() };
	const release = await waitForLock(ROOT, () => say('Waiting for another command to install …'));
	const needsHost = needsN8n && !hostIsInstalled();
	// Both end before an error does, so that no step is left running.
	const installs = await Promise.allSettled([
		rootIsInstalled() || installRoot(),
		needsHost && installHost(),
	]);
	const failed = installs.find(({ reason }) => reason);
	if (failed) {
		await release();
		throw failed.reason;
	}
	return { driver: (needsHost ? buildDriver() : Promise.resolve()).finally(release) };
}

async function installRoot() {
	const title =
		'Installing the development tools (about 1,500 packages, 0.9 GB, one to three minutes)';
	await mustRun(title, 'npm', ['ci', ...QUIET]);
	stamp(ROOT, hashOf(ROOT_LOCK));
}

async function installHost() {
	const title = 'Installing n8n (about 2,100 packages, 2.4 GB, one to five minutes)';
	// With npm, this takes more than twice as long.
	const options = ['--frozen-lockfile', '--ignore-scripts', '--loglevel=error'];
	await mustRun(title, 'npx', ['--yes', PNPM, 'install', ...options], { cwd: HOST });
	const node = nodeForN8n();
	// The bundled Node is optional: an install without it succeeds.
	await mustRun(`Checking Node ${N8N_NODE}`, node, ['--version']).catch(() => {
		throw new Error(`pnpm did not install Node ${N8N_NODE}. Install it yourself and try again.`);
	});
}

/** Builds n8n's native add-ons, whose install scripts did not run, because no package's do. */
async function buildDriver() {
	const node = nodeForN8n();
	const rebuild = ['rebuild', 'sqlite3', 'isolated-vm', '--loglevel=error', ...headers(node)];
	const building = "Building n8n's database driver (about a minute)";
	// With all optimizations, the compiler takes twice as long.
	const env = { CFLAGS: '-O1' };
	await mustRun(building, 'npm', rebuild, { cwd: HOST, node, env });
	stamp(HOST, hostHash());
}

function nodeForN8n() {
	return ownMajor() === N8N_NODE ? process.execPath : BUNDLED_NODE;
}

function ownMajor() {
	return Number(process.versions.node.split('.')[0]);
}

/** The bundled Node needs glibc, which Alpine Linux does not have. */
function bundledNodeRuns() {
	if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return false;
	return process.report.getReport().header.glibcVersionRuntime !== undefined;
}

/** Lets native add-ons compile against the headers of that Node, so that no headers are downloaded. */
function headers(node) {
	const prefix = dirname(dirname(node));
	return existsSync(join(prefix, 'include/node/node.h')) ? [`--nodedir=${prefix}`] : [];
}

function rootIsInstalled() {
	if (readStamp(ROOT) === hashOf(ROOT_LOCK)) return true;
	// After `npm ci` by hand: npm writes this file at the end of an install and removes it at the start.
	const done = join(ROOT, 'node_modules/.package-lock.json');
	return existsSync(done) && statSync(done).mtimeMs >= statSync(ROOT_LOCK).mtimeMs;
}

function hostIsInstalled() {
	return readStamp(HOST) === hostHash() && existsSync(nodeForN8n());
}

function hashOf(file) {
	return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** The add-ons fit one major version of Node on one kind of machine. */
function hostHash() {
	return `${hashOf(HOST_LOCK)} ${process.platform}-${process.arch} node${N8N_NODE}`;
}

function readStamp(folder) {
	const path = join(folder, 'node_modules', STAMP);
	return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Marks an install as complete, with what it was made from. */
function stamp(folder, text) {
	mkdirSync(join(folder, 'node_modules'), { recursive: true });
	writeFileSync(join(folder, 'node_modules', STAMP), text);
}

function say(text) {
	console.log(`▸ ${text}`);
}

/** Runs a step that must succeed. A long one prints the elapsed time every 30 seconds. */
async function mustRun(title, command, commandArgs, options = {}) {
	say(`${title} …`);
	const start = Date.now();
	const seconds = () => Math.round((Date.now() - start) / 1000);
	const progress = setInterval(() => say(`  … ${seconds()} s`), 30_000);
	// A step ends when its standard input closes, which also happens if this process is killed.
	const stdio = ['pipe', 'inherit', 'inherit'];
	const env = { NODE_OPTIONS: endWithParent(), ...options.env };
	const code = await run(command, commandArgs, { ...options, stdio, env }).finally(() =>
		clearInterval(progress),
	);
	if (code !== 0) throw new Error(`${title}: failed (exit code ${code}).`);
}

function endWithParent() {
	const file = JSON.stringify(join(HOST, 'exitWithParent.cjs'));
	return [process.env.NODE_OPTIONS, `--require=${file}`].filter(Boolean).join(' ');
}

/** Runs a command, ends whatever it leaves running, and returns its exit code. */
async function run(command, commandArgs, { cwd = ROOT, stdio, env, node }) {
	if (stopping) return await new Promise(() => undefined);
	// Its own group, so that everything it starts can be ended together.
	const child = spawn(command, commandArgs, {
		...{ cwd, stdio, detached: true, env: environment(env, node) },
	});
	children.add(child);
	const code = await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (exit, signal) => resolve(exit ?? (signal ? 128 : 1)));
	}).finally(() => children.delete(child));
	endGroup(child);
	return stopping ? await new Promise(() => undefined) : code;
}

/** The caller's environment, with this Node first in PATH, so that npm and its scripts use it too. */
function environment(more, node) {
	const env = { ...process.env, ...more };
	if (node) env.PATH = [dirname(node), process.env.PATH].join(delimiter);
	// Keeps spinners out of logs.
	if (!process.stdout.isTTY) env.CI = env.CI ?? 'true';
	return env;
}

function endGroup({ pid }) {
	if (pid === undefined) return;
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// The group has ended.
	}
}

/** Ends the current steps: by the signal first, and by force after a while. */
function stop(signal, code) {
	if (stopping) return;
	stopping = true;
	const started = [...children];
	const end = () => {
		started.forEach(endGroup);
		process.exit(code);
	};
	const endIfAllEnded = () => children.size === 0 && end();
	endIfAllEnded();
	for (const child of started) {
		child.once('exit', () => setImmediate(endIfAllEnded));
		child.kill(signal);
	}
	setTimeout(end, STOP_TIMEOUT_MS);
}
