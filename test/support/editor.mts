import { z } from 'zod';

import { host } from './n8n.mts';

/** Asks for the entries or columns of a node, as the editor does when somebody opens them. */
export async function askEditor(
	type: string,
	kind: 'resource-locator-results' | 'resource-mapper-fields',
	methodName: string,
	parameters: object = { resource: 'customer', operation: 'upsert' },
): Promise<unknown> {
	const body = {
		path: 'parameters.any',
		nodeTypeAndVersion: { name: type, version: 1 },
		currentNodeParameters: parameters,
		credentials: host.credentials,
		methodName,
	};
	return await host.n8n.post(`/dynamic-node-parameters/${kind}`, body, z.unknown());
}

/** Returns the seconds that work takes. */
export async function seconds(work: () => Promise<unknown>): Promise<number> {
	const begun = performance.now();
	await work();
	return Math.round((performance.now() - begun) / 100) / 10;
}
