import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { installedN8n, n8nDaemon, type Role } from '../command.mts';
import type { Daemon } from '../daemon.mts';
import { environment } from '../environment.mts';
import { freePort } from '../freePort.mts';
import { installPackage } from '../package.mts';

/** One of several n8n processes. */
export interface Part {
	name: string;
	/** The URL that it listens on. A worker does not listen. */
	url: string;
	process: Daemon;
}

const ROLES: Array<[name: string, role: Role]> = [
	['main', 'main'],
	['webhook-1', 'webhook'],
	['webhook-2', 'webhook'],
	['worker-1', 'worker'],
	['worker-2', 'worker'],
];

/**
 * Creates the processes of `compose.yaml` without starting them, the main process first. Each has its own user folder and
 * the package installed.
 *
 * @param root the folder of this repository
 * @param folder contains the user folders
 * @param env the environment of every n8n process
 */
export async function makeParts(
	root: string,
	tarball: string,
	folder: string,
	env: Record<string, string>,
): Promise<Part[]> {
	const parts: Part[] = [];
	for (const [name, role] of ROLES) {
		const userFolder = join(folder, name);
		mkdirSync(userFolder);
		installPackage(userFolder, tarball);
		const port = await freePort();
		const all = environment({ userFolder, port, brokerPort: await freePort(), env });
		const process = n8nDaemon(installedN8n(root), all, userFolder, role);
		parts.push({ name, url: `http://127.0.0.1:${port}`, process });
	}
	return parts;
}
