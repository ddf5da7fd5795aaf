import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Daemon } from '../daemon.mts';
import { freePort } from '../freePort.mts';
import { withParent, type Programs } from './programs.mts';

const run = promisify(execFile);

/** A temporary Redis on a free port on loopback, which writes everything to disk before it responds. */
export class Redis extends Daemon {
	private constructor(
		command: string[],
		private readonly data: string,
		private readonly port: number,
	) {
		const ping = async () => await run('redis-cli', ['-p', String(port), 'ping']);
		const isReady = async () => (await ping()).stdout.startsWith('PONG');
		super({ command, isReady, startTimeoutMs: 30_000 });
	}

	static async open(programs: Programs, folder: string): Promise<Redis> {
		const data = join(folder, 'redis');
		mkdirSync(data);
		const port = await freePort();
		const at = ['--bind', '127.0.0.1', '--port', String(port), '--dir', data];
		const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
		const command = [...withParent(), programs.redis, ...at, ...durable, '--loglevel', 'warning'];
		const redis = new Redis(command, data, port);
		await redis.start();
		return redis;
	}

	/** The settings of n8n for this Redis. */
	get env(): Record<string, string> {
		return { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(this.port) };
	}

	/** Removes the data, like a Redis without persistence does when it ends. */
	forget(): void {
		rmSync(this.data, { recursive: true });
		mkdirSync(this.data);
	}
}
