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

// Histories of these seeds lost or doubled records once.
test.each([
	['surveys of an account that states no total, gives 100 a page, and dates some ahead', 20271363],
	['surveys of an account that states no total, after a change of the key', 20270257],
	['surveys that get their date before the last one of the list is removed', 20270758],
	[
		'the first record of an account that states no total, dated before the poll that found none',
		20271038,
	],
	['a record that appears between two pages, while another new one is removed', 20270115],
	['a survey that is dated ahead, just after a poll that read 1,373 surveys', 4251],
	['feedback of an account whose key was replaced while it was quiet, and came back', 990168],
	[
		'records of a list that ends before its last page, where a page after the last one is a 404',
		4388,
	],
	['feedback that is dated ahead, among older ones, while it would wait for its comment', 8675321],
	['feedback that came with a date ahead, after the key was replaced', 1000031],
	['records of one date at the border of a page, after others were removed', 77079],
	['a record at the border of the last page of a poll, while another one is removed', 2220],
	['feedback between a page of a poll that was cut off and what came before it', 424309],
])('each new record comes out once: %s', async (_which, seed) => {
	expect(await new PollHistory(seed).run()).toEqual([]);
});
