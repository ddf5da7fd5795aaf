import type { INodeParameters } from 'n8n-workflow';

import type { ServiceA, ServiceB } from '../../sandbox';
import { runNode } from './engine';
import type { NodeResult, NodeRun } from './engine';

/** The settings of a run besides its operation. The credential is the service's own, apart from these. */
export type RunSettings = Partial<Omit<NodeRun, 'node' | 'parameters' | 'credential'>> & {
	baseUrl?: string;
	apiKey?: string;
	requestsPerMinute?: number;
};

/** Runs an operation, given as `resource.operation`, with the account of a service of the sandbox. */
export async function runOperation(
	service: Pick<ServiceA | ServiceB, 'url' | 'apiKey' | 'state'>,
	name: string,
	parameters: INodeParameters = {},
	{
		baseUrl = service.url,
		apiKey = service.apiKey,
		requestsPerMinute = 0,
		...settings
	}: RunSettings = {},
): Promise<NodeResult> {
	const [resource, operation] = name.split('.');
	return await runNode({
		node: 'customers' in service.state ? 'surveyA' : 'surveyB',
		parameters: { resource, operation, ...parameters },
		credential: { baseUrl, apiKey, requestsPerMinute },
		...settings,
	});
}
