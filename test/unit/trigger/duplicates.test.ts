import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { Duplicates } from '../../../nodes/SurveyB/trigger/state/duplicates';
import { changeOf } from '../../../nodes/SurveyB/trigger/state/change';

// An event whose data has no date of the change.
const EVENT = 'feedback.tags_added_or_changed';

const COMPARISON = { webhookId: '1', since: -Infinity };
const DONE = { isDelivered: true, status: 200, message: 'done' };
const NOT_STORED = { isDelivered: false, status: 503, message: 'again' };
const outcomeOf = (isDelivered: boolean) => (isDelivered ? DONE : NOT_STORED);

/** Returns true if the delivery starts a run. */
function deliver(duplicates: Duplicates, data: IDataObject, event = EVENT): boolean {
	const claim = duplicates.claim(changeOf(event, data), COMPARISON);
	if (claim.kind === 'first') claim.settle(DONE);
	return claim.kind === 'first';
}

function firstOf(duplicates: Duplicates, data: IDataObject) {
	const claim = duplicates.claim(changeOf(EVENT, data), COMPARISON);
	if (claim.kind === 'repeat') throw new RangeError('a repeat');
	return claim;
}

function first(duplicates: Duplicates, data: IDataObject): (isDelivered: boolean) => void {
	const { settle } = firstOf(duplicates, data);
	return (isDelivered) => settle(outcomeOf(isDelivered));
}

const [a, b] = [
	{ id: 1, score: 1 },
	{ id: 1, score: 2 },
];

test.each([EVENT, 'feedback.added_or_changed', 'feedback.status_changed'])(
	'without a date, A, A is a repeat; A, B, A are three changes: %s',
	(event) => {
		const duplicates = new Duplicates();
		expect([a, a, b, b, a].map((data) => deliver(duplicates, data, event))).toEqual([
			true,
			false,
			true,
			false,
			true,
		]);
	},
);

test('a saved delivery is a repeat in another process', () => {
	const before = new Duplicates();
	deliver(before, a);
	const after = new Duplicates();
	after.load(before.dump());
	expect(deliver(after, a)).toBe(false);
	expect(deliver(after, b)).toBe(true);
	after.load(before.dump());
	expect(deliver(after, b)).toBe(false);
});

test('a delivery that equals a saved one starts a run if Ignore Repeats is off', () => {
	const before = new Duplicates();
	deliver(before, a);
	const after = new Duplicates();
	after.load(before.dump());
	const comparison = { ...COMPARISON, onlyOtherWebhooks: true };
	expect(after.claim(changeOf(EVENT, a), comparison).kind).toBe('first');
	const other = { ...comparison, webhookId: '2' };
	expect(after.claim(changeOf(EVENT, a), other).kind).toBe('repeat');
});

test('loading a delivery again does not forget its webhook if Ignore Repeats is off', () => {
	const [one, other] = [new Duplicates(), new Duplicates()];
	deliver(one, a);
	other.load(one.dump());
	deliver(other, { id: 2 });
	one.load(other.dump());
	const comparison = { webhookId: '2', since: -Infinity, onlyOtherWebhooks: true };
	expect(one.claim(changeOf(EVENT, a), comparison).kind).toBe('repeat');
});

test('a delivery counts from the moment its run was stored, however long n8n held it in its queue', () => {
	const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
	const duplicates = new Duplicates();
	const settle = first(duplicates, a);
	clock.mockReturnValue(2 * 3_600_000);
	settle(true);
	const since = Date.now() - 3_600_000;
	const { kind } = duplicates.claim(changeOf(EVENT, a), { webhookId: '1', since });
	clock.mockRestore();
	expect(kind).toBe('repeat');
});

test('two processes that overwrite each other lose no delivery that one of them remembers', () => {
	const [one, other] = [new Duplicates(), new Duplicates()];
	deliver(one, { id: 1, score: 1 });
	deliver(other, { id: 2, score: 1 });
	const overwritten = other.dump();
	one.load(overwritten);
	const saved = one.dump();
	const third = new Duplicates();
	third.load(saved);
	for (const id of [1, 2]) expect(deliver(third, { id, score: 1 })).toBe(false);
	other.load(saved);
	expect(deliver(other, { id: 1, score: 1 })).toBe(false);
});

test('the last delivery counts although the clock of another process is ahead', () => {
	const now = jest.spyOn(Date, 'now').mockReturnValue(1_800_000_060_000);
	const ahead = new Duplicates();
	deliver(ahead, a);
	now.mockReturnValue(1_800_000_000_000);
	const duplicates = new Duplicates();
	duplicates.load(ahead.dump());
	expect(deliver(duplicates, b)).toBe(true);
	deliver(ahead, { id: 2 });
	duplicates.load(ahead.dump());
	expect(deliver(duplicates, b)).toBe(false);
	ahead.load(duplicates.dump());
	expect(deliver(ahead, b)).toBe(false);
	now.mockRestore();
});

test.each([undefined, null, 'x', {}, [1], [['a', 1, 'b']], '?'.repeat(70)])(
	'ignores saved data that cannot be read: %j',
	(x) => {
		const duplicates = new Duplicates();
		duplicates.load(x);
		expect(deliver(duplicates, a)).toBe(true);
	},
);

test('a change that was not stored can be delivered again, and is not saved', async () => {
	const duplicates = new Duplicates();
	const settle = first(duplicates, a);
	const repeat = duplicates.claim(changeOf(EVENT, a), COMPARISON);
	expect(duplicates.dump()).toBe('');
	settle(false);
	expect(repeat.kind === 'repeat' && (await repeat.outcome)).toEqual(NOT_STORED);
	expect(duplicates.dump()).toBe('');
	expect(deliver(duplicates, a)).toBe(true);
});

test('repeats of a queued run get a response before the run is settled', async () => {
	const duplicates = new Duplicates();
	const { respondToRepeats, settle } = firstOf(duplicates, a);
	const repeats = [duplicates.claim(changeOf(EVENT, a), COMPARISON)];
	respondToRepeats(NOT_STORED);
	repeats.push(duplicates.claim(changeOf(EVENT, a), COMPARISON));
	for (const repeat of repeats) {
		expect(repeat.kind === 'repeat' && (await repeat.outcome)).toEqual(NOT_STORED);
	}
	settle(DONE);
	const late = duplicates.claim(changeOf(EVENT, a), COMPARISON);
	expect(late).toEqual({ kind: 'repeat', outcome: undefined });
});

test('equal deliveries are repeats while the first is not stored, however long that takes', () => {
	const duplicates = new Duplicates();
	const settle = first(duplicates, a);
	const later = { ...COMPARISON, since: Date.now() + 1000 };
	expect(duplicates.claim(changeOf(EVENT, a), later).kind).toBe('repeat');
	settle(true);
	expect(duplicates.claim(changeOf(EVENT, a), later).kind).toBe('first');
});

test('a change back after a change that was not stored is no repeat', () => {
	const duplicates = new Duplicates();
	deliver(duplicates, a);
	first(duplicates, b)(false);
	expect(deliver(duplicates, a)).toBe(true);
	expect(deliver(duplicates, b)).toBe(true);
});

test.each([
	['feedback.added_or_changed', 'score_changed'],
	['feedback.status_changed', 'status_changed'],
	['feedback.removed', 'created'],
])(
	'a late repeat of %s with %s is a repeat although another change came between',
	(event, date) => {
		const duplicates = new Duplicates();
		const dated = [1, 2, 1].map((day) => ({ id: 1, [date]: `2026-01-0${day}` }));
		expect(dated.map((data) => deliver(duplicates, data, event))).toEqual([true, true, false]);
	},
);

test('only another webhook repeats a delivery if equal deliveries of one count as changes', () => {
	const duplicates = new Duplicates();
	const claim = (webhookId: string) => {
		const comparison = { webhookId, since: -Infinity, onlyOtherWebhooks: true };
		return duplicates.claim(changeOf(EVENT, a), comparison).kind;
	};
	expect(['1', '2', '1', '2'].map(claim)).toEqual(['first', 'repeat', 'first', 'repeat']);
});

test.each([true, false])(
	'counts a run as being stored from its handover until it is settled (isDelivered: %s)',
	(isDelivered) => {
		const duplicates = new Duplicates();
		const { handOver, settle } = firstOf(duplicates, a);
		const other = first(duplicates, { id: 2 });
		expect(duplicates.storing).toBe(0);
		handOver();
		expect(duplicates.storing).toBe(1);
		other(true);
		expect(duplicates.storing).toBe(1);
		settle(outcomeOf(isDelivered));
		expect(duplicates.storing).toBe(0);
	},
);

test('saves the newest 2,000 deliveries in 40 kB, and remembers 20,000', () => {
	const duplicates = new Duplicates();
	for (let id = 0; id < 20_001; id++) deliver(duplicates, { id });
	const saved = duplicates.dump();
	expect(saved).toHaveLength(40_000);
	expect(deliver(duplicates, { id: 1 })).toBe(false);
	expect(deliver(duplicates, { id: 0 })).toBe(true);
	const other = new Duplicates();
	other.load(saved);
	expect(deliver(other, { id: 20_000 })).toBe(false);
	expect(deliver(other, { id: 18_001 })).toBe(false);
	expect(deliver(other, { id: 18_000 })).toBe(true);
});

test('loading outdated data forgets no later delivery', () => {
	const duplicates = new Duplicates();
	for (let id = 0; id < 100; id++) deliver(duplicates, { id });
	const saved = duplicates.dump();
	for (let id = 0; id < 100; id++) deliver(duplicates, { id, score: 1 });
	duplicates.load(saved);
	for (let id = 0; id < 100; id++) expect(deliver(duplicates, { id, score: 1 })).toBe(false);
});

test('a saved delivery has the same length for any ID', () => {
	const duplicates = new Duplicates();
	deliver(duplicates, { id: 'x'.repeat(3_000_000) });
	expect(duplicates.dump()).toHaveLength(20);
});

test('deliveries before the given time do not count', () => {
	const duplicates = new Duplicates();
	const now = jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
	const claim = (since: number) =>
		duplicates.claim(changeOf(EVENT, a), { webhookId: '1', since }).kind;
	expect(deliver(duplicates, a)).toBe(true);
	expect(claim(1_800_000_000_000)).toBe('repeat');
	expect(claim(1_800_000_000_001)).toBe('first');
	now.mockRestore();
});

test('distinguishes records without an ID by campaign', () => {
	const duplicates = new Duplicates();
	const deliverNps = (campaign_name: string, nps: number) =>
		deliver(duplicates, { campaign_name, nps }, 'metric.score_changed');
	expect(deliverNps('one', 5)).toBe(true);
	expect(deliverNps('two', 6)).toBe(true);
	expect(deliverNps('one', 5)).toBe(false);
	expect(deliverNps('one', 6)).toBe(true);
});

test('a change is identified by its event and data, in any order of fields', () => {
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
			const turned = Object.fromEntries(Object.entries(data).reverse());
			const change = changeOf(EVENT, data);
			expect(changeOf(EVENT, turned)).toEqual(change);
			expect(changeOf(EVENT, { ...data, 'one more': 1 }).deliveryId).not.toBe(change.deliveryId);
			expect(changeOf('tag.merged', data).deliveryId).not.toBe(change.deliveryId);
		}),
		{ seed: 1 },
	);
	const content = (data: IDataObject) => changeOf(EVENT, data).content;
	expect(content({ a: [{ b: 1, c: 2 }] })).toBe(content({ a: [{ c: 2, b: 1 }] }));
	expect(content({ a: [1, 2] })).not.toBe(content({ a: [2, 1] }));
	expect(content({ a: [['b', 1]] })).not.toBe(content({ a: { b: 1 } }));
});

test.each([
	[
		'feedback.status_changed',
		{ id: 1, status_changed: '2026-01-01' },
		'9fc6134a50a3d8ac2bc2f69e0e633baf gmY+x/mT ayM0',
	],
	[
		'tag.merged',
		{ campaign: { id: 101 }, before: 'slow', after: 'late' },
		'f9fb5c9fd27a23f504704eded045f720 1wxUhrzl p+dy',
	],
	[
		'tag.removed',
		{ campaign: { id: 101 }, name: 'slow' },
		'522a07801466e26044f59879b77e6f81 IRRZnD9b IHG/',
	],
	['survey.sent', { text: 'no ID' }, 'd21f089954a26a8b22aa2ffe5e66ef9b ewZIejXI Bgdp'],
])('an update of the node keeps the delivery ID and the saved hashes of %s', (event, data, all) => {
	const { deliveryId, key, content } = changeOf(event, data);
	expect([deliveryId, key, content].join(' ')).toBe(all);
});

test('tags that change and change back under one date of the score are three changes, and a late repeat of an earlier date is a repeat', () => {
	const duplicates = new Duplicates();
	const event = 'feedback.added_or_changed';
	const of = (tags: string[], score_changed = '2026-01-02') => ({ id: 1, tags, score_changed });
	const earlier = of(['old'], '2026-01-01');
	const deliveries = [earlier, of([]), of([]), of(['urgent']), of([]), earlier];
	expect(deliveries.map((data) => deliver(duplicates, data, event))).toEqual([
		true,
		true,
		false,
		true,
		true,
		false,
	]);
});
