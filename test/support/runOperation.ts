import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { ServiceA, ServiceB } from '../../sandbox';
import { runNode } from './engine';
import type { NodeResult, NodeRun } from './engine';

/** The settings of a run besides its operation and its account. */
export type RunSettings = Partial<Omit<NodeRun, 'node' | 'parameters' | 'credential'>> & {
	requestsPerMinute?: number;
};

/** Runs an operation, given as `resource.operation`, with the account of a service of the sandbox. */
export async function runOperation(
	{ url: baseUrl, apiKey, state }: Pick<ServiceA | ServiceB, 'url' | 'apiKey' | 'state'>,
	name: string,
	parameters: INodeParameters = {},
	{ requestsPerMinute = 0, ...settings }: RunSettings = {},
): Promise<NodeResult & { items: IDataObject[] }> {
	const [resource = '', operation = ''] = name.split('.');
	const result = await runNode({
		node: 'customers' in state ? 'surveyA' : 'surveyB',
		parameters: { resource, operation, ...parameters },
		credential: { baseUrl, apiKey, requestsPerMinute },
		...settings,
	});
	return { ...result, items: (result.output[0] ?? []).map(({ json }) => json) };
}
