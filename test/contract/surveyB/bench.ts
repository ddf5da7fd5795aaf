import { startServiceB } from '../../../sandbox';
import type { ServiceB } from '../../../sandbox';
import { Bench, SEED_FROM } from '../../support/bench';

/** Starts Survey B for the tests of a file and returns a runner of its node. */
export function useBench(): Bench<ServiceB> {
	return new Bench(async () => await startServiceB({ seedFrom: SEED_FROM }), 'surveyB', 'Token ');
}
