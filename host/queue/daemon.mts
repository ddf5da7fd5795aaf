import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_TIMEOUT_MS = 30_000;

/** A long-running program that can be stopped and started again. */
export class Daemon {
	private child: ChildProcess | undefined;
	private output = '';

	/**
	 * @param command the program and its arguments
	 * @param isReady whether the program responds
	 */
	constructor(
		private readonly command: string[],
		private readonly isReady: () => Promise<boolean>,
	) {}

	get pid(): number | undefined {
		return this.child?.pid;
	}

	/** Resolves when the program responds. Rejects with its output if it does not. */
	async start(): Promise<void> {
		const [program = '', ...args] = this.command;
		const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
		this.child = child;
		for (const stream of [child.stdout, child.stderr]) {
			stream.setEncoding('utf8').on('data', (text: string) => {
				this.output = (this.output + text).slice(-20_000);
			});
		}
		child.once('error', (error) => (this.output += String(error)));
		const deadline = Date.now() + READY_TIMEOUT_MS;
		while (!(await this.isReady())) {
			if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
				throw new Error(`${program} did not start: ${this.output.slice(-2000)}`);
			}
			await sleep(50);
		}
	}

	/** Sends the signal and resolves when the program has ended. */
	async end(signal: NodeJS.Signals): Promise<void> {
		const child = this.child;
		this.child = undefined;
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		const ended = new Promise((resolve) => child.once('exit', resolve));
		child.kill(signal);
		await ended;
	}
}
