import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { Duplicates } from '../../../nodes/SurveyB/trigger/state/duplicates';
import { changeOf } from '../../../nodes/SurveyB/trigger/state/hash';

const EVENT = 'feedback.removed';

/** Delivers, and tells whether that started a run. */
function deliver(duplicates: Duplicates, data: IDataObject, event = EVENT): boolean {
	const claim = duplicates.claim(changeOf(event, data));
	if (claim.kind === 'first') claim.settle(true);
	return claim.kind === 'first';
}

function firstOf(duplicates: Duplicates, data: IDataObject) {
	const claim = duplicates.claim(changeOf(EVENT, data));
	if (claim.kind === 'duplicate') throw new RangeError('a repeat');
	return claim;
}

function first(duplicates: Duplicates, data: IDataObject): (stored: boolean) => void {
	return firstOf(duplicates, data).settle;
}

const [a, b] = [
	{ id: 1, score: 1 },
	{ id: 1, score: 2 },
];

test('A, A is a repeat; A, B, A are three changes', () => {
	const duplicates = new Duplicates();
	expect([a, a, b, b, a].map((data) => deliver(duplicates, data))).toEqual([
		true,
		false,
		true,
		false,
		true,
	]);
});

test('what was saved is known to another process', () => {
	const before = new Duplicates();
	deliver(before, a);
	const after = new Duplicates();
	after.load(before.dump());
	expect(deliver(after, a)).toBe(false);
	expect(deliver(after, b)).toBe(true);
	after.load(before.dump());
	expect(deliver(after, b)).toBe(false);
});

test('two processes that save over each other lose nothing that one of them still knows', () => {
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

test('what came last counts, also where the clock of another process is ahead', () => {
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

test('what version 0.1.0 saved is known', () => {
	// As that version wrote it, for `a` delivered as EVENT.
	const saved = [[`${EVENT} 1`, 'HfnBAou3gNk/PLxZ', 1_700_000_000_000]];
	const duplicates = new Duplicates();
	duplicates.load(saved);
	expect(deliver(duplicates, b)).toBe(true);
	const same = new Duplicates();
	same.load(saved);
	expect(deliver(same, a)).toBe(false);
});

test.each([undefined, null, 'x', {}, [1], [['a', 1, 'b']], '?'.repeat(70)])(
	'%j saved is as good as nothing',
	(x) => {
		const duplicates = new Duplicates();
		duplicates.load(x);
		expect(deliver(duplicates, a)).toBe(true);
	},
);

test('a released claim may come again, and is never saved', async () => {
	const duplicates = new Duplicates();
	const settle = first(duplicates, a);
	const repeat = duplicates.claim(changeOf(EVENT, a));
	expect(duplicates.dump()).toBe('');
	settle(false);
	expect(repeat.kind === 'duplicate' && (await repeat.stored)).toBe(false);
	expect(duplicates.dump()).toBe('');
	expect(deliver(duplicates, a)).toBe(true);
});

test('a claim is settled once: what n8n says later does not count', async () => {
	const duplicates = new Duplicates();
	const settle = first(duplicates, a);
	settle(true);
	settle(false);
	expect(deliver(duplicates, a)).toBe(false);
});

test.each([true, false])(
	'n8n is storing a run from when it is handed over until it is settled (%s)',
	(stored) => {
		const duplicates = new Duplicates();
		const { handOver, settle } = firstOf(duplicates, a);
		const other = first(duplicates, { id: 2 });
		expect(duplicates.storing).toBe(0);
		handOver();
		handOver();
		expect(duplicates.storing).toBe(1);
		other(true);
		expect(duplicates.storing).toBe(1);
		settle(stored);
		settle(stored);
		handOver();
		expect(duplicates.storing).toBe(0);
	},
);

test('while a claim is pending, what stood before it is what is saved', () => {
	const duplicates = new Duplicates();
	deliver(duplicates, a);
	const settled = duplicates.dump();
	const settleB = first(duplicates, b);
	const settleA = first(duplicates, a);
	expect(duplicates.dump()).toEqual(settled);
	settleB(false);
	settleA(false);
	expect(deliver(duplicates, a)).toBe(false);
	expect(deliver(duplicates, b)).toBe(true);
});

test('the memory is bounded, forgets the oldest first, and takes 25 bytes a record at most', () => {
	const duplicates = new Duplicates();
	for (let id = 0; id < 1500; id++) deliver(duplicates, { id, comment: 'x'.repeat(1000) });
	const saved = JSON.stringify(duplicates.dump());
	expect(saved.length).toBeLessThanOrEqual(1000 * 25);
	const other = new Duplicates();
	other.load(JSON.parse(saved));
	expect(deliver(other, { id: 1499, comment: 'x'.repeat(1000) })).toBe(false);
	expect(deliver(other, { id: 500, comment: 'x'.repeat(1000) })).toBe(false);
	expect(deliver(other, { id: 499, comment: 'x'.repeat(1000) })).toBe(true);
});

test.each([
	['an earlier version of its own memory', () => [0, 1000]],
	["another process's older deliveries", () => [10_000, 11_000]],
])('%s makes a full memory forget nothing that came later', (_, range) => {
	const now = jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
	const [from = 0, to = 0] = range();
	const earlier = new Duplicates();
	for (let id = from; id < to; id++) deliver(earlier, { id });
	const saved = earlier.dump();

	now.mockReturnValue(1_800_000_001_000);
	const duplicates = new Duplicates();
	for (let id = 0; id < 1500; id++) deliver(duplicates, { id });
	const settle = first(duplicates, { id: 1500 });
	duplicates.load(saved);
	for (let id = 501; id < 1500; id++) expect(deliver(duplicates, { id })).toBe(false);
	expect(duplicates.claim(changeOf(EVENT, { id: 1500 })).kind).toBe('duplicate');
	settle(true);
	const other = new Duplicates();
	other.load(duplicates.dump());
	for (let id = 501; id <= 1500; id++) expect(deliver(other, { id })).toBe(false);
	now.mockRestore();
});

test('what another process delivered later takes the place of the oldest', () => {
	const now = jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
	const duplicates = new Duplicates();
	for (let id = 0; id < 1000; id++) deliver(duplicates, { id });
	now.mockReturnValue(1_800_000_001_000);
	const other = new Duplicates();
	for (let id = 1000; id < 1010; id++) deliver(other, { id });
	duplicates.load(other.dump());
	for (let id = 10; id < 1010; id++) expect(deliver(duplicates, { id })).toBe(false);
	expect(deliver(duplicates, { id: 9 })).toBe(true);
	now.mockRestore();
});

test('an ID of any length takes the same room', () => {
	const duplicates = new Duplicates();
	deliver(duplicates, { id: 'x'.repeat(3_000_000) });
	expect(duplicates.dump()).toHaveLength(24);
});

test('equal data counts as a repeat for as long as it is told to', () => {
	const duplicates = new Duplicates();
	const now = jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
	const claim = () => duplicates.claim(changeOf(EVENT, a), 1000).kind;
	expect(deliver(duplicates, a)).toBe(true);
	now.mockReturnValue(1_800_000_000_999);
	expect(claim()).toBe('duplicate');
	now.mockReturnValue(1_800_000_001_000);
	expect(claim()).toBe('first');
	now.mockRestore();
});

test('records without an ID are told apart by campaign', () => {
	const duplicates = new Duplicates();
	const deliverNps = (campaign_name: string, nps: number) =>
		deliver(duplicates, { campaign_name, nps }, 'metric.score_changed');
	expect(deliverNps('one', 5)).toBe(true);
	expect(deliverNps('two', 6)).toBe(true);
	expect(deliverNps('one', 5)).toBe(false);
	expect(deliverNps('one', 6)).toBe(true);
});

test('the order of fields does not matter, everything else does', () => {
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
	expect(content({ a: [1, 2] })).not.toBe(content({ a: [2, 1] }));
	expect(content({ a: [['b', 1]] })).not.toBe(content({ a: { b: 1 } }));
});
