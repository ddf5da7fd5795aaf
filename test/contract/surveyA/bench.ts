import { startServiceA } from '../../../sandbox';
import type { ServiceA } from '../../../sandbox';
import { Bench, SEED_FROM, useBenchOf } from '../../support/bench';

class BenchA extends Bench<ServiceA> {
	/** Returns the customers' addresses in each request. */
	batches(): string[][] {
		return this.service.requests.map(({ rawBody }) => {
			const { subscribers }: { subscribers: Array<{ email: string }> } = JSON.parse(rawBody);
			return subscribers.map(({ email }) => email);
		});
	}

	campaign(name: string): string {
		return String(this.service.state.campaigns.find((one) => one.name === name)?.id);
	}
}

/** Starts Survey A for the tests of a file and returns a runner of its node. */
export function useBench(): () => BenchA {
	return useBenchOf<ServiceA, BenchA>(
		async () => new BenchA(await startServiceA({ seedFrom: SEED_FROM }), 'surveyA', 'api_key='),
	);
}

/** Returns rows `person1@example.com` and on. */
export function people(count: number, from = 1): Array<{ email: string }> {
	return Array.from({ length: count }, (_, index) => ({
		email: `person${from + index}@example.com`,
	}));
}
