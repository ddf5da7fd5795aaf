import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import getPort from 'get-port';

import { environment } from '../environment.mts';
import { installPackage } from '../package.mts';
import { N8nProcess, type Role } from '../process.mts';

/** One n8n process of several. */
export interface Part {
	name: string;
	/** Where it listens; a worker does not. */
	url: string;
	process: N8nProcess;
}

export interface PartOptions {
	/** The folder of this repository. */
	root: string;
	/** The packed package, as `npm pack` makes it. */
	tarball: string;
	/** Where each process has a folder of its own. */
	folder: string;
	/** What every n8n process is set to. */
	env: Record<string, string>;
}

const ROLES: Array<[name: string, role: Role]> = [
	['main', 'main'],
	['webhook-1', 'webhook'],
	['webhook-2', 'webhook'],
	['worker-1', 'worker'],
	['worker-2', 'worker'],
];

/** The processes of `compose.yaml`, the main one first; none is started yet. */
export async function makeParts(options: PartOptions): Promise<Part[]> {
	const parts: Part[] = [];
	for (const [name, role] of ROLES) parts.push(await makePart(options, name, role));
	return parts;
}

/** One process with the package installed, as on a machine of its own. */
export async function makePart(options: PartOptions, name: string, role: Role): Promise<Part> {
	const { root, tarball, folder, env } = options;
	const userFolder = join(folder, name);
	mkdirSync(userFolder);
	installPackage(userFolder, tarball);
	const port = await getPort();
	const all = environment({ userFolder, port, brokerPort: await getPort(), env });
	const script = {
		bin: join(root, 'host/node_modules/n8n/bin/n8n'),
		leash: join(root, 'host/exitWithParent.cjs'),
	};
	const process = new N8nProcess(script, all, userFolder, role);
	return { name, url: `http://127.0.0.1:${port}`, process };
}
