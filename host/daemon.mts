import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

import { until } from './until.mts';

const STOP_TIMEOUT_MS = 15_000;
const LOG_LIMIT = 2_000_000;

interface Options {
	/** The program and its arguments. */
	command: string[];
	/** Returns whether the program is ready, from what it printed since its start. An error means that it is not. */
	isReady: (printed: string) => boolean | Promise<boolean>;
	startTimeoutMs: number;
	cwd?: string;
	/** Default: the environment of this process. */
	env?: Record<string, string>;
}

/** A long-running program and the processes that it starts. It can be ended and started again. */
export class Daemon {
	private child: ChildProcess | undefined;
	private output = '';

	constructor(private readonly options: Options) {}

	/** Everything that it has printed, including before restarts. */
	log(): string {
		return this.output;
	}

	running(): boolean {
		const child = this.child;
		return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
	}

	/** Resolves when it is ready. Rejects with the end of its log if it ends first. */
	async start(): Promise<void> {
		const { command, cwd, env, isReady, startTimeoutMs } = this.options;
		const [file = '', ...args] = command;
		if (this.running()) throw new Error(`${file} is already running`);
		// Its own group, so that everything it starts can be ended together.
		const child = spawn(file, args, { cwd, env, detached: true, stdio: 'pipe' });
		this.child = child;
		let printed = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream.setEncoding('utf8').on('data', (text: string) => {
				printed = (printed + text).slice(-LOG_LIMIT);
				this.append(text);
			});
		}
		letParentEnd(child);
		child.stdin.on('error', () => undefined);
		child.once('error', (error) => this.append(String(error)));
		const ask = async () => await isReady(printed);
		let ready = false;
		const isOver = async () => {
			ready = await ask().catch(() => false);
			return ready || !this.running();
		};
		await until(isOver, Boolean, { timeoutMs: startTimeoutMs }).catch(() => undefined);
		if (ready && this.running()) return;
		await this.kill();
		throw new Error(`${file} did not start. The end of its log:\n${this.output.slice(-4000)}`);
	}

	/** Asks it to end, as a service manager does, and kills it after a while. */
	async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
		const child = this.child;
		if (!child) return;
		if (this.running()) {
			const ended = new Promise((resolve) => child.once('exit', resolve));
			child.kill(signal);
			const timer = setTimeout(() => killGroup(child), STOP_TIMEOUT_MS);
			await ended;
			clearTimeout(timer);
		}
		this.child = undefined;
		killGroup(child);
	}

	/** Ends it at once, as a crash or a power cut would. */
	async kill(): Promise<void> {
		this.killNow();
		await this.stop('SIGKILL');
	}

	/** Ends it without waiting, for the end of this process. */
	killNow(): void {
		if (this.child) killGroup(this.child);
	}

	private append(text: string) {
		this.output += text;
		if (this.output.length > LOG_LIMIT) this.output = this.output.slice(-LOG_LIMIT / 2);
	}
}

/** Lets this process end while the program runs. n8n notices that and ends itself (`exitWithParent.cjs`). */
function letParentEnd(child: ChildProcess) {
	child.unref();
	for (const stream of [child.stdin, child.stdout, child.stderr]) {
		if (stream instanceof Socket) stream.unref();
	}
}

function killGroup({ pid }: ChildProcess) {
	if (pid === undefined) return;
	try {
		process.kill(-pid, 'SIGKILL');
	} catch {
		// The group has ended.
	}
}
