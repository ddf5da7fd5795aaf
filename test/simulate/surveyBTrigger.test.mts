import fc from 'fast-check';

import { onItsOwnClock } from '../support/clock.mts';
import { SEED, SIMULATED_SEQUENCES as RUNS } from '../support/random.mts';
import { EVENTS } from './surveyBTriggerChanges';
import { World } from './surveyBTriggerWorld.mts';
import type { Creation, Deletion, Settings } from './surveyBTriggerWorld.mts';

// Random sequences of ordinary events around a workflow with Survey B Trigger: `SIMULATE_RUNS=10000 npm run simulate`.
//
// PARTS. `surveyBTriggerChanges.ts` makes the service's changes as the contract writes them. `surveyBTriggerLedger.ts`
// knows which changes ran, and says whether the outcome of a delivery is right. `surveyBTriggerWorld.mts` has a service of
// the sandbox, n8n (`emulatedN8n.ts`: n8n-core's contexts in n8n 2.41's order), and the steps. This file draws the steps.
//
// WHAT IT KNOWS. The contract; that n8n calls delete, then create, and tries a failed create five times; that n8n has
// several processes with one static data, which is saved as a whole; that users edit, stop and test at any moment.
// It knows nothing of how the trigger works.
//
// WHAT IT CHECKS.
// - A valid delivery of a selected event gets a 200. It has run, is held back by a filter, or equals the last one of its
//   record. Equal deliveries run once. A failed delivery runs when it comes again. During a publish, n8n's own 404 is
//   allowed, and the delivery runs when it comes again.
// - Publishing ends within 60 s: beside a run that takes all of Requests per Minute, and with nine events at ten a minute.
//   It fails only because of the service. Afterwards each event has a new webhook, and soon no earlier one is left.
// - A start of n8n that changes nothing sends no request. A test in the editor leaves no webhook.
// - Guessed tokens start no run, and do not fill the log while the credential cannot be read. No drop-down offers a value
//   that n8n would evaluate as an expression.
//
// WHAT IT FORGIVES, as docs/deliveries.md says.
// - An undated change that equals the last one of its record within an hour and since publishing counts as a repeat.
// - A repeat runs again after another content, after an hour, after a publish, and after static data was lost.
// - A webhook stays if the service refused to remove it, if the response to its creation or the static data was lost, and
//   after a change of the key.

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

const few = fc.nat({ max: 2 });
const some = fc.nat({ max: 5 });

const settings: fc.Arbitrary<Settings> = fc.record({
	events: fc.subarray(EVENTS, { minLength: 1, maxLength: 4 }),
	minScore: fc.constantFrom(undefined, undefined, 1),
	routeBy: fc.constantFrom(...(['none', 'event', 'scoreType'] as const)),
});

const change = fc.record({
	event: some,
	record: fc.nat({ max: 1 }),
	value: few,
	isEarlier: fc.boolean(),
	isOfTags: fc.boolean(),
});

const creation = fc.constantFrom<Creation>('lost', 503, 404, 429, 'html');
const deletion = fc.constantFrom<Deletion>(204, 204, 204, 404, 500, 'lost');
const ahead = fc.constantFrom(25 * 3600_000, 2 * 3600_000);

const users = [
	step('publish', async (world) => await world.edit({})),
	step('unpublish, and publish', async (world) => {
		await world.unpublish();
		await world.publish();
	}),
	steps('edit', settings, async (world, one) => await world.edit(one)),
	steps('edit while POST fails', fc.tuple(creation, few), async (world, [kind, skip]) => {
		world.failToCreate(kind, skip);
		await world.edit({});
	}),
	step('edit nine events at ten requests a minute', async (world) => await world.editPaced()),
	step('edit beside a run', async (world) => await world.editBesideRun()),
	step('stop while listening begins', async (world) => await world.stopWhileListening()),
	steps('unpublish, and listen across a restart', change, async (world, one) => {
		await world.unpublish();
		await world.listenAcrossRestart(one);
		await world.publish();
	}),
	step('rotate the key, and publish', async (world) => {
		world.rotateKey();
		await world.edit({});
	}),
	step('guess tokens', async (world) => await world.guessTokens()),
];

const n8n = [
	steps('restart with data of saves ago', fc.constantFrom(0, 0, 1, 2), async (world, back) => {
		await world.restart(back);
	}),
	step('start', async (world) => await world.start()),
	step('empty the static data, and restart', async (world) => {
		world.empty();
		await world.restart();
	}),
	step('another process', async (world) => await world.switchProcess()),
	steps('two processes save', fc.tuple(change, change), async (world, [one, other]) => {
		await world.saveTogether(one, other);
	}),
	steps('seconds pass', fc.constantFrom(10, 30 * 60, 2 * 3600), (world, seconds) =>
		world.advanceClock(seconds * 1000),
	),
];

const service = [
	steps('DELETE answers', deletion, (world, status) => world.setDeletion(status)),
	steps('the clock is ahead', fc.tuple(change, ahead), async (world, [one, by]) => {
		await world.deliverAhead(one, by);
	}),
	steps('deliver during a publish', fc.tuple(change, few), async (world, [one, skip]) => {
		await world.deliverDuringPublish(one, skip);
	}),
	steps('n8n cannot store', change, async (world, one) => await world.failToStore(one)),
	steps('change and deliver at once', change, async (world, one) => {
		await world.deliverTogether(one);
	}),
	step('list tags', async (world) => await world.listTags()),
];

const back = steps(
	'there and back, and in queue mode',
	fc.tuple(change, fc.nat({ max: 10 }), fc.boolean()),
	async (world, [one, other, isQueue]) => await world.changeThereAndBack(one, other, isQueue),
);
const soon = steps('change', change, async (world, one) => await world.deliver(world.change(one)));
const again = step('the last delivery comes again', async (world) => await world.repeatLast());

const commands = fc.commands(
	[...users, ...n8n, ...service, ...[soon, soon, soon, back, back, again, again]],
	{ maxCommands: 25, size: '+1' },
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
			await world.end();
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
