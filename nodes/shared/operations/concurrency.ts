import { AdaptiveConcurrency } from '../parallel';
import type { Run } from './run';

/**
 * Returns how many requests of an operation may be in flight. Starts from what the account took in the last run.
 *
 * @param operation a name that is unique within the service
 */
export async function concurrencyOf(
	{ client }: Run,
	operation: string,
	limits: { first: number; most: number },
): Promise<AdaptiveConcurrency> {
	const known = await client.knownConcurrency();
	return new AdaptiveConcurrency({
		...limits,
		known: known.get(operation),
		refusals: () => client.stats.rateLimited,
		learned: (concurrency) => known.set(operation, concurrency),
	});
}
