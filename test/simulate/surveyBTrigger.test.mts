import fc from 'fast-check';

import { onItsOwnClock } from '../support/clock.mts';
import { SEED, SIMULATED_SEQUENCES as RUNS } from '../support/random.mts';
import { CAMPAIGN_NAME, EVENTS } from './surveyBTriggerChanges';
import { World } from './surveyBTriggerWorld.mts';
import type { Settings } from './surveyBTriggerDeliveries.mts';

// Random sequences of ordinary events around a workflow with one or two triggers: `SIMULATE_RUNS=10000 npm run simulate`.

class Step implements fc.AsyncCommand<object, World> {
	constructor(
		private readonly name: string,
		private readonly work: (world: World) => Promise<unknown> | void,
	) {}

	check(): boolean {
		return true;
	}

	async run(_: object, world: World): Promise<void> {
		// No two steps change in the same millisecond.
		world.advanceClock(1000);
		await this.work(world);
	}

	toString(): string {
		return this.name;
	}
}

const step = (name: string, work: (world: World) => Promise<unknown> | void) =>
	fc.constant(new Step(name, work));

/** Returns steps that differ by a value, which their names show. */
const steps = <Value,>(
	name: string,
	values: fc.Arbitrary<Value>,
	work: (world: World, value: Value) => Promise<unknown> | void,
) =>
	values.map(
		(value) => new Step(`${name} ${JSON.stringify(value)}`, (world) => work(world, value)),
	);

/** Small ranges, so that steps often meet the same record or webhook. */
const few = fc.nat({ max: 2 });
const some = fc.nat({ max: 5 });

const deletion = fc.constantFrom(
	...([204, 204, 204, 404, 405, 500, 'lost', 'html', 'busy', 'busy'] as const),
);
const creation = fc.constantFrom(...(['lost', 503, 404, 429, 'html', 403] as const));
const events = fc.subarray(EVENTS, { minLength: 1, maxLength: 4 });

const edits = {
	events,
	ignoreRepeats: fc.nat({ max: 7 }).map((number) => number > 0),
	minScore: fc.constantFrom(undefined, 1, 8),
	campaign: fc.constantFrom(...(['', '', '101', CAMPAIGN_NAME] as const)),
	routeBy: fc.constantFrom(...(['none', 'event', 'scoreType'] as const)),
	simplify: fc.boolean(),
	hasTwoTriggers: fc.boolean(),
};

const settings: fc.Arbitrary<Settings> = fc.record({
	...edits,
	deletion,
	equalWebhook: fc.constantFrom(...(['another', 'existing'] as const)),
	stripsQuery: fc.constantFrom(...(['', '', 'url', 'body'] as const)),
});

const change = fc.record({
	event: some,
	record: fc.nat({ max: 1 }),
	value: few,
	isEarlier: fc.boolean(),
	isOfTags: fc.boolean(),
	account: few,
});

const users = [
	step('publish', async (world) => await world.publish()),
	steps('publish while POST fails', fc.tuple(creation, few), async (world, [kind, skip]) => {
		world.failToCreate(kind, skip);
		await world.publish();
	}),
	step('unpublish', async (world) => await world.unpublish()),
	steps('edit', fc.record(edits, { requiredKeys: [] }), async (world, one) => {
		await world.edit(one);
	}),
	step('listen without events', async (world) => await world.listenInVain()),
	step('listen for a sample', async (world) => await world.listenForSample()),
	step('rename', async (world) => await world.rename()),
	steps('listen during', change, async (world, one) => await world.listenDuring(one)),
	steps('listen twice for', change, async (world, one) => await world.listenTwice(one)),
	steps('credential of account', few, (world, to) => world.editCredential(to)),
	step('rotate the key', (world) => world.rotateKey()),
	step('delete the credential', (world) => world.deleteCredential()),
	steps('remove by hand and publish', some, async (world, index) => {
		await world.removeByHandAndPublish(index);
	}),
];

const address = fc.constantFrom('localhost', '127.0.0.1');

const n8n = [
	step('restart', async (world) => await world.restart()),
	step('restart, and the last deliveries come again', async (world) => {
		await world.restartAndRepeat();
	}),
	steps('another address, and the last deliveries come again', address, async (world, to) => {
		await world.restartAndRepeat(to);
	}),
	steps('restart with data of saves ago', some, async (world, back) => await world.restart(back)),
	steps('overwrite with data of saves ago', some, (world, back) => world.overwrite(back)),
	steps('import events', events, async (world, one) => await world.importEvents(one)),
	step('restart quietly', async (world) => await world.restartQuietly()),
	steps('restart quietly with data of saves ago', some, async (world, back) => {
		await world.restartQuietly(back);
	}),
	steps('unpublish a copy of', fc.constantFrom('database', 'workflow'), async (world, one) => {
		await world.unpublishCopy(one);
	}),
	step('another process', async (world) => await world.switchProcess()),
	steps(
		'another address',
		fc.tuple(address, fc.boolean()),
		async (world, [to, isQuiet]) => await world.moveTo(to, isQuiet),
	),
	steps('seconds pass', fc.constantFrom(10, 30 * 60, 2 * 3600), (world, seconds) =>
		world.advanceClock(seconds * 1000),
	),
	steps(
		'hold and repeat',
		fc.tuple(change, fc.constantFrom(1, 7200)),
		async (world, [one, seconds]) => {
			await world.holdAndRepeat(one, seconds);
		},
	),
	steps(
		'queue one and run another of the same record',
		fc.tuple(change, few),
		async (world, [one, other]) => {
			await world.overtake(one, other);
		},
	),
	step('the queued run starts', async (world) => await world.release()),
];

const service = [
	steps('DELETE answers', deletion, (world, status) => world.setDeletion(status)),
	steps('POST fails', fc.tuple(creation, few), (world, [kind, skip]) =>
		world.failToCreate(kind, skip),
	),
	step('a stranger calls', async (world) => await world.strangerCalls()),
];

const changed = steps('change', change, async (world, one) => await world.changeRecord(one));

const mixed = steps(
	'changes, their values, and the order of deliveries',
	fc.tuple(
		change,
		fc.array(few, { minLength: 2, maxLength: 3 }),
		fc.array(few, { minLength: 2, maxLength: 5 }),
	),
	async (world, [one, values, order]) => await world.deliverMixed(one, values, order),
);

const back = steps(
	'changes, changes otherwise, and changes back',
	fc.tuple(change, few),
	async (world, [one, other]) => await world.changeThereAndBack(one, other),
);

const again = steps(
	'seconds later the last change happens again',
	fc.constantFrom(10, 2 * 3600),
	async (world, seconds) => {
		world.advanceClock(seconds * 1000);
		await world.repeatLastChange();
	},
);

const together = steps('change and deliver at once', change, async (world, one) => {
	await world.changeRecord(one);
	await world.deliverTogether(2);
});

const how = fc.constantFrom(...(['stored', 'stored', 'failing', 'held', 'again'] as const));
const deliver = steps('deliver', fc.tuple(some, how), async (world, [index, outcome]) => {
	await world.deliver(index, outcome);
});

const soon = steps('change and deliver', change, async (world, one) => {
	for (const delivery of await world.changeRecord(one)) await world.post(delivery);
});

const commands = fc.commands(
	[
		...[...users, ...n8n, ...service],
		...[changed, changed, deliver, deliver, deliver, deliver, deliver],
		...[soon, soon, soon, together, together, mixed, mixed, back, again],
	],
	{ maxCommands: 30, size: '+1' },
);

async function simulate(
	chosen: Settings,
	sequence: Iterable<fc.AsyncCommand<object, World>>,
): Promise<void> {
	await onItsOwnClock(async () => {
		const world = await World.open(chosen);
		try {
			await world.publish();
			await fc.asyncModelRun(() => ({ model: {}, real: world }), sequence);
			await world.settle();
		} finally {
			await world.close();
		}
	});
}

test(
	'in random sequences, Survey B Trigger runs every change once, now or when its delivery is repeated',
	async () => {
		const endOnFailure = process.env.SIMULATE_SHRINK === 'no';
		const property = fc.asyncProperty(settings, commands, simulate);
		await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure });
	},
	60_000 + RUNS * 3_000,
);
