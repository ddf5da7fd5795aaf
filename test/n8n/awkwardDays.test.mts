/** @jest-environment ./test/support/n8nEnvironment.mts */
import { withHost } from '../support/n8n.mts';
import { shareOf } from '../support/random.mts';
import { DAYS, type AwkwardDays } from './awkwardDays/days.mts';
import { Play } from './awkwardDays/play.mts';
import { TABLE } from './awkwardDays/table.mts';

// Runs the examples in a real n8n on days that nobody pins: what each promises in its first sentence holds at the services.

withHost();

/** Returns the days of an example that can break it. */
function checksOf({ days }: AwkwardDays) {
	return DAYS.flatMap((day) => {
		const check = days[day];
		return typeof check === 'string' ? [] : [[day, check] as const];
	});
}

describe.each(TABLE.map((example) => [example.story.name, example] as const))(
	'%s',
	(_, example) => {
		let play: Play;
		beforeAll(async () => void (play = await Play.of(example.story)), 60_000);
		beforeEach(async () => {
			await play.begin();
			await play.publish();
		}, 60_000);
		// Workflows go before the services, which their triggers ask to remove webhooks.
		afterEach(async () => await play.end(), 60_000);
		afterAll(async () => await play.world.close());

		test.each(shareOf(checksOf(example)))(
			'keeps its promise on a day with %s',
			async (_day, check) => await check(play),
			600_000,
		);
	},
);
