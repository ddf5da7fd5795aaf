import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Daemon } from '../daemon.mts';
import { Editor } from '../editor.mts';
import { freePort } from '../freePort.mts';
import { composeSettings } from './compose.mts';
import { makeParts, type Part } from './parts.mts';
import { Postgres } from './postgres.mts';
import { withParent, type Programs } from './programs.mts';
import { Redis } from './redis.mts';

interface QueueModeOptions {
	/** The folder of this repository. */
	root: string;
	/** The packed package, as `npm pack` makes it. */
	tarball: string;
	programs: Programs;
	/** More settings of every n8n process than those of `compose.yaml`. */
	env?: Record<string, string>;
}

/** How often to look for processes that ended by themselves. */
const LOOK_MS = 500;

/**
 * n8n in queue mode with the parts and settings of `compose.yaml`: PostgreSQL, Redis, a main process, two webhook
 * processors, two workers and a proxy, with the packed package in each process. Its editor goes through the proxy.
 */
export class QueueMode extends Editor {
	/** The processes that ended by themselves and were started again. */
	readonly restarted: string[] = [];

	private readonly down = new Set<string>();
	private watching: ReturnType<typeof setInterval> | undefined;

	private constructor(
		url: string,
		private readonly folder: string,
		private readonly parts: Part[],
		private readonly proxy: Daemon,
		readonly postgres: Postgres,
		readonly redis: Redis,
	) {
		super(url);
	}

	static async start({ root, tarball, programs, env }: QueueModeOptions): Promise<QueueMode> {
		const folder = mkdtempSync(join(tmpdir(), 'surveys-queue-'));
		// PostgreSQL's user needs access to its data folder.
		chmodSync(folder, 0o711);
		const postgres = await Postgres.open(programs, folder);
		const redis = await Redis.open(programs, folder);
		const port = await freePort();
		const url = `http://127.0.0.1:${port}`;
		const compose = composeSettings(root);
		const all = { ...compose.env, ...own(url), ...postgres.env, ...redis.env, ...env };
		const parts = await makeParts(root, tarball, folder, all);
		const proxy = proxyOf(root, port, parts);
		const made = new QueueMode(url, folder, parts, proxy, postgres, redis);
		try {
			await made.boot(compose.sql);
		} catch (error) {
			await made.stop();
			throw error;
		}
		return made;
	}

	/** The URLs of the webhook processors, behind the proxy. */
	get webhookUrls(): string[] {
		return this.parts.filter(({ name }) => name.startsWith('webhook')).map(({ url }) => url);
	}

	/** Returns the output of an n8n process, including before restarts. */
	log(name: string): string {
		return this.part(name).process.log();
	}

	/** Ends an n8n process at once, like a crash. */
	async kill(name: string): Promise<void> {
		this.down.add(name);
		await this.part(name).process.kill();
	}

	/** Starts an n8n process again. */
	async revive(name: string): Promise<void> {
		await this.part(name).process.start();
		this.down.delete(name);
		if (name === 'main') await this.signIn();
	}

	/** Restarts an n8n process in an orderly way, like an update. */
	async restart(name: string): Promise<void> {
		this.down.add(name);
		await this.part(name).process.stop();
		await this.revive(name);
	}

	/** Stops everything and removes its data. */
	async stop(): Promise<void> {
		clearInterval(this.watching);
		for (const { name } of this.parts) this.down.add(name);
		await Promise.all(this.parts.map(async ({ process }) => await process.kill()));
		await this.proxy.kill();
		await this.redis.stop();
		await this.postgres.stop();
		rmSync(this.folder, { recursive: true, force: true });
	}

	/** @param sql runs once the main process has created its tables */
	private async boot(sql: string) {
		const [main, ...others] = this.parts;
		await main?.process.start();
		await this.postgres.rows(sql);
		await Promise.all(others.map(async ({ process }) => await process.start()));
		await this.proxy.start();
		await this.signIn();
		this.watching = setInterval(() => this.look(), LOOK_MS);
	}

	private look() {
		for (const { name, process } of this.parts) {
			if (process.running() || this.down.has(name)) continue;
			this.down.add(name);
			this.restarted.push(name);
			this.revive(name).catch(() => this.down.delete(name));
		}
	}

	private part(name: string): Part {
		const found = this.parts.find((part) => part.name === name);
		if (!found) throw new Error(`No process "${name}"`);
		return found;
	}
}

/** The settings that `compose.yaml` leaves to each installation. */
function own(url: string): Record<string, string> {
	return {
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
		N8N_EDITOR_BASE_URL: url,
		N8N_WEBHOOK_URL: url,
	};
}

function proxyOf(root: string, port: number, [main, ...others]: Part[]) {
	const processors = others.filter(({ name }) => name.startsWith('webhook'));
	const urls = [main, ...processors].map((part) => part?.url ?? '');
	const script = join(root, 'host/queue/proxy.mts');
	const command = [...withParent(), process.execPath, script, String(port), ...urls];
	const isReady = async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
	return new Daemon({ command, isReady, startTimeoutMs: 30_000 });
}
