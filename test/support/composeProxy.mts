import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse } from 'yaml';
import { z } from 'zod';

import { installPackages, onPath } from '../../host/apt.mts';
import { Daemon } from '../../host/daemon.mts';
import { freePort } from '../../host/freePort.mts';
import { sayPastJest } from './sayPastJest.mts';

const fileSchema = z.object({ configs: z.record(z.object({ content: z.string() })) });

/** Returns the content of one of the files in `compose.yaml`. */
function composeConfig(name: string): string {
	const { configs } = fileSchema.parse(
		parse(readFileSync('compose.yaml', 'utf8'), { merge: true }),
	);
	return configs[name]?.content ?? '';
}

/** Finds Caddy. As root on Debian, installs it with apt-get. */
export function findCaddy(): string | undefined {
	const why = onPath('caddy') ? undefined : installPackages(['caddy'], sayPastJest);
	if (why) sayPastJest(`The proxy of compose.yaml is not tested here: ${why}`);
	return onPath('caddy');
}

/** What a process behind the proxy received. */
interface Received {
	process: string;
	headers: IncomingHttpHeaders;
}

/** The proxy of `compose.yaml` on loopback, in front of three processes that return what they received. */
export class ComposeProxy {
	private constructor(
		private readonly url: string,
		private readonly caddy: Daemon,
		private readonly processes: Map<string, Server>,
		private readonly folder: string,
	) {}

	static async open(caddy: string): Promise<ComposeProxy> {
		const processes = new Map<string, Server>();
		for (const name of ['main', 'webhook-1', 'webhook-2']) processes.set(name, await echo(name));
		const [main, ...webhooks] = [...processes.values()].map(addressOf);
		const port = await freePort();
		const folder = mkdtempSync(join(tmpdir(), 'surveys-caddy-'));
		// Outside of Docker nothing resolves the names of the services.
		const content = composeConfig('caddyfile')
			.replace(/dynamic a webhook 5678 \{[^}]*\}/, `to ${webhooks.join(' ')}`)
			.replace('main:5678', main ?? '')
			.replace(':5678 {', `http://127.0.0.1:${port} {`);
		const file = join(folder, 'Caddyfile');
		writeFileSync(file, `{\n\tadmin off\n}\n${content}`);
		const command = [caddy, 'run', '--config', file, '--adapter', 'caddyfile'];
		const url = `http://127.0.0.1:${port}`;
		const isReady = async () => (await fetch(url)).ok;
		const env = { PATH: process.env.PATH ?? '', HOME: folder };
		const daemon = new Daemon({ command, isReady, startTimeoutMs: 30_000, env });
		await daemon.start();
		return new ComposeProxy(url, daemon, processes, folder);
	}

	async get(path: string, headers: Record<string, string> = {}): Promise<Received> {
		const response = await fetch(`${this.url}${path}`, { headers });
		return receivedSchema.parse(await response.json());
	}

	/** Returns the names of the processes that take some calls of a path. */
	async takers(path: string, calls = 6): Promise<string[]> {
		const names = new Set<string>();
		for (let i = 0; i < calls; i++) names.add((await this.get(path)).process);
		return [...names].sort();
	}

	/** Ends one of the processes. */
	async end(name: string): Promise<void> {
		const server = this.processes.get(name);
		server?.closeAllConnections();
		await new Promise((resolve) => server?.close(resolve));
	}

	async close(): Promise<void> {
		await this.caddy.stop();
		for (const name of this.processes.keys()) await this.end(name);
		rmSync(this.folder, { recursive: true, force: true });
	}
}

const receivedSchema = z.object({
	process: z.string(),
	headers: z.record(z.union([z.string(), z.array(z.string())])),
});

async function echo(name: string): Promise<Server> {
	const server = createServer((request, response) => {
		response.end(JSON.stringify({ process: name, headers: request.headers }));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return server;
}

function addressOf(server: Server): string {
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port');
	return `127.0.0.1:${address.port}`;
}
