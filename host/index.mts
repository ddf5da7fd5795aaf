import { installedN8n, n8nDaemon } from './command.mts';
import type { Daemon } from './daemon.mts';
import { Editor } from './editor.mts';
import { freePort } from './freePort.mts';
import { installPackage } from './package.mts';
import { environment } from './environment.mts';

export { chain } from './chain.mts';
export { OWNER } from './client.mts';
export { packedPackage } from './package.mts';
export type * from './types.mts';

interface StartOptions {
	/** The folder of this repository. */
	root: string;
	/** The packed package, as `npm pack` makes it. */
	tarball: string;
	/** The folder of n8n's database, keys and community packages. */
	userFolder: string;
	/** The folder that n8n is installed in, by default `host`. */
	installation?: string;
	port?: number;
	env?: Record<string, string>;
}

/** A real n8n with the packed package, and the actions of a user in its editor. */
export class N8n extends Editor {
	private constructor(
		url: string,
		readonly process: Daemon,
	) {
		super(url);
	}

	/** Starts n8n and signs the owner in. */
	static async start(options: StartOptions): Promise<N8n> {
		const n8n = await N8n.launch(options);
		await n8n.orKill(async () => await n8n.signIn());
		return n8n;
	}

	/** Starts n8n. Nobody is signed in. */
	static async launch(options: StartOptions): Promise<N8n> {
		const { root, tarball, userFolder, installation } = options;
		installPackage(userFolder, tarball);
		const port = options.port ?? (await freePort());
		const env = environment({ ...options, port, brokerPort: await freePort() });
		const command = installedN8n(root, installation);
		const process = n8nDaemon(command, env, userFolder);
		const n8n = new N8n(`http://127.0.0.1:${port}`, process);
		await n8n.orKill(async () => await process.start());
		return n8n;
	}

	async stop() {
		await this.process.stop();
	}

	/** Stops n8n if it is running, and starts it again with the same folder and port. */
	async restart() {
		await this.process.stop();
		await this.orKill(async () => {
			await this.process.start();
			await this.signIn();
		});
	}

	private async orKill(work: () => Promise<void>) {
		try {
			await work();
		} catch (error) {
			await this.process.kill();
			throw error;
		}
	}
}
