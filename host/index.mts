import { join } from 'node:path';

import getPort from 'get-port';

import { Editor } from './editor.mts';
import { installPackage } from './package.mts';
import { environment } from './environment.mts';
import { N8nProcess, requireNode } from './process.mts';

export { N8nRequestError, OWNER } from './client.mts';
export { packedPackage } from './package.mts';
export type * from './types.mts';

export interface StartOptions {
	/** The folder of this repository. */
	root: string;
	/** The packed package, as `npm pack` makes it. */
	tarball: string;
	/** Where n8n keeps its database, keys and community packages. */
	userFolder: string;
	/** The folder that n8n is installed in; this repository's `host` when left out. */
	installation?: string;
	port?: number;
	env?: Record<string, string>;
}

/** A real n8n with the packed package installed, and what a person does in its editor. */
export class N8n extends Editor {
	private constructor(
		url: string,
		installation: string,
		private readonly process: N8nProcess,
	) {
		super(url, installation);
	}

	static async start(options: StartOptions): Promise<N8n> {
		installPackage(options.userFolder, options.tarball);
		requireNode();
		const { root, userFolder, installation = join(root, 'host') } = options;
		const port = options.port ?? (await getPort());
		const env = environment({ ...options, port, brokerPort: await getPort() });
		const script = {
			bin: join(installation, 'node_modules/n8n/bin/n8n'),
			leash: join(root, 'host/exitWithParent.cjs'),
		};
		const process = new N8nProcess(script, env, userFolder);
		const n8n = new N8n(`http://127.0.0.1:${port}`, installation, process);
		await n8n.boot();
		return n8n;
	}

	/** Everything n8n has printed, over restarts. */
	log() {
		return this.process.log();
	}

	/** The process of n8n; undefined while it does not run. */
	get pid(): number | undefined {
		return this.process.pid;
	}

	async stop() {
		await this.process.stop();
	}

	/** Ends n8n at once, as a crash would; `restart` brings it back. */
	async kill() {
		await this.process.kill();
	}

	/** Stops n8n if it runs and starts it again with the same folder and port. */
	async restart() {
		await this.process.stop();
		await this.boot();
	}

	private async boot() {
		try {
			await this.process.start();
			await this.signIn();
		} catch (error) {
			await this.process.kill();
			throw error;
		}
	}
}

export async function startN8n(options: StartOptions): Promise<N8n> {
	return await N8n.start(options);
}
