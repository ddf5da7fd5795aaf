import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { InProcessServiceA, InProcessStage } from './inProcessServiceA.mts';
import { SEED } from '../support/random.mts';
import { EVENTS, HistoryAccount, RUNS } from './surveyATriggerAccount.mts';
import type { Dating, Event } from './surveyATriggerAccount.mts';

// Random histories of two accounts and of a trigger that polls them. `SIMULATE_RUNS=10000` tries more.

const SECOND = 1000;

/** A burst is about as large as a page of 20 rows. Where pages are larger, so are bursts. */
const count = fc.oneof(
	{ weight: 4, arbitrary: fc.integer({ min: 1, max: 3 }) },
	{ weight: 1, arbitrary: fc.integer({ min: 18, max: 34 }) },
);

const event = fc.constantFrom(...EVENTS);
const place = fc.nat(10_000);

const create = fc.record({
	do: fc.constant('create' as const),
	event,
	count,
	dating: fc.constantFrom<Dating>('now', 'same', 'late', 'ahead', 'missing', 'delayed', 'queued'),
	seconds: fc.integer({ min: 0, max: 540 }),
	/** True if it happens in the other account. */
	elsewhere: fc.boolean(),
});

const remove = fc.record({ do: fc.constant('remove' as const), event, place });

const step = fc.oneof(
	{ weight: 8, arbitrary: create },
	{ weight: 2, arbitrary: remove },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('deliver' as const) }) },
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant('wait' as const),
			seconds: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 100_000 })),
		}),
	},
	{
		weight: 6,
		arbitrary: fc.record({
			do: fc.constant('poll' as const),
			/** Changes after a number of responses. */
			meanwhile: fc.array(fc.tuple(fc.integer({ min: 1, max: 8 }), fc.oneof(create, remove)), {
				maxLength: 2,
			}),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('failingPoll' as const),
			after: fc.integer({ min: 0, max: 8 }),
		}),
	},
	...(['dropped', 'restart', 'rename', 'rotateKey', 'replaceNode'] as const).map((name) => ({
		weight: 1,
		arbitrary: fc.record({ do: fc.constant(name) }),
	})),
	{
		weight: 1,
		arbitrary: fc.record({ do: fc.constant('switchAccount' as const), isPublished: fc.boolean() }),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('filter' as const),
			maxScore: fc.constantFrom(undefined, 6),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('events' as const),
			events: fc.subarray([...EVENTS], { minLength: 1 }),
		}),
	},
);

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const history = fc.record({
	atFirst: fc.constantFrom(0, 3, 6, 26),
	pageSize: fc.oneof(
		{ weight: 2, arbitrary: fc.constant(20) },
		{ weight: 1, arbitrary: fc.constant(1000) },
	),
	events: fc.subarray([...EVENTS], { minLength: 1, maxLength: 2 }),
	steps: fc.array(step, { minLength: 3, maxLength: 30 }),
});

type History = typeof history extends fc.Arbitrary<infer One> ? One : never;

const START = Date.UTC(2027, 3, 5, 12);

/** The time of the history, for n8n and the services. */
const clock = { time: START };

/** Runs one history. */
class Simulation {
	private current: HistoryAccount;
	private readonly credential;
	private readonly stage: InProcessStage;
	private readonly pageSize: number;
	private events: Event[];
	private maxScore?: number;
	/**
	 * True if the credential was changed since n8n last stored the trigger's data. n8n stores a poll without items only
	 * when the workflow is published, so a restart or a dropped poll would begin anew with the other account.
	 */
	private isUnsaved = false;
	private names = 0;
	private nodes = 0;

	constructor(
		private readonly accounts: [HistoryAccount, HistoryAccount],
		{ atFirst, pageSize, events }: History,
	) {
		this.pageSize = Math.min(pageSize, 100);
		clock.time = START;
		for (const account of accounts) {
			account.begin(pageSize);
			for (const one of EVENTS) {
				clock.time -= 3600 * SECOND;
				account.create(one, Math.floor(this.scaled(atFirst) / 2), 'now');
				clock.time += 3600 * SECOND;
				account.create(one, Math.ceil(this.scaled(atFirst) / 2), 'now');
			}
		}
		[this.current] = accounts;
		this.events = events;
		this.credential = { ...this.current.credential };
		this.stage = new InProcessStage(this.credential, services);
	}

	async run(steps: Step[]): Promise<void> {
		await this.publish();
		for (const one of steps) await this.take(one);
		await this.settle();
		await this.switchAccount(true);
		await this.settle();
		const due = this.accounts.flatMap((account) => account.due());
		const optional = new Set(this.accounts.flatMap((account) => account.optional()));
		const came = this.stage.came;
		expect(came.filter((name) => !optional.has(name)).sort()).toEqual(due.sort());
		expect(came).toHaveLength(new Set(came).size);
		await this.stage.deactivate();
	}

	private async take(one: Step): Promise<void> {
		switch (one.do) {
			case 'create':
			case 'remove':
				return this.change(one);
			case 'deliver':
				return this.current.deliver();
			case 'wait':
				clock.time += one.seconds * SECOND;
				return;
			case 'poll':
				return await this.pollWhile(one.meanwhile);
			case 'failingPoll':
				this.current.failAfter(one.after);
				await this.stage.poll().then(
					() => this.learn(),
					() => undefined,
				);
				return this.current.recover();
			case 'dropped':
				// n8n drops a poll if the workflow is published during the poll.
				if (!this.isUnsaved) await this.stage.pollInVain();
				return await this.publish();
			case 'restart':
				clock.time += SECOND;
				if (this.isUnsaved) return await this.publish();
				await this.stage.restart();
				return this.learn();
			case 'rename':
				this.stage.name = `Trigger ${++this.names}`;
				return await this.publish();
			case 'rotateKey':
				if (!this.current.canBeRecognized(this.pageSize)) return;
				return this.useCredential(this.current.rotateKey());
			case 'replaceNode':
				// The new node starts from now in both accounts.
				await this.settle();
				await this.switchAccount(true);
				await this.settle();
				this.stage.nodeId = `node ${++this.nodes}`;
				for (const account of this.accounts) account.forget();
				return await this.publish();
			case 'switchAccount':
				return await this.switchAccount(one.isPublished);
			case 'filter':
				await this.settle();
				this.maxScore = one.maxScore;
				return await this.publish();
			case 'events':
				await this.settle();
				this.events = one.events;
				return await this.publish();
		}
	}

	private change(one: Extract<Step, { do: 'create' | 'remove' }>): void {
		if (one.do === 'remove') return this.current.remove(one.event, one.place);
		const account = one.elsewhere ? this.other : this.current;
		account.create(one.event, this.scaled(one.count), one.dating, one.seconds);
	}

	/** A poll asks for 100 rows first. Small counts stay small. */
	private scaled(count: number): number {
		return count > 3 ? (count * this.pageSize) / 20 : count;
	}

	private async pollWhile(meanwhile: Array<[number, Step]>): Promise<void> {
		let responses = 0;
		this.current.afterResponse(() => {
			responses++;
			for (const [after, one] of meanwhile) {
				if (after === responses && (one.do === 'create' || one.do === 'remove')) this.change(one);
			}
		});
		await this.stage.poll();
		this.current.afterResponse(undefined);
		this.learn();
	}

	private async switchAccount(isPublished: boolean): Promise<void> {
		this.current = this.other;
		this.useCredential(this.current.credential);
		if (isPublished) return await this.publish();
		await this.stage.poll();
		this.isUnsaved = true;
		this.learn();
	}

	private useCredential(credential: object): void {
		Object.assign(this.credential, credential);
	}

	private async publish(): Promise<void> {
		clock.time += SECOND;
		const filters = this.maxScore === undefined ? {} : { maxScore: this.maxScore };
		const parameters: INodeParameters = {
			events: this.events,
			routeBy: 'none',
			simplify: false,
			filters,
		};
		await this.stage.publish(parameters);
		this.isUnsaved = false;
		this.learn();
	}

	/** Polls until no row can be pending in the account: a late row may be hidden for ten minutes. */
	private async settle(): Promise<void> {
		await this.stage.poll();
		this.learn();
		clock.time += 601 * SECOND;
		await this.stage.poll();
		this.current.settle(this.maxScore);
	}

	private learn(): void {
		this.current.polled(this.events, this.maxScore);
	}

	private get other(): HistoryAccount {
		const [first, second] = this.accounts;
		return this.current === first ? second : first;
	}
}

const first = new InProcessServiceA('https://a.example');
const second = new InProcessServiceA('https://b.example');
const services = [first, second];

const accounts: [HistoryAccount, HistoryAccount] = [
	new HistoryAccount(first, 'a'),
	new HistoryAccount(second, 'b'),
];

const realNow = Date.now;

// A spy would record thousands of calls in each history.
beforeAll(() => void (Date.now = () => clock.time));
afterAll(() => void (Date.now = realNow));

test(
	`each new row of an account comes out exactly once, none from before the start (${RUNS} histories)`,
	async () => {
		await fc.assert(
			fc.asyncProperty(history, async (one) => await new Simulation(accounts, one).run(one.steps)),
			{ numRuns: RUNS, seed: SEED },
		);
	},
	60_000 + RUNS * 500,
);
