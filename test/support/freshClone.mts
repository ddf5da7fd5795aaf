import { spawn, type ChildProcess } from 'node:child_process';
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** The machine as the set-up sees it. */
export interface Machine {
	node: string;
	platform?: string;
	libc?: 'glibc' | 'musl';
}

interface Ended {
	code: number | null;
	output: string;
}

const FAKE_NPM = `#!/usr/bin/env node
const fs = require('node:fs');
const { basename, join } = require('node:path');
const [command] = process.argv.slice(2);
const step = [basename(process.cwd()) === 'host' ? 'host' : 'root', command].join(' ');
const log = (text) => fs.appendFileSync(process.env.FAKE_NPM_LOG, text + ' ' + step + '\\n');
const install = () => {
	fs.mkdirSync('node_modules', { recursive: true });
	if (command === 'ci' && step.startsWith('root')) {
		fs.symlinkSync(process.env.FAKE_TSX, 'node_modules/tsx');
	}
	const bin = join('node_modules', process.env.FAKE_NODE_FOLDER, 'bin');
	if (command === 'ci' && step.startsWith('host') && !process.env.FAKE_NPM_WITHOUT_NODE) {
		fs.mkdirSync(bin, { recursive: true });
		const script = '#!/bin/sh\\nUSED_NODE=bundled exec "' + process.execPath + '" "$@"\\n';
		fs.writeFileSync(join(bin, 'node'), script, { mode: 0o755 });
	}
};
log('start');
setTimeout(() => {
	if (process.env.FAKE_NPM_FAILS === step) process.exit(1);
	install();
	log('end');
}, Number(process.env.FAKE_NPM_MS ?? 0));
`;

/** Prints what it finds, and works for a while. */
const WORK = `
import { existsSync } from 'node:fs';
if (!existsSync('host/node_modules/.surveys-installed')) console.log('driver is missing');
console.log('worked with', process.env.USED_NODE ?? 'own', 'Node');
setTimeout(() => {}, Number(process.env.FAKE_WORK_MS ?? 0));
`;

/** A folder with this repository's set-up, a fake npm, and a script that prints its Node version. */
export class FreshClone {
	readonly folder = mkdtempSync(join(tmpdir(), 'surveys-clone-'));
	private readonly log = join(this.folder, 'npm.log');
	private readonly started: ChildProcess[] = [];

	constructor() {
		const files = ['scripts/setup.mjs', 'scripts/lock.mjs', 'host/exitWithParent.cjs'];
		for (const file of files) cpSync(resolve(file), join(this.folder, file), { recursive: true });
		for (const file of ['package-lock.json', 'host/package-lock.json']) this.write(file, '{}');
		this.write('bin/npm', FAKE_NPM);
		chmodSync(join(this.folder, 'bin/npm'), 0o755);
		symlinkSync(process.execPath, join(this.folder, 'bin/node'));
		this.write('scripts/work.mjs', WORK);
	}

	get steps(): string[] {
		return existsSync(this.log) ? readFileSync(this.log, 'utf8').trim().split('\n') : [];
	}

	write(path: string, text: string): void {
		const file = join(this.folder, path);
		mkdirSync(join(file, '..'), { recursive: true });
		writeFileSync(file, text);
	}

	async run(
		machine: Machine,
		env: Record<string, string> = {},
		options: string[] = [],
	): Promise<Ended> {
		return await this.start(machine, env, options).ended;
	}

	/** @param options arguments of the set-up before the script */
	start(machine: Machine, env: Record<string, string> = {}, options: string[] = []) {
		const name = `machine-${this.started.length}.cjs`;
		this.write(name, pretend(machine, join(this.folder, 'bin/node')));
		const setup = ['scripts/setup.mjs', ...options, 'scripts/work.mjs'];
		const args = ['--require', join(this.folder, name), ...setup];
		const child = spawn(process.execPath, args, {
			cwd: this.folder,
			stdio: ['ignore', 'pipe', 'pipe'],
			env: {
				PATH: [join(this.folder, 'bin'), process.env.PATH].join(delimiter),
				FAKE_NPM_LOG: this.log,
				FAKE_NODE_FOLDER: `node-${machine.platform ?? 'linux'}-${process.arch}`,
				FAKE_TSX: resolve('node_modules/tsx'),
				...env,
			},
		});
		this.started.push(child);
		let output = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream.setEncoding('utf8').on('data', (text: string) => (output += text));
		}
		const ended = new Promise<Ended>((done) =>
			child.once('close', (code) => done({ code, output })),
		);
		return { child, ended };
	}

	remove(): void {
		for (const child of this.started) child.kill('SIGKILL');
		rmSync(this.folder, { recursive: true, force: true });
	}
}

/** Returns the text of a file that makes the set-up see another machine. */
function pretend({ node, platform = 'linux', libc = 'glibc' }: Machine, execPath: string): string {
	const header = libc === 'glibc' ? { glibcVersionRuntime: '2.36' } : {};
	return `
const set = (name, value) => Object.defineProperty(process, name, { value });
set('versions', { ...process.versions, node: '${node}' });
set('platform', '${platform}');
set('execPath', ${JSON.stringify(execPath)});
set('report', { getReport: () => ({ header: ${JSON.stringify(header)} }) });
`;
}
