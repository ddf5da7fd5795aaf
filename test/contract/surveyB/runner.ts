import { startServiceB } from '../../../sandbox';
import type { ServiceB } from '../../../sandbox';
import { NodeRunner, SEED_FROM } from '../../support/runner';

/** Starts Survey B for the tests of a file and returns a runner of its node. */
export function useRunner(): NodeRunner<ServiceB> {
	return new NodeRunner(
		async () => await startServiceB({ seedFrom: SEED_FROM }),
		'surveyB',
		'Token ',
	);
}
