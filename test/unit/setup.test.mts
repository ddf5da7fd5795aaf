import { spawnSync } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

// Runs the set-up on a fresh clone, on a machine with Node 22, with an npm and an npx that only create folders.

const NODE_FOLDER = `host/node_modules/node-linux-${process.arch}/bin`;

/** Takes the place of npm, and of pnpm, which npx runs. */
const FAKE_NPM = `#!/usr/bin/env node
const { appendFileSync, mkdirSync, symlinkSync, writeFileSync } = require('node:fs');
const [command] = process.argv.slice(2).filter((one) => !/^(--|pnpm@)/.test(one));
const isHost = process.cwd().endsWith('host');
appendFileSync(process.env.FAKE_NPM_LOG, (isHost ? 'host ' : 'root ') + command + '\\n');
mkdirSync('node_modules', { recursive: true });
if (command === 'ci') symlinkSync('${resolve('node_modules/tsx')}', 'node_modules/tsx');
if (command === 'install') {
	mkdirSync('../${NODE_FOLDER}', { recursive: true });
	const script = '#!/bin/sh\\nUSED_NODE=bundled exec "${process.execPath}" "$@"\\n';
	writeFileSync('../${NODE_FOLDER}/node', script, { mode: 0o755 });
}
`;

const MACHINE = `
const set = (name, value) => Object.defineProperty(process, name, { value });
set('versions', { ...process.versions, node: '22.1.0' });
set('platform', 'linux');
set('report', { getReport: () => ({ header: { glibcVersionRuntime: '2.36' } }) });
`;

const FILES = {
	'package-lock.json': '{}',
	'host/pnpm-lock.yaml': '',
	'bin/npm': FAKE_NPM,
	'bin/npx': FAKE_NPM,
	'machine.cjs': MACHINE,
	'scripts/work.mjs': "console.log('worked with', process.env.USED_NODE, 'Node');",
};

let clone: string;
beforeEach(() => {
	clone = mkdtempSync(join(tmpdir(), 'surveys-clone-'));
	for (const [path, text] of Object.entries(FILES)) {
		mkdirSync(dirname(join(clone, path)), { recursive: true });
		writeFileSync(join(clone, path), text, { mode: 0o755 });
	}
	for (const file of ['scripts/setup.mjs', 'scripts/lock.mjs', 'host/exitWithParent.cjs']) {
		cpSync(resolve(file), join(clone, file));
	}
	symlinkSync(process.execPath, join(clone, 'bin/node'));
});
afterEach(() => rmSync(clone, { recursive: true }));

function setUp() {
	const args = ['--require', './machine.cjs', 'scripts/setup.mjs', 'scripts/work.mjs'];
	const env = {
		PATH: [join(clone, 'bin'), process.env.PATH].join(delimiter),
		FAKE_NPM_LOG: join(clone, 'npm.log'),
	};
	return spawnSync(process.execPath, args, { cwd: clone, env, encoding: 'utf8' });
}

test('the set-up installs the tools and n8n once, and runs the script with the Node 24 that it installed', () => {
	expect(setUp()).toMatchObject({ status: 0, stderr: '' });
	expect(setUp()).toMatchObject({ status: 0, stdout: 'worked with bundled Node\n' });
	const steps = readFileSync(join(clone, 'npm.log'), 'utf8').trim().split('\n');
	expect(steps.sort()).toEqual(['host install', 'host rebuild', 'root ci']);
});
