import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { freePort } from '../../host/freePort.mts';

const portsSchema = z.object({
	n8n: z.number(),
	serviceA: z.number(),
	serviceB: z.number(),
	team: z.number(),
});

type Ports = z.infer<typeof portsSchema>;

const USUAL: Ports = { n8n: 5678, serviceA: 5691, serviceB: 5692, team: 5693 };

/** Returns free ports. */
export async function freePorts(): Promise<Ports> {
	return await freeOnes({});
}

/**
 * Returns the same ports at every start with a folder, because credentials and workflows that the user makes name them.
 * A port that is taken is replaced for this start only.
 */
export async function samePorts(folder: string): Promise<Ports> {
	const file = join(folder, 'ports.json');
	if (existsSync(file)) return await freeOnes(readPorts(file));
	const ports = await freeOnes(USUAL);
	mkdirSync(folder, { recursive: true });
	writeFileSync(file, JSON.stringify(ports, null, '\t'));
	return ports;
}

async function freeOnes(wanted: Partial<Ports>): Promise<Ports> {
	return {
		n8n: await freePort(wanted.n8n),
		serviceA: await freePort(wanted.serviceA),
		serviceB: await freePort(wanted.serviceB),
		team: await freePort(wanted.team),
	};
}

function readPorts(file: string): Ports {
	try {
		return portsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		return USUAL;
	}
}
