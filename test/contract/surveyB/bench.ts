import { startServiceB } from '../../../sandbox';
import type { ServiceB } from '../../../sandbox';
import { Bench, SEED_FROM, useBenchOf } from '../../support/bench';

/** Starts Survey B for the tests of a file and returns a runner of its node. */
export function useBench(): () => Bench<ServiceB> {
	return useBenchOf<ServiceB, Bench<ServiceB>>(
		async () => new Bench(await startServiceB({ seedFrom: SEED_FROM }), 'surveyB', 'Token '),
	);
}
