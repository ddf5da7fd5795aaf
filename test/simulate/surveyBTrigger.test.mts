import fc from 'fast-check';

import { onItsOwnClock } from '../support/clock.mts';
import { SEED, SIMULATED_SEQUENCES as RUNS } from '../support/random.mts';
import { EVENTS } from './surveyBTriggerChanges';
import { Simulation } from './surveyBTriggerSimulation.mts';
import type { Settings } from './surveyBTriggerSimulation.mts';

// Random sequences of ordinary events around a workflow with Survey B Trigger: `SIMULATE_RUNS=10000 npm run simulate`.
// `surveyBTriggerWebhooks.test.mts` is about the webhooks.
//
// PARTS. `surveyBTriggerChanges.ts` makes the service's changes as the contract writes them. `surveyBTriggerLedger.ts`
// knows which changes ran, and says whether the outcome of a delivery is right. `surveyBTriggerSimulation.mts` has a service of
// the sandbox, n8n (`emulatedN8n.ts`: n8n-core's contexts in n8n 2.41's order), and the steps. This file draws the steps.
//
// WHAT IT KNOWS. The contract; that n8n calls delete, then create; that n8n has webhook processors, and static data that is
// saved as a whole; that users edit and unpublish at any moment. It knows nothing of how the trigger works.
//
// WHAT IT CHECKS.
// - A valid delivery of a selected event gets a 200. It has run, is held back by a filter, or equals the last one of its
//   record that its process got. Equal deliveries run once. A failed delivery runs when it comes again. During a publish, n8n's own 404 is
//   allowed, and the delivery runs when it comes again.
// - A start of n8n sends no request.
//
// WHAT IT FORGIVES, as docs/deliveries.md says.
// - An undated change that equals the last one of its record within an hour and since publishing counts as a repeat.
// - A repeat runs again after another content, after an hour, after a publish, in another process, and in a webhook processor
//   unless it is dated.

class Step implements fc.AsyncCommand<object, Simulation> {
	constructor(
		private readonly name: string,
		private readonly work: (simulation: Simulation) => Promise<unknown> | void,
	) {}

	check(): boolean {
		return true;
	}

	async run(_: object, simulation: Simulation): Promise<void> {
		// No two steps change in the same millisecond.
		simulation.advanceClock(1000);
		await this.work(simulation);
	}

	toString(): string {
		return this.name;
	}
}

const step = (name: string, work: (simulation: Simulation) => Promise<unknown> | void) =>
	fc.constant(new Step(name, work));

/** Returns steps that differ by a value, which their names show. */
const steps = <Value,>(
	name: string,
	values: fc.Arbitrary<Value>,
	work: (simulation: Simulation, value: Value) => Promise<unknown> | void,
) =>
	values.map(
		(value) =>
			new Step(`${name} ${JSON.stringify(value)}`, (simulation) => work(simulation, value)),
	);

const few = fc.nat({ max: 2 });
const some = fc.nat({ max: 5 });

const settings: fc.Arbitrary<Settings> = fc.record({
	events: fc.subarray(EVENTS, { minLength: 1, maxLength: 4 }),
	minScore: fc.constantFrom(undefined, undefined, 1),
	routeBy: fc.constantFrom(...(['none', 'scoreType'] as const)),
});

const change = fc.record({
	event: some,
	record: fc.nat({ max: 1 }),
	value: few,
	isEarlier: fc.boolean(),
	isOfTags: fc.boolean(),
});

const users = [
	step('publish', async (simulation) => await simulation.edit({})),
	step('unpublish, and publish', async (simulation) => {
		await simulation.unpublish();
		await simulation.publish();
	}),
	steps('edit', settings, async (simulation, one) => await simulation.edit(one)),
	step('rotate the key, and publish', async (simulation) => {
		simulation.rotateKey();
		await simulation.edit({});
	}),
];

const n8n = [
	steps('restart with data of saves ago', fc.constantFrom(0, 0, 1, 2), async (simulation, back) => {
		await simulation.restart(back);
	}),
	step('start', async (simulation) => await simulation.start()),
	step('empty the static data, and restart', async (simulation) => {
		simulation.empty();
		await simulation.restart();
	}),
	step('another process', async (simulation) => await simulation.switchProcess()),
	steps('seconds pass', fc.constantFrom(10, 30 * 60, 2 * 3600), (simulation, seconds) =>
		simulation.advanceClock(seconds * 1000),
	),
];

const service = [
	steps('deliver during a publish', fc.tuple(change, few), async (simulation, [one, skip]) => {
		await simulation.deliverDuringPublish(one, skip);
	}),
	steps('n8n cannot store', change, async (simulation, one) => await simulation.failToStore(one)),
	steps('change and deliver at once', change, async (simulation, one) => {
		await simulation.deliverTogether(one);
	}),
];

const back = steps(
	'there and back, and in queue mode',
	fc.tuple(change, fc.nat({ max: 10 }), fc.boolean()),
	async (simulation, [one, other, isQueue]) =>
		await simulation.changeThereAndBack(one, other, isQueue),
);
const soon = steps(
	'change',
	change,
	async (simulation, one) => await simulation.deliver(simulation.change(one)),
);
const again = step(
	'the last delivery comes again',
	async (simulation) => await simulation.repeatLast(),
);

const commands = fc.commands(
	[...users, ...n8n, ...service, ...[soon, soon, soon, back, back, again, again]],
	{ maxCommands: 25, size: '+1' },
);

async function simulate(
	chosen: Settings,
	sequence: Iterable<fc.AsyncCommand<object, Simulation>>,
): Promise<void> {
	await onItsOwnClock(async () => {
		const simulation = await Simulation.open(chosen);
		try {
			await simulation.publish();
			await fc.asyncModelRun(() => ({ model: {}, real: simulation }), sequence);
			await simulation.end();
		} finally {
			await simulation.close();
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
