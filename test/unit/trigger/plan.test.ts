import { planOf } from '../../../nodes/SurveyB/trigger/subscriptions/plan';
import { withOrphans } from '../../../nodes/SurveyB/trigger/state/records';
import type { Orphan, Subscription } from '../../../nodes/SurveyB/trigger/state/records';

const place = {
	url: 'https://n8n.example/webhook/x',
	service: 'https://b.example',
	account: 'example',
};
const EVENT = 'tag.merged';

const one = (id: number, more: Partial<Subscription> = {}): Subscription => ({
	id,
	event: EVENT,
	tokenHash: `example-${id}`,
	...place,
	...more,
});

function plan(subscriptions: Subscription[], orphans: Orphan[] = [], events = [EVENT]) {
	const registration = { owner: '', savedAt: 1, url: place.url, subscriptions, orphans };
	const { keep, adopt, missing, leftover, ...rest } = planOf(registration, events, place);
	const ids = (list: Orphan[]) => list.map(({ id }) => id);
	return {
		keep: ids(keep),
		adopt: ids(adopt),
		missing,
		leftover: ids(leftover),
		orphans: ids(rest.orphans),
	};
}

const nothing = { keep: [], adopt: [], missing: [], leftover: [], orphans: [] };
const seenAt = Date.now() - 1000;

test.each([
	['nothing there', [], [], { missing: [EVENT] }],
	['it fits', [one(1)], [], { keep: [1] }],
	['another event', [one(1, { event: 'x' })], [], { missing: [EVENT], leftover: [1] }],
	['another URL', [one(1, { url: 'https://old' })], [], { missing: [EVENT], leftover: [1] }],
	['another service', [one(1, { service: 'x' })], [], { missing: [EVENT], leftover: [1] }],
	['another account', [one(1, { account: 'x' })], [], { missing: [EVENT], leftover: [1] }],
	['an account not noted', [one(1, { account: undefined })], [], { keep: [1] }],
	['two of one event', [one(1), one(2)], [], { keep: [1], leftover: [2] }],
	['an orphan without proof', [], [one(3)], { missing: [EVENT], orphans: [3] }],
	['an orphan that lives', [], [{ ...one(3), seenAt }], { adopt: [3] }],
	['it fits, and an orphan lives', [one(1)], [{ ...one(3), seenAt }], { keep: [1], orphans: [3] }],
	['an orphan that nothing removes', [], [{ ...one(3), permanent: true }], { adopt: [3] }],
	[
		'one of another account that nothing removes',
		[],
		[{ ...one(3, { account: 'x' }), permanent: true }],
		{ missing: [EVENT], orphans: [3] },
	],
	['an old proof', [], [{ ...one(3), seenAt: 1 }], { missing: [EVENT], orphans: [3] }],
	[
		'a living orphan elsewhere',
		[],
		[{ ...one(3, { url: 'https://old' }), seenAt }],
		{ missing: [EVENT], orphans: [3] },
	],
	['a lost one', [], [{ ...one(3), id: undefined }], { missing: [EVENT], orphans: [undefined] }],
])('%s', (_name, subscriptions, orphans, expected) => {
	expect(plan(subscriptions, orphans)).toEqual({ ...nothing, ...expected });
});

test('the list of orphans is bounded, and names each once', () => {
	const many = Array.from({ length: 150 }, (_, id) => one(id));
	const kept = withOrphans(many, [one(149), one(200)]);
	expect(kept).toHaveLength(100);
	expect(kept.filter(({ id }) => id === 149)).toHaveLength(1);
	expect(kept.at(-1)?.id).toBe(200);
});
