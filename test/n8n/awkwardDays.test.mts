/** @jest-environment ./test/support/n8nEnvironment.mts */
import { withHost } from '../support/n8n.mts';
import { shareOf } from '../support/random.mts';
import { DAYS, type AwkwardDays } from './awkwardDays/days.mts';
import { Play } from './awkwardDays/play.mts';
import { TABLE } from './awkwardDays/table.mts';

// Runs the examples in a real n8n on days that nobody pins: what each promises in its first sentence holds at the services.

withHost();

/** Returns the days of an example that can break it. */
function checksOf(example: AwkwardDays) {
	return DAYS.flatMap((day) => {
		const check = example.days[day];
		return typeof check === 'string' ? [] : [{ example, day, check }];
	});
}

const played = shareOf(TABLE.flatMap(checksOf));
const byExample = TABLE.map((example) => played.filter((one) => one.example === example));

describe.each(
	byExample.flatMap((checks) =>
		checks.slice(0, 1).map(({ example: { story } }) => ({ story, checks })),
	),
)('$story.name', ({ story, checks }) => {
	let play: Play;
	beforeAll(async () => void (play = await Play.of(story)), 60_000);
	beforeEach(async () => {
		await play.begin();
		await play.publish();
	}, 60_000);
	// Workflows go before the services, which their triggers ask to remove webhooks.
	afterEach(async () => await play.end(), 60_000);
	afterAll(async () => await play.world.close());

	test.each(checks)(
		'keeps its promise on a day with $day',
		async ({ check }) => await check(play),
		600_000,
	);
});
