import { withHost } from '../../support/n8n.mts';
import { shareOf } from '../../support/random.mts';
import { allKills, inRounds, outcomesOf, titleOf, type Kill } from './kills.mts';

/** Tests every second kill, from the first or the second one on. */
export function testKills(first: 0 | 1): void {
	withHost();
	const kills = shareOf(allKills().filter((_, i) => i % 2 === first));
	const rounds = inRounds(kills).map((round, i) => [i + 1, round] as const);

	describe.each(rounds)(
		'After a kill of n8n, Retry and another delivery, in round %i,',
		(_, round) => {
			let outcomes: Awaited<ReturnType<typeof outcomesOf>>;
			beforeAll(async () => void (outcomes = await outcomesOf(round)), 900_000);

			test.each(round.map((kill): [string, Kill] => [titleOf(kill), kill]))(
				'%s keeps its promise',
				(_title, kill) => {
					const outcome = outcomes.get(kill);
					if (outcome instanceof Error) throw outcome;
					expect(outcome).toMatchObject({ forgotten: [], twice: [] });
					// Somebody hears of a refused account, although n8n was killed when it wrote the mail.
					expect(outcome?.told).not.toBe(0);
				},
			);
		},
	);
}
