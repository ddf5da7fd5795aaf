import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { fingerprint } from '../../../nodes/SurveyB/trigger/fingerprint';
import { Repeats } from '../../../nodes/SurveyB/trigger/repeats';

const EVENT = 'feedback.removed';

/** Delivers, and tells whether that started a run. */
function deliver(repeats: Repeats, data: IDataObject, event = EVENT): boolean {
	const claim = repeats.claim(event, data);
	if (claim.kind === 'first') claim.end(true);
	return claim.kind === 'first';
}

function first(repeats: Repeats, data: IDataObject): (started: boolean) => void {
	const claim = repeats.claim(EVENT, data);
	if (claim.kind === 'repeat') throw new RangeError('a repeat');
	return claim.end;
}

const [a, b] = [
	{ id: 1, score: 1 },
	{ id: 1, score: 2 },
];

test('A, A is a repeat; A, B, A are three changes', () => {
	const repeats = new Repeats();
	expect([a, a, b, b, a].map((data) => deliver(repeats, data))).toEqual([
		true,
		false,
		true,
		false,
		true,
	]);
});

test('what was saved is known to another process', () => {
	const before = new Repeats();
	deliver(before, a);
	const after = new Repeats();
	after.load(JSON.parse(JSON.stringify(before.dump())));
	expect(deliver(after, a)).toBe(false);
	expect(deliver(after, b)).toBe(true);
	after.load(before.dump());
	expect(deliver(after, b)).toBe(false);
});

test.each([undefined, null, 'x', {}, [1], [['a', 1, 'b']]])(
	'%j saved is as good as nothing',
	(x) => {
		const repeats = new Repeats();
		repeats.load(x);
		expect(deliver(repeats, a)).toBe(true);
	},
);

test('a released claim may come again, and is never saved', async () => {
	const repeats = new Repeats();
	const end = first(repeats, a);
	const repeat = repeats.claim(EVENT, a);
	expect(repeats.dump()).toEqual([]);
	end(false);
	expect(repeat.kind === 'repeat' && (await repeat.started)).toBe(false);
	expect(repeats.dump()).toEqual([]);
	expect(deliver(repeats, a)).toBe(true);
});

test('while a claim is pending, what stood before it is what is saved', () => {
	const repeats = new Repeats();
	deliver(repeats, a);
	const settled = repeats.dump();
	const endB = first(repeats, b);
	const endA = first(repeats, a);
	expect(repeats.dump()).toEqual(settled);
	endB(false);
	endA(false);
	expect(deliver(repeats, a)).toBe(false);
	expect(deliver(repeats, b)).toBe(true);
});

test('the memory is bounded, and forgets the oldest first', () => {
	const repeats = new Repeats();
	for (let id = 0; id < 1500; id++) deliver(repeats, { id });
	expect(repeats.dump()).toHaveLength(1000);
	expect(deliver(repeats, { id: 1499 })).toBe(false);
	expect(deliver(repeats, { id: 0 })).toBe(true);
});

test('records without an ID are told apart by campaign', () => {
	const repeats = new Repeats();
	const deliverNps = (campaign_name: string, nps: number) =>
		deliver(repeats, { campaign_name, nps }, 'metric.score_changed');
	expect(deliverNps('one', 5)).toBe(true);
	expect(deliverNps('two', 6)).toBe(true);
	expect(deliverNps('one', 5)).toBe(false);
	expect(deliverNps('one', 6)).toBe(true);
});

test('the order of fields does not matter, everything else does', () => {
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
			const turned = Object.fromEntries(Object.entries(data).reverse());
			expect(fingerprint(turned)).toBe(fingerprint(data));
			expect(fingerprint({ ...data, 'one more': 1 })).not.toBe(fingerprint(data));
		}),
	);
	expect(fingerprint({ a: [1, 2] })).not.toBe(fingerprint({ a: [2, 1] }));
	expect(fingerprint({ a: [['b', 1]] })).not.toBe(fingerprint({ a: { b: 1 } }));
});
