import { SEED, SIMULATED_SEQUENCES } from '../support/random.mts';
import { clock, PollHistory } from './simulatedPolls';

// Random histories of Survey A Trigger. `SIMULATE_RUNS=20000` tries more.

// A page that is missing is asked for again without waiting.
jest.mock('../../nodes/shared/http/retry', () => ({
	...jest.requireActual('../../nodes/shared/http/retry'),
	backoff: () => 0,
}));

const RUNS = SIMULATED_SEQUENCES * 3;

const realNow = Date.now;

// A spy would record thousands of calls in each history.
beforeAll(() => void (Date.now = () => clock.time));
afterAll(() => void (Date.now = realNow));

test('each new record comes out once [each-once]', async () => {
	const wrong: string[] = [];
	for (let run = 0; run < RUNS; run++) {
		const history = new PollHistory(SEED + run, run % 4 === 0);
		const mistakes = await history.run().catch((error: Error) => [`${error}`]);
		if (mistakes.length === 0) continue;
		const some = mistakes.slice(0, 5).join(', ');
		wrong.push(`seed ${history.seed}: ${some} (${history.story.join('; ')})`);
	}
	expect(wrong).toEqual([]);
}, 3_600_000);

// The history of each of these seeds lost a record once.
test.each([
	['surveys that waited, while pages come again during a look', 691, true],
	['records of one date in changing order, while totals are late', 31482, false],
	['records of one date in changing order, while imports and removals move them', 777182, false],
])('each new record comes out once: %s', async (_, seed, isDurable) => {
	expect(await new PollHistory(seed, isDurable).run()).toEqual([]);
});
