import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { hashOf } from '../../../nodes/SurveyB/trigger/state/hash';
import { Duplicates } from '../../../nodes/SurveyB/trigger/state/duplicates';

const EVENT = 'feedback.removed';

/** Delivers, and tells whether that started a run. */
function deliver(duplicates: Duplicates, data: IDataObject, event = EVENT): boolean {
	const claim = duplicates.claim(event, data);
	if (claim.kind === 'first') claim.end(true);
	return claim.kind === 'first';
}

function first(duplicates: Duplicates, data: IDataObject): (started: boolean) => void {
	const claim = duplicates.claim(EVENT, data);
	if (claim.kind === 'duplicate') throw new RangeError('a repeat');
	return claim.end;
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
	after.load(JSON.parse(JSON.stringify(before.dump())));
	expect(deliver(after, a)).toBe(false);
	expect(deliver(after, b)).toBe(true);
	after.load(before.dump());
	expect(deliver(after, b)).toBe(false);
});

test.each([undefined, null, 'x', {}, [1], [['a', 1, 'b']]])(
	'%j saved is as good as nothing',
	(x) => {
		const duplicates = new Duplicates();
		duplicates.load(x);
		expect(deliver(duplicates, a)).toBe(true);
	},
);

test('a released claim may come again, and is never saved', async () => {
	const duplicates = new Duplicates();
	const end = first(duplicates, a);
	const repeat = duplicates.claim(EVENT, a);
	expect(duplicates.dump()).toEqual([]);
	end(false);
	expect(repeat.kind === 'duplicate' && (await repeat.started)).toBe(false);
	expect(duplicates.dump()).toEqual([]);
	expect(deliver(duplicates, a)).toBe(true);
});

test('while a claim is pending, what stood before it is what is saved', () => {
	const duplicates = new Duplicates();
	deliver(duplicates, a);
	const settled = duplicates.dump();
	const endB = first(duplicates, b);
	const endA = first(duplicates, a);
	expect(duplicates.dump()).toEqual(settled);
	endB(false);
	endA(false);
	expect(deliver(duplicates, a)).toBe(false);
	expect(deliver(duplicates, b)).toBe(true);
});

test('the memory is bounded, and forgets the oldest first', () => {
	const duplicates = new Duplicates();
	for (let id = 0; id < 1500; id++) deliver(duplicates, { id });
	expect(duplicates.dump()).toHaveLength(1000);
	expect(deliver(duplicates, { id: 1499 })).toBe(false);
	expect(deliver(duplicates, { id: 0 })).toBe(true);
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
			expect(hashOf(turned)).toBe(hashOf(data));
			expect(hashOf({ ...data, 'one more': 1 })).not.toBe(hashOf(data));
		}),
	);
	expect(hashOf({ a: [1, 2] })).not.toBe(hashOf({ a: [2, 1] }));
	expect(hashOf({ a: [['b', 1]] })).not.toBe(hashOf({ a: { b: 1 } }));
});
