import type { IDataObject } from 'n8n-workflow';

import { startServiceA } from '../../../sandbox';
import type { ServiceA } from '../../../sandbox';
import { NodeRunner, SEED_FROM } from '../../support/runner';

class RunnerA extends NodeRunner<ServiceA> {
	/** Returns the customers in all requests. */
	customers(): IDataObject[] {
		return this.bodies().flatMap(({ subscribers }) => Object(subscribers));
	}

	/** Returns the customers' addresses in each request. */
	batches(): string[][] {
		return this.bodies().map(({ subscribers }) =>
			[subscribers].flat().map((customer) => String(Object(customer).email)),
		);
	}

	campaign(name: string): string {
		return String(this.service.state.campaigns.find((one) => one.name === name)?.id);
	}

	/** Seeds customers whom a campaign surveyed some days ago; 0 is now. Returns their addresses. */
	surveyed(count: number, daysAgo: number, by: string): string[] {
		const campaign = this.service.state.campaigns.find(({ name }) => name === by);
		if (campaign === undefined) throw new Error(by);
		const customers = this.service.seedCustomers(count);
		this.service.seedSurveyed(customers, { campaign, daysAgo });
		return customers.map(({ email }) => email);
	}
}

/** Starts Survey A for the tests of a file and returns a runner of its node. */
export function useRunner(): RunnerA {
	return new RunnerA(
		async () => await startServiceA({ seedFrom: SEED_FROM }),
		'surveyA',
		'api_key=',
	);
}
