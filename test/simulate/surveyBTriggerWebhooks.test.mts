import fc from 'fast-check';

import { EVENTS } from '../../sandbox';
import { onItsOwnClock } from '../support/clock.mts';
import { SEED, SIMULATED_SEQUENCES as RUNS } from '../support/random.mts';
import { World } from './surveyBTriggerWorld.mts';
import type { Fault, Nature } from './surveyBTriggerWorld.mts';

// The life of the webhooks of one Survey B Trigger: `SIMULATE_RUNS=10000 npm run simulate`. `surveyBTrigger.test.mts` is
// about the deliveries.
//
// WHAT IT KNOWS. The contract, and n8n 2.41: both ways of publishing, the steps of a publish, what n8n does after it was
// killed between two of them, several processes that save the static data as a whole. Users publish, unpublish and test,
// also at once, and remove webhooks by hand. A service may have no request to remove a webhook, may return an equal one,
// and may fail. It knows nothing of how the trigger works.
//
// WHAT IT CHECKS.
// - After a publish, a change of each event starts one run, also if n8n was killed at any step of it and started again. It goes
//   on doing so during each edit that has the event.
// - What somebody removed by hand is there again after an unpublish and a publish, or a restart and an edit.
// - In queue mode, each change starts one run, whatever the service answers to a removal. During the first edit after a restart, it
//   may start two.
// - An edit adds no webhook for an event that has one if the service cannot remove it, and neither does a test.
// - After an unpublish, nothing is left that can be removed. The rest has its name in the log, which has no token.
// - A start of n8n sends no request.
//
// WHAT NOBODY CAN KNOW. A webhook whose creation got no response, or was cut off by the end of n8n: the contract shows no list of
// webhooks. In queue mode it may start a second run.

type Work = (world: World) => Promise<void> | void;

class Step implements fc.AsyncCommand<object, World> {
	constructor(
		private readonly name: string,
		private readonly work: Work,
	) {}

	check(): boolean {
		return true;
	}

	async run(_: object, world: World): Promise<void> {
		await world.wait(1);
		await this.work(world);
		await world.changeAll();
	}

	toString(): string {
		return this.name;
	}
}

/** Returns steps that differ by a value, which their names show. */
const steps = <Value,>(
	name: string,
	values: fc.Arbitrary<Value>,
	work: (world: World, value: Value) => Promise<void> | void,
) =>
	values.map(
		(value) => new Step(`${name} ${JSON.stringify(value)}`, (world) => work(world, value)),
	);

const SOME = EVENTS.slice(0, 4);

/** Not less than an edit has, before and after each request and each write to n8n's database. */
const STEPS_OF_AN_EDIT = 25;

const events = fc.subarray(SOME, { minLength: 1 });
const moment = fc.nat({ max: 24 });
const seconds = fc.constantFrom(1, 5, 15, 60, 3600);
const fault = fc.constantFrom<Fault>('lost', 'refused', 503);
const nature: fc.Arbitrary<Nature> = fc.record({
	hasOutbox: fc.boolean(),
	isQueue: fc.boolean(),
	deletion: fc.constantFrom(204, 404, 405),
	equal: fc.constantFrom('another', 'existing', 'refused'),
});

const commands = fc.commands(
	[
		steps('edit', events, async (world, chosen) => await world.edit(chosen)),
		steps('publish again', fc.constant(0), async (world) => await world.publish()),
		steps('unpublish, wait and publish', seconds, async (world, wait) => await world.toggle(wait)),
		steps(
			'two users edit',
			fc.tuple(events, events),
			async (world, [one, other]) => await world.together(one, other),
		),
		steps('edit and unpublish', events, async (world, one) => await world.together(one)),
		steps('remove by hand', fc.nat({ max: 5 }), (world, at) => world.removeByHand(at)),
		steps('copy the node', fc.constant(0), async (world) => await world.copyNode()),
		steps('test', fc.constant(0), async (world) => await world.test()),
		steps('kill in an edit', fc.tuple(moment, events), async (world, [at, chosen]) => {
			await world.killDuring(at, async () => await world.edit(chosen));
		}),
		steps('kill in an unpublish', moment, async (world, at) => {
			await world.killDuring(at, async () => await world.unpublish());
		}),
		steps('kill in a publish', fc.tuple(moment, seconds), async (world, [at, wait]) => {
			await world.killDuring(at, async () => await world.toggle(wait));
		}),
		steps('restart', fc.constant(0), async (world) => await world.restart()),
		steps('a run saves data of publishes ago', fc.nat({ max: 2 }), (world, back) =>
			world.saveEarlier(back),
		),
		steps('wait', seconds, async (world, wait) => await world.wait(wait)),
		steps(
			'POST fails in an edit',
			fc.tuple(fault, fc.nat({ max: 2 }), events),
			async (world, [kind, skip, chosen]) => {
				await world.faulty('POST', kind, skip, async () => await world.edit(chosen));
			},
		),
		steps(
			'POST fails in a publish',
			fc.tuple(fault, fc.nat({ max: 2 }), seconds),
			async (world, [kind, skip, wait]) => {
				await world.faulty('POST', kind, skip, async () => await world.toggle(wait));
			},
		),
		steps(
			'DELETE fails in an edit',
			fc.tuple(fault, fc.nat({ max: 2 }), events),
			async (world, [kind, skip, chosen]) => {
				await world.faulty('DELETE', kind, skip, async () => await world.edit(chosen));
			},
		),
		steps('DELETE fails in an unpublish', fc.tuple(fault, seconds), async (world, [kind, wait]) => {
			await world.faulty('DELETE', kind, 0, async () => await world.toggle(wait));
		}),
		steps('changes during an edit', events, async (world, chosen) => {
			await world.changesDuring(async () => await world.edit(chosen));
		}),
	],
	{ maxCommands: 14, size: '+1' },
);

async function simulate(
	kind: Nature,
	chosen: string[],
	work: (world: World) => Promise<void>,
): Promise<void> {
	await onItsOwnClock(async () => {
		const world = await World.open(kind, chosen);
		try {
			await world.publish();
			await work(world);
			await world.end();
		} finally {
			await world.close();
		}
	});
}

test(
	'in random sequences, every selected event has a working webhook, runs once, and none is left without a name',
	async () => {
		const endOnFailure = process.env.SIMULATE_SHRINK === 'no';
		const property = fc.asyncProperty(nature, events, commands, async (kind, chosen, sequence) => {
			await simulate(kind, chosen, async (world) => {
				await fc.asyncModelRun(() => ({ model: {}, real: world }), sequence);
			});
		});
		await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure });
	},
	60_000 + RUNS * 3_000,
);

test.each([true, false])(
	'n8n that was killed at any step of an edit starts runs of each of its events after its restart (way of publishing since 2.40: %s)',
	async (hasOutbox) => {
		const kind: Nature = { hasOutbox, isQueue: false, deletion: 204, equal: 'another' };
		const broken: string[] = [];
		for (let at = 0; at < STEPS_OF_AN_EDIT; at++) {
			const work = simulate(kind, SOME.slice(0, 2), async (world) => {
				await world.killDuring(at, async () => await world.edit(SOME.slice(1, 3)));
				await world.changeAll();
			});
			await work.catch((error: unknown) => broken.push(`${at}: ${String(error)}`));
		}
		expect(broken).toEqual([]);
	},
	120_000,
);

test.each(
	[true, false].flatMap((hasOutbox) =>
		([204, 404, 405] as const).map((deletion) => ({ hasOutbox, deletion })),
	),
)(
	'in queue mode, 20 edits under 25 deliveries a second with restarts between leave one webhook for each event, and each change runs once: %j',
	async ({ hasOutbox, deletion }) => {
		const kind: Nature = { hasOutbox, isQueue: true, deletion, equal: 'another' };
		await simulate(kind, SOME.slice(0, 2), async (world) => {
			for (let round = 1; round <= 20; round++) {
				const chosen = SOME.filter((_, i) => (((round * 7) % 15) + 1) & (1 << i));
				await world.changesDuring(async () => await world.edit(chosen));
				await world.changeAll();
				if (round % 4 === 0) await world.restart();
			}
		});
	},
	120_000,
);
