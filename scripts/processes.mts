import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { execa, type Options } from 'execa';
import treeKill from 'tree-kill';

/** The folder of this repository. */
export const ROOT = resolve(import.meta.dirname, '..');

/** Ends this process even if a tool hangs. */
const STOP_TIMEOUT_MS = 8_000;

const running = new Set<number>();
const tasks: Array<() => unknown> = [];
let ending = false;

/**
 * Runs a tool of this repository with its output passed on, and returns its exit code. Never returns after `end` was
 * called.
 */
export async function run(command: string, args: string[], options: Options = {}): Promise<number> {
	const child = execa(command, args, {
		cwd: ROOT,
		preferLocal: true,
		stdio: 'inherit',
		reject: false,
		...options,
	});
	const { pid } = child;
	if (pid !== undefined) running.add(pid);
	const { exitCode } = await child;
	if (pid !== undefined) running.delete(pid);
	return ending ? await new Promise<never>(() => undefined) : (exitCode ?? 1);
}

/** Runs a tool, prints its output if it fails, and returns whether it succeeded. */
export async function runQuietly(command: string, args: string[]): Promise<boolean> {
	const file = join(scratchFolder(), 'output.txt');
	const code = await run(command, args, { stdio: ['ignore', { file }, { file }] });
	if (code !== 0) console.error(readFileSync(file, 'utf8'));
	return code === 0;
}

/** Prints the current step. */
export function say(text: string): void {
	console.log(`▸ ${text}`);
}

/** Creates a temporary folder that is deleted when this process ends. */
export function scratchFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'surveys-'));
	atEnd(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** Registers a task for the end of this process. The last one registered runs first. */
export function atEnd(task: () => unknown): void {
	tasks.unshift(task);
}

/** Ends every running command with its children, runs the registered tasks, and ends this process. */
export async function end(code: number): Promise<void> {
	if (ending) return;
	ending = true;
	setTimeout(() => process.exit(code), STOP_TIMEOUT_MS).unref();
	await Promise.all([...running].map(endTree));
	for (const task of tasks) {
		try {
			await task();
		} catch (error) {
			console.error(error);
		}
	}
	process.exit(code);
}

async function endTree(pid: number): Promise<void> {
	await new Promise<void>((done) => treeKill(pid, 'SIGTERM', () => done()));
}

/** Runs a script's main function. A signal, or the end of the parent process, ends everything. */
export async function runMain(main: () => Promise<number>): Promise<void> {
	process.on('SIGINT', () => void end(130));
	process.on('SIGTERM', () => void end(143));
	process.on('disconnect', () => void end(1));
	try {
		await end(await main());
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		await end(1);
	}
}
