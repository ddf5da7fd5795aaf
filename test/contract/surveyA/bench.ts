import { startServiceA } from '../../../sandbox';
import type { ServiceA } from '../../../sandbox';
import { Bench, SEED_FROM, useBenchOf } from '../../support/bench';

/** The bench of Survey A. */
class BenchA extends Bench<ServiceA> {
	/** The addresses of each request's customers. */
	batches(): string[][] {
		return this.service.requests.map(({ rawBody }) => {
			const { subscribers }: { subscribers: Array<{ email: string }> } = JSON.parse(rawBody);
			return subscribers.map(({ email }) => email);
		});
	}

	/** The ID of a seeded campaign. */
	campaign(name: string): string {
		return String(this.service.state.campaigns.find((one) => one.name === name)?.id);
	}
}

/** Gives every test of a file Survey A on its small seed, and runs of its node. */
export function useBench(): () => BenchA {
	return useBenchOf<ServiceA, BenchA>(
		async () => new BenchA(await startServiceA({ seedFrom: SEED_FROM }), 'surveyA', 'api_key='),
	);
}

/** People by their numbers. */
export function people(count: number, from = 1): Array<{ email: string }> {
	return Array.from({ length: count }, (_, index) => ({
		email: `person${from + index}@example.com`,
	}));
}
