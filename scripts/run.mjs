// `npm start` and `npm test`: sets up what is missing, saying what it does, and runs the next step with the Node
// that n8n needs. Node built-ins only: this runs on a fresh clone, where nothing is installed yet.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const HOST = join(ROOT, 'host');
const NODE_MAJOR = 24;
const BROUGHT_NODE = join(HOST, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
const STAMP = '.surveys-installed';
const WINDOWS = process.platform === 'win32';
/** `--no-save` installs what the lock file names and leaves the lock file alone. */
const INSTALL = [
	'install',
	'--no-save',
	'--ignore-scripts',
	'--legacy-peer-deps',
	'--no-audit',
	'--no-fund',
	'--loglevel=error',
];

const scratch = mkdtempSync(join(tmpdir(), 'surveys-'));
const children = new Set();
let stopping = false;

main().then(
	(code) => process.exit(code),
	(error) => {
		if (!stopping) fail(error);
	},
);
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const [signal, code] of [
	['SIGINT', 130],
	['SIGTERM', 143],
	['SIGHUP', 129],
]) {
	process.on(signal, () => stop(code));
}
// npm ends the shell between itself and this process, but does not pass the signal on: the sign is a new parent.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
	setInterval(() => process.ppid !== parent && stop(143), 500).unref();
}

async function main() {
	const [command, ...args] = process.argv.slice(2);
	if (command === 'start') return await start(args);
	if (command === 'test') return await test(args);
	if (command === 'soak')
		return await test(['--silent=false', '--testMatch', '**/*.soak.mts', ...args]);
	if (command === 'bench') return await start(args, 'bench/run.mts');
	console.error(
		'Usage: node scripts/run.mjs start [--once] | test [jest arguments] | soak | bench',
	);
	return 2;
}

function fail(error) {
	console.error(`\n${error.message}`);
	if (process.argv[2] === 'test') console.log('0 passed, 1 failed');
	process.exit(1);
}

async function start(args, script = 'scripts/start.mts') {
	const node = await setUp();
	await must('Building the nodes', node, [bin('@n8n/node-cli', 'n8n-node'), 'build'], { node });
	const env = { SURVEYS_TARBALL: await pack(node) };
	// The channel tells the child when this process is gone, however it went.
	const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
	return await run(node, ['--import', 'tsx', script, ...args], { node, env, stdio });
}

async function test(jestArgs) {
	const node = await setUp();
	const n8nNode = bin('@n8n/node-cli', 'n8n-node');
	const checks = [
		['Lint', [n8nNode, 'lint']],
		['Types', [bin('typescript', 'tsc'), '-p', 'tsconfig.dev.json']],
		['Descriptions', ['--import', 'tsx', 'scripts/lintDescriptions.mts']],
		['Format', [bin('prettier', 'prettier'), '--check', '.']],
		['Build', [n8nNode, 'build']],
	];
	const count = { passed: 0, failed: 0 };
	let built = false;
	for (const [name, command] of checks) {
		say(`${name} …`);
		const ok = (await run(node, command, { node })) === 0;
		count[ok ? 'passed' : 'failed'] += 1;
		built = ok;
		say(`${name}: ${ok ? 'passed' : 'failed'}`);
	}
	if (built) await jest(node, jestArgs, count);
	else say('The tests did not run: they need the built package.');
	console.log(`${count.passed} passed, ${count.failed} failed`);
	return count.failed === 0 ? 0 : 1;
}

async function jest(node, args, count) {
	const report = join(scratch, 'jest.json');
	const env = { SURVEYS_TARBALL: await pack(node) };
	const command = [bin('jest', 'jest'), '--json', `--outputFile=${report}`, ...args];
	const code = await run(node, command, { node, env });
	const result = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
	const failed = (result?.numFailedTests ?? 0) + (result?.numRuntimeErrorTestSuites ?? 0);
	count.passed += result?.numPassedTests ?? 0;
	// Jest may fail for other reasons than a test: that must not look like success.
	count.failed += code !== 0 && failed === 0 ? 1 : failed;
	const skipped = (result?.numPendingTests ?? 0) + (result?.numTodoTests ?? 0);
	if (skipped) say(`${skipped} skipped`);
}

/** Packs the built package as it would be published and gives the file's path. */
async function pack(node) {
	const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', scratch];
	await must('Packing the package', 'npm', args, { node, stdio: ['ignore', 'ignore', 'inherit'] });
	const { name, version } = json(join(ROOT, 'package.json'));
	return join(scratch, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
}

/** Installs what is missing or out of date and gives the path of a Node that n8n runs on. */
async function setUp() {
	refuseWithoutNode();
	if (!rootIsInstalled()) {
		const what = 'Installing the development tools (about 1,400 packages, one to three minutes)';
		await install(ROOT, what, async () => lockHash(ROOT));
	}
	if (!hostIsInstalled()) {
		const what = 'Installing n8n itself (about 2,100 packages, 2.4 GB, two to ten minutes)';
		await install(HOST, what, buildDriver);
	}
	return nodeForN8n();
}

/**
 * Installs one folder. What `finish` gives is kept, to tell the next time whether there is anything to do. An
 * install that was broken off leaves half-written packages that npm takes for whole: it is begun anew.
 */
async function install(folder, what, finish) {
	const modules = join(folder, 'node_modules');
	const begun = join(modules, '.surveys-installing');
	if (existsSync(begun)) {
		say('The last install was broken off: clearing it away …');
		rmSync(modules, { recursive: true, force: true });
	}
	mkdirSync(modules, { recursive: true });
	writeFileSync(begun, '');
	await must(what, 'npm', INSTALL, { cwd: folder });
	writeFileSync(join(modules, STAMP), await finish());
	rmSync(begun, { force: true });
}

/** n8n's native add-ons; their install scripts did not run, as no package's does. */
async function buildDriver() {
	const node = nodeForN8n();
	const args = ['rebuild', 'sqlite3', 'isolated-vm', '--loglevel=error', ...headers(node)];
	const what = "Building n8n's database driver (about a minute)";
	await must(what, 'npm', args, { cwd: HOST, node });
	return hostHash(node);
}

/** The Node to run n8n with: this one if it is new enough, else the one that `host` brings on linux. */
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
	if (existsSync(join(ROOT, 'node_modules/.surveys-installing'))) return false;
	if (readStamp(ROOT) === lockHash(ROOT)) return true;
	// Installed by hand: npm writes this file at the end of an install.
	const done = join(ROOT, 'node_modules/.package-lock.json');
	const lock = join(ROOT, 'package-lock.json');
	return existsSync(done) && statSync(done).mtimeMs >= statSync(lock).mtimeMs;
}

function hostIsInstalled() {
	const stamped = readStamp(HOST);
	// Without a stamp there may be no Node for n8n yet: the install brings it.
	const half = existsSync(join(HOST, 'node_modules/.surveys-installing'));
	return stamped !== undefined && !half && stamped === hostHash(nodeForN8n());
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

/** The script of a command that a package brings. */
function bin(packageName, command) {
	const folder = join(ROOT, 'node_modules', packageName);
	const entry = json(join(folder, 'package.json')).bin;
	return join(folder, typeof entry === 'string' ? entry : entry[command]);
}

function json(path) {
	return JSON.parse(readFileSync(path, 'utf8'));
}

function say(text) {
	console.log(`▸ ${text}`);
}

/** Runs a step that the rest needs. A line now and then shows that a long one is still going. */
async function must(what, command, args, options) {
	say(`${what} …`);
	const began = Date.now();
	const still = setInterval(() => say(`  … ${Math.round((Date.now() - began) / 1000)} s`), 30_000);
	const code = await run(command, args, options).finally(() => clearInterval(still));
	if (code !== 0) throw new Error(`${what}: failed (exit code ${code}).`);
}

/** Runs a command to its end and gives its exit code. Whatever it leaves running is ended. */
async function run(command, args, { cwd = ROOT, node, env, stdio = 'inherit' } = {}) {
	if (stopping) return await new Promise(() => undefined);
	const child = spawn(command, args, {
		cwd,
		stdio,
		// A group of its own, so that all of it can be ended together.
		detached: !WINDOWS,
		shell: WINDOWS && command === 'npm',
		env: { ...environment(node), ...env },
	});
	children.add(child);
	const code = await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (exit, signal) => resolve(exit ?? (signal ? 128 : 1)));
	});
	signalGroup(child, 'SIGKILL');
	children.delete(child);
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

function signalGroup(child, signal) {
	try {
		if (WINDOWS) child.kill(signal);
		else process.kill(-child.pid, signal);
	} catch {
		// It has ended already.
	}
}

/** Ends everything that was started: politely first, and after ten seconds by force. */
function stop(code) {
	if (stopping) return;
	stopping = true;
	const all = [...children];
	const ended = all.map((child) => new Promise((resolve) => child.once('exit', resolve)));
	for (const child of all) signalGroup(child, 'SIGTERM');
	const force = () => {
		for (const child of all) signalGroup(child, 'SIGKILL');
		process.exit(code);
	};
	setTimeout(force, 10_000);
	Promise.all(ended).then(force);
}
