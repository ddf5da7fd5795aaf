import { mkdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import getPort from 'get-port';

import { Daemon } from './daemon.mts';
import { withParent, type Programs } from './programs.mts';

const RESPONSE_TIMEOUT_MS = 1_000;

/** A temporary Redis on a free port on loopback, which writes everything to disk before it responds. */
export class Redis {
	private constructor(
		private readonly daemon: Daemon,
		private readonly data: string,
		readonly port: number,
	) {}

	static async start(programs: Programs, folder: string): Promise<Redis> {
		const data = join(folder, 'redis');
		mkdirSync(data);
		const port = await getPort();
		const at = ['--bind', '127.0.0.1', '--port', String(port), '--dir', data];
		const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
		const command = [...withParent(), programs.redis, ...at, ...durable, '--loglevel', 'warning'];
		const made = new Redis(new Daemon(command, async () => await responds(port)), data, port);
		await made.daemon.start();
		return made;
	}

	get pid(): number | undefined {
		return this.daemon.pid;
	}

	/** The settings of n8n for this Redis. */
	get env(): Record<string, string> {
		return { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: String(this.port) };
	}

	async kill(): Promise<void> {
		await this.daemon.end('SIGKILL');
	}

	/** Removes the data, like a Redis without persistence does when it ends. */
	forget(): void {
		rmSync(this.data, { recursive: true });
		mkdirSync(this.data);
	}

	async start(): Promise<void> {
		await this.daemon.start();
	}

	async stop(): Promise<void> {
		await this.daemon.end('SIGTERM');
	}
}

/** Returns whether Redis has read its file and accepts commands. */
async function responds(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
		const end = (isUp: boolean) => {
			socket.destroy();
			resolve(isUp);
		};
		socket.setTimeout(RESPONSE_TIMEOUT_MS, () => end(false));
		socket.once('error', () => end(false));
		socket.once('data', (text) => end(String(text).startsWith('+PONG')));
	});
}
