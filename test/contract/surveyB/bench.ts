import { startServiceB } from '../../../sandbox';
import type { ServiceB } from '../../../sandbox';
import { Bench, SEED_FROM, useBenchOf } from '../../support/bench';

/** Gives every test of a file Survey B on its small seed, and runs of its node. */
export function useBench(): () => Bench<ServiceB> {
	return useBenchOf<ServiceB, Bench<ServiceB>>(
		async () => new Bench(await startServiceB({ seedFrom: SEED_FROM }), 'surveyB', 'Token '),
	);
}
