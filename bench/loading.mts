// Measures how long n8n takes to load this package and the five most downloaded community packages.
// Writes the table in docs/performance.md. Run: `npm run bench:loading`.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod/v4';

import { installPackage } from '../host/package.mts';
import { builtPackage } from '../scripts/build.mts';
import { ROOT, run, runMain, say, scratchFolder } from '../scripts/processes.mts';
import { number, put, table } from './report.mts';

const OWN = 'n8n-nodes-surveys';

/** The most downloaded first, as of November 2026. */
const OTHERS = {
	'n8n-nodes-evolution-api': '1.0.4',
	'@devlikeapro/n8n-nodes-chatwoot': '1.0.2',
	'n8n-nodes-mcp': '0.1.37',
	'n8n-nodes-youtube-transcript-api': '2.4.3',
	'n8n-nodes-transcript-lol': '0.3.3',
};

const ROUNDS = 9;
const HOST = join(ROOT, 'host');
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

const manifest = z.object({ version: z.string() });
const packOutput = z.tuple([z.object({ filename: z.string() })]);

interface Candidate {
	name: string;
	folder: string;
	times: number[];
}

async function main(): Promise<number> {
	// A folder outside of this repository, so that only n8n's own n8n-workflow is found.
	const home = scratchFolder();
	installPackage(home, await builtPackage());
	say('Installing the other packages …');
	for (const [name, version] of Object.entries(OTHERS)) await install(home, `${name}@${version}`);
	const names = [OWN, ...Object.keys(OTHERS)];
	const candidates = names.map((name): Candidate => {
		const folder = join(home, '.n8n/nodes/node_modules', name);
		const { version } = manifest.parse(
			JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
		);
		return { name: `${name} ${version}`, folder, times: [] };
	});
	say(`Loading each ${ROUNDS} times, in turns …`);
	for (let round = 0; round < ROUNDS; round++) {
		for (const { folder, times } of candidates) times.push(load(folder));
	}
	put('docs/performance.md', 'loading', tableOf(candidates));
	return await run('prettier', ['--write', 'docs/performance.md']);
}

/** Installs a package as n8n does: unpacked, with its dependencies inside. */
async function install(home: string, wanted: string): Promise<void> {
	const output = execFileSync('npm', ['pack', wanted, '--json', ...QUIET], {
		cwd: home,
		encoding: 'utf8',
	});
	const [{ filename }] = packOutput.parse(JSON.parse(output));
	const { name } = installPackage(home, join(home, filename));
	const flags = [
		'--ignore-scripts',
		'--install-strategy=shallow',
		'--package-lock=false',
		...QUIET,
	];
	const cwd = join(home, '.n8n/nodes/node_modules', name);
	if ((await run('npm', ['install', ...flags], { cwd })) !== 0)
		throw new Error(`npm could not install ${wanted}`);
}

/** Loads a package in a new process; returns the milliseconds. */
function load(folder: string): number {
	const script = join(ROOT, 'bench/loadOnce.mjs');
	const env = { ...process.env, NODE_PATH: join(HOST, 'node_modules') };
	const output = execFileSync(process.execPath, [script, folder, HOST], { env, encoding: 'utf8' });
	return Number(output.trim().split('\n').pop());
}

function tableOf(candidates: Candidate[]): string {
	const rows = candidates.map(({ name, folder, times }) => [
		name,
		[...times].sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]?.toFixed(0) ?? '',
		number(sizeOf(folder)),
	]);
	return table(['Package', 'Loads in ms', 'Its own kB'], rows);
}

/** Returns the size of a package without its dependencies, in kB. */
function sizeOf(folder: string): number {
	const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
		(entry) => entry.isFile() && !entry.parentPath.slice(folder.length).includes('node_modules'),
	);
	const bytes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
	return Math.round(bytes.reduce((sum, size) => sum + size, 0) / 1000);
}

await runMain(main);
