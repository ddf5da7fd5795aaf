import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';

/** The oldest Node major that this n8n starts on. */
const NODE_MAJOR = 24;
const BOOT_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 15_000;
const LOG_LIMIT = 2_000_000;

/** n8n prints this line after everything else of its start: nodes loaded, REST routes and webhooks in place. */
const READY_LINE = 'Editor is now accessible via';

export const sleep = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/** The Node to run n8n with: this one if it is new enough, else the one that `sandbox/n8n` brings on linux. */
export function nodeForN8n(root: string): string {
	if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return process.execPath;
	const brought = join(
		root,
		`sandbox/n8n/node_modules/node-${process.platform}-${process.arch}/bin/node`,
	);
	if (existsSync(brought)) return brought;
	throw new Error(
		`n8n needs Node ${NODE_MAJOR} or newer; this is ${process.versions.node}. Install Node ${NODE_MAJOR} and try again.`,
	);
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
	return await new Promise((resolve, reject) => {
		const server = createServer().once('error', reject);
		server.listen(0, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
		});
	});
}

/**
 * The environment n8n gets: nothing of the caller's but what any program needs, so that no N8N_, DB_ or NODE_ENV
 * of a developer's shell or of jest changes what is tested. Everything that would call home is off.
 */
export function environment(options: {
	node: string;
	userFolder: string;
	port: number;
	brokerPort: number;
	env?: Record<string, string>;
}): Record<string, string> {
	const url = `http://127.0.0.1:${options.port}`;
	return {
		...inherited(),
		PATH: [dirname(options.node), process.env.PATH ?? ''].join(delimiter),
		N8N_USER_FOLDER: options.userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(options.port),
		N8N_EDITOR_BASE_URL: url,
		N8N_WEBHOOK_URL: url,
		N8N_RUNNERS_BROKER_PORT: String(options.brokerPort),
		DB_TYPE: 'sqlite',
		N8N_SECURE_COOKIE: 'false',
		N8N_LOG_LEVEL: 'info',
		N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_AI_ENABLED: 'false',
		N8N_PYTHON_ENABLED: 'false',
		N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,chat-hub,quick-connect',
		...options.env,
	};
}

function inherited(): Record<string, string> {
	const names = ['HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SHELL', 'USER'];
	return Object.fromEntries(
		names.map((name) => [name, process.env[name] ?? '']).filter(([, v]) => v),
	);
}

/** One n8n process and what it started. */
export class N8nProcess {
	private child: ChildProcess | undefined;
	private output = '';
	private ready = false;

	constructor(
		private readonly node: string,
		private readonly script: { bin: string; leash: string },
		private readonly env: Record<string, string>,
		private readonly cwd: string,
	) {}

	log() {
		return this.output;
	}

	/** Resolves when n8n is ready for work; rejects with the end of its log when it ends before that. */
	async start() {
		if (this.running()) throw new Error('n8n is running already');
		this.ready = false;
		const child = spawn(this.node, ['--require', this.script.leash, this.script.bin, 'start'], {
			cwd: this.cwd,
			env: this.env,
			// A group of its own, so that n8n and its task runner can be ended together.
			detached: true,
			stdio: ['pipe', 'pipe', 'pipe'],
		});
		this.child = child;
		for (const stream of [child.stdout, child.stderr]) {
			stream.setEncoding('utf8').on('data', (text: string) => this.keep(text));
		}
		child.stdin.on('error', () => undefined);
		child.once('error', (error) => this.keep(String(error)));
		await this.waitUntilReady(BOOT_TIMEOUT_MS);
	}

	/** Asks n8n to end, as a service manager would, and insists after a while. */
	async stop() {
		await this.end('SIGTERM');
	}

	/** Ends n8n at once, as a crash or a power cut would. */
	async kill() {
		await this.end('SIGKILL');
	}

	private async end(signal: NodeJS.Signals) {
		const child = this.child;
		if (!child) return;
		this.child = undefined;
		const ended = new Promise((resolve) => child.once('exit', resolve));
		if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
			if (signal === 'SIGKILL') killGroup(child);
			else child.kill(signal);
			const insist = setTimeout(() => killGroup(child), STOP_TIMEOUT_MS);
			await ended;
			clearTimeout(insist);
		}
		killGroup(child);
	}

	private running() {
		const child = this.child;
		return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
	}

	private keep(text: string) {
		this.output += text;
		this.ready ||= this.output.slice(-text.length - READY_LINE.length).includes(READY_LINE);
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

function killGroup(child: ChildProcess) {
	if (child.pid === undefined) return;
	try {
		process.kill(-child.pid, 'SIGKILL');
	} catch {
		// The group is gone, which is what was wanted.
	}
}
