import fc from 'fast-check';

import { onItsOwnClock } from '../support/clock.mts';
import { SEED, SIMULATED_SEQUENCES as RUNS } from '../support/random.mts';
import { EVENTS, World } from './surveyBTriggerWorld';
import type { RandomChange, InitialSettings } from './surveyBTriggerWorld';

// Random sequences of ordinary events around one trigger node: `SIMULATE_RUNS=10000 npm run simulate`.

class Step implements fc.AsyncCommand<object, World> {
	constructor(
		private readonly name: string,
		private readonly work: (world: World) => Promise<void> | void,
	) {}

	check(): boolean {
		return true;
	}

	async run(_: object, world: World): Promise<void> {
		// No two steps changes in the same millisecond.
		world.advanceClock(1000);
		await this.work(world);
	}

	toString(): string {
		return this.name;
	}
}

const step = (name: string, work: (world: World) => Promise<void> | void) =>
	fc.constant(new Step(name, work));

/** Small ranges, so that steps often meet the same record or webhook. */
const few = fc.nat({ max: 2 });
const some = fc.nat({ max: 5 });

const events = fc.subarray(EVENTS, { minLength: 1, maxLength: 4 });

const deletion = fc.constantFrom(204 as const, 404 as const, 405 as const, 500 as const);

const settings = fc.record({ events, confirms: fc.boolean(), deletion });

const randomChange = fc.record({
	event: some,
	record: fc.nat({ max: 1 }),
	value: few,
	isEarlier: fc.boolean(),
	account: few,
});

function textOf({ event, record, value, isEarlier, account }: RandomChange): string {
	return [event, record, value, isEarlier, account].join(' ');
}

const users = [
	step('publish', async (world) => await world.publish()),
	step('publish', async (world) => await world.publish()),
	step('unpublish', async (world) => await world.unpublish()),
	events.map(
		(chosen) =>
			new Step(`choose ${chosen.join(', ')}`, async (world) => {
				await world.edit((one) => (one.events = chosen));
			}),
	),
	fc.boolean().map(
		(confirms) =>
			new Step(`confirm ${confirms}`, async (world) => {
				await world.edit((one) => (one.confirms = confirms));
			}),
	),
	step('rename', async (world) => await world.edit((one) => one.rename())),
	step('copy', async (world) => await world.edit((one) => one.copy())),
	step('listen', async (world) => await world.listen()),
	few.map((to) => new Step(`credential of account ${to}`, (world) => world.editCredential(to))),
	step('rotate the key', (world) => world.rotateKey()),
	step('delete the credential', (world) => world.deleteCredential()),
	some.map(
		(index) => new Step(`remove webhook ${index} by hand`, (world) => world.removeByHand(index)),
	),
];

const n8n = [
	some.map(
		(back) =>
			new Step(`restart, data ${back} saves ago`, async (world) => await world.restart(back)),
	),
	some.map(
		(back) => new Step(`overwrite with data ${back} saves ago`, (world) => world.overwrite(back)),
	),
	step('another process', async (world) => await world.switchProcess()),
	fc
		.constantFrom(10, 30 * 60, 2 * 3600, 2 * 86_400)
		.map((seconds) => new Step(`${seconds} s pass`, (world) => world.advanceClock(seconds * 1000))),
	step('the queued run starts', async (world) => await world.release()),
];

const service = [
	deletion.map(
		(status) => new Step(`DELETE answers ${status}`, (world) => world.setDeletion(status)),
	),
	fc
		.tuple(fc.constantFrom('lost' as const, 'down' as const), few)
		.map(
			([kind, skip]) =>
				new Step(`POST ${kind} after ${skip}`, (world) => world.failToCreate(kind, skip)),
		),
	some.map((index) => new Step(`event ${index} refused`, (world) => world.refuseEvent(index))),
	step('a stranger calls', async (world) => await world.strangerCalls()),
];

const changes = randomChange.map(
	(one) => new Step(`change ${textOf(one)}`, (world) => void world.changeRecord(one)),
);

const mixed = fc
	.tuple(
		randomChange,
		fc.array(few, { minLength: 2, maxLength: 3 }),
		fc.array(few, { minLength: 2, maxLength: 5 }),
	)
	.map(
		([one, values, order]) =>
			new Step(`changes ${textOf(one)} to ${values} delivered in order ${order}`, async (world) => {
				await world.deliverMixed(one, values, order);
			}),
	);

const again = fc.constantFrom(10, 2 * 3600, 2 * 86_400).map(
	(seconds) =>
		new Step(`${seconds} s later the last change happens again`, async (world) => {
			world.advanceClock(seconds * 1000);
			await world.repeatLastChange();
		}),
);

const deliver = fc
	.tuple(
		some,
		fc.constantFrom(
			'stored' as const,
			'stored' as const,
			'failing' as const,
			'held' as const,
			'again' as const,
		),
	)
	.map(
		([index, how]) =>
			new Step(`deliver ${index} ${how}`, async (world) => await world.deliver(index, how)),
	);

const soon = randomChange.map(
	(one) =>
		new Step(`change ${textOf(one)} and deliver`, async (world) => {
			world.changeRecord(one);
			await world.deliver(0, 'stored');
		}),
);

const commands = fc.commands(
	[
		...users,
		...n8n,
		...service,
		changes,
		changes,
		deliver,
		deliver,
		deliver,
		deliver,
		soon,
		soon,
		soon,
		mixed,
		mixed,
		again,
	],
	{ maxCommands: 30, size: '+1' },
);

async function simulate(
	settings: InitialSettings,
	steps: Iterable<fc.AsyncCommand<object, World>>,
): Promise<void> {
	await onItsOwnClock(async () => {
		const world = await World.open(settings);
		try {
			await world.publish();
			await fc.asyncModelRun(() => ({ model: {}, real: world }), steps);
		} finally {
			await world.close();
		}
	});
}

test(
	'in random sequences, Survey B Trigger loses no change, runs none twice and always receives events again after a publish',
	async () => {
		await fc.assert(fc.asyncProperty(settings, commands, simulate), { numRuns: RUNS, seed: SEED });
	},
	60_000 + RUNS * 3_000,
);
