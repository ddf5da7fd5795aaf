import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Command } from './command.mts';

/** The oldest Node major that this n8n starts on. */
const NODE_MAJOR = 24;
const BOOT_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 15_000;
const LOG_LIMIT = 2_000_000;

/** The command of each role, and the last line that n8n prints when it starts in that role. */
const ROLES = {
	main: { command: 'start', readyLine: 'Editor is now accessible via' },
	webhook: { command: 'webhook', readyLine: 'Webhook listener waiting for requests' },
	worker: { command: 'worker', readyLine: 'n8n worker is now ready' },
};

export type Role = keyof typeof ROLES;

/** Throws if this Node is too old for n8n. `scripts/setup.mjs` runs every command with a Node that fits. */
export function requireNode(): void {
	if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return;
	throw new Error(
		`n8n needs Node ${NODE_MAJOR} or newer; this is ${process.versions.node}. Start it with \`npm start\` or \`npm test\`.`,
	);
}

/** One n8n process and the processes that it starts. */
export class N8nProcess {
	private child: ChildProcess | undefined;
	private output = '';
	private ready = false;

	constructor(
		private readonly command: Command,
		private readonly env: Record<string, string>,
		private readonly cwd: string,
		private readonly role: Role = 'main',
	) {}

	log() {
		return this.output;
	}

	get pid(): number | undefined {
		return this.child?.pid;
	}

	/** Resolves when n8n is ready. Rejects with the end of its log if n8n ends first. */
	async start() {
		if (this.running()) throw new Error('n8n is already running');
		this.ready = false;
		const { program, args, env } = this.command;
		const child = spawn(program, [...args, ROLES[this.role].command], {
			cwd: this.cwd,
			env: { ...this.env, ...env },
			// Its own group, so that n8n and its task runner can be ended together.
			detached: true,
			stdio: ['pipe', 'pipe', 'pipe'],
		});
		this.child = child;
		for (const stream of [child.stdout, child.stderr]) {
			stream.setEncoding('utf8').on('data', (text: string) => this.append(text));
		}
		letParentEnd(child);
		child.stdin.on('error', () => undefined);
		child.once('error', (error) => this.append(String(error)));
		await this.waitUntilReady(BOOT_TIMEOUT_MS);
	}

	/** Asks n8n to end, as a service manager does, and kills it after a while. */
	async stop() {
		await this.end('SIGTERM');
	}

	/** Ends n8n at once, as a crash or a power cut would. */
	async kill() {
		await this.end('SIGKILL');
	}

	/** Ends n8n without waiting, for the end of this process. */
	killNow() {
		if (this.child) killGroup(this.child);
	}

	private async end(signal: NodeJS.Signals) {
		const child = this.child;
		if (!child) return;
		this.child = undefined;
		const ended = new Promise((resolve) => child.once('exit', resolve));
		if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
			if (signal === 'SIGKILL') killGroup(child);
			else child.kill(signal);
			const timer = setTimeout(() => killGroup(child), STOP_TIMEOUT_MS);
			await ended;
			clearTimeout(timer);
		}
		killGroup(child);
	}

	running() {
		const child = this.child;
		return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
	}

	private append(text: string) {
		this.output += text;
		const { readyLine } = ROLES[this.role];
		this.ready ||= this.output.slice(-text.length - readyLine.length).includes(readyLine);
		if (this.output.length > LOG_LIMIT) this.output = this.output.slice(-LOG_LIMIT / 2);
	}

	private async waitUntilReady(timeoutMs: number) {
		const deadline = Date.now() + timeoutMs;
		while (!this.ready) {
			const ended = !this.running();
			if (ended || Date.now() > deadline) {
				await this.kill();
				const why = ended
					? 'ended while it was starting'
					: `was not ready after ${timeoutMs / 1000} s`;
				throw new Error(`n8n ${why}. The end of its log:\n${this.output.slice(-4000)}`);
			}
			await sleep(50);
		}
	}
}

/** Lets this process end while n8n runs. n8n notices that and ends itself (`exitWithParent.cjs`). */
function letParentEnd(child: ChildProcess) {
	child.unref();
	for (const stream of [child.stdin, child.stdout, child.stderr]) {
		if (stream instanceof Socket) stream.unref();
	}
}

function killGroup(child: ChildProcess) {
	if (child.pid === undefined) return;
	try {
		process.kill(-child.pid, 'SIGKILL');
	} catch {
		// The group has ended.
	}
}
