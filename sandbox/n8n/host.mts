import { join } from 'node:path';

import { Editor } from './editor.mts';
import { installPackage } from './package.mts';
import { environment, freePort, N8nProcess, nodeForN8n } from './process.mts';

export { N8nRequestError, OWNER } from './editor.mts';
export type * from './editor.mts';
export { packedPackage } from './package.mts';
export { freePort } from './process.mts';

export interface StartOptions {
	/** The folder of this repository. */
	root: string;
	/** The packed package, as `npm pack` makes it. */
	tarball: string;
	/** Where n8n keeps its database, keys and community packages. */
	userFolder: string;
	port?: number;
	env?: Record<string, string>;
}

/** A real n8n with the packed package installed, and what a person does in its editor. */
export class N8n extends Editor {
	private constructor(
		root: string,
		url: string,
		private readonly process: N8nProcess,
	) {
		super(root, url);
	}

	static async start(options: StartOptions): Promise<N8n> {
		installPackage(options.userFolder, options.tarball);
		const port = options.port ?? (await freePort());
		const node = nodeForN8n(options.root);
		const env = environment({ ...options, node, port, brokerPort: await freePort() });
		const script = {
			bin: join(options.root, 'sandbox/n8n/node_modules/n8n/bin/n8n'),
			leash: join(options.root, 'sandbox/n8n/leash.cjs'),
		};
		const process = new N8nProcess(node, script, env, options.userFolder);
		const n8n = new N8n(options.root, `http://127.0.0.1:${port}`, process);
		await n8n.boot();
		return n8n;
	}

	/** Everything n8n has printed, over restarts. */
	log() {
		return this.process.log();
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
