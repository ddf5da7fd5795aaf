import {
	isNewer,
	registrationRecord,
	subscriptionId,
	withOrphans,
	withoutOrphans,
} from '../../../nodes/SurveyB/trigger/state/records';
import type { Orphan, Registration } from '../../../nodes/SurveyB/trigger/state/records';
import { processStateOf } from '../../../nodes/SurveyB/trigger/state/processState';

// What a trigger remembers of its subscriptions, and of which versions it goes by the newer.

const orphan = (more: Partial<Orphan> = {}): Orphan => ({
	id: 1,
	event: 'feedback.removed',
	url: 'https://n8n.example.com/webhook/x',
	tokenHash: 'hash',
	service: 'https://survey.example.com',
	...more,
});

const registration = (savedAt: number, orphans: Orphan[] = []): Registration => ({
	owner: 'owner',
	savedAt,
	url: 'https://n8n.example.com/webhook/x',
	subscriptions: [],
	orphans,
});

const SEEN = [orphan({ seenAt: 5 })];

test.each([
	['saved later', registration(2), registration(1), true],
	['saved earlier', registration(1), registration(2), false],
	['saved earlier, though it saw more', registration(1, SEEN), registration(2), false],
	['saved later, though it saw less', registration(2), registration(1, SEEN), true],
	['of one version, where it saw more', registration(1, SEEN), registration(1), true],
	['of one version, where it saw less', registration(1), registration(1, SEEN), false],
	['of one version, where it saw the same', registration(1, SEEN), registration(1, SEEN), false],
])('a version %s: it is the newer one: %#', (_, one, other, expected) => {
	expect(isNewer(one, other)).toBe(expected);
});

test('the last that an orphan was seen counts, not the first', () => {
	const seen = (...at: number[]) => at.map((seenAt, id) => orphan({ id, seenAt }));
	expect(isNewer(registration(1, seen(1, 9)), registration(1, seen(8, 2)))).toBe(true);
});

describe('the orphans', () => {
	test('are listed once each, the later state of it', () => {
		const [known, later] = [orphan(), orphan({ seenAt: 7 })];
		expect(withOrphans([known, orphan({ id: 2 })], [later])).toEqual([orphan({ id: 2 }), later]);
	});

	test('are no more than a hundred, the latest ones', () => {
		const many = Array.from({ length: 100 }, (_, id) => orphan({ id }));
		const all = withOrphans(many, [orphan({ id: 100 }), orphan({ id: 101 })]);
		expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, i) => i + 2));
	});

	test.each<[string, Partial<Orphan>, boolean]>([
		['the same ID', {}, true],
		['the same ID as text', { id: '1' }, true],
		['the same ID of another event', { event: 'tag.merged' }, true],
		['another ID', { id: 2 }, false],
		['the same ID at another service', { service: 'https://other.example.com' }, false],
		['the same ID with another token', { tokenHash: 'other' }, false],
	])('one with %s is it: %#', (_, other, isIt) => {
		expect(withoutOrphans([orphan()], [orphan(other)])).toEqual(isIt ? [] : [orphan()]);
	});

	test('without an ID are told by their event and token', () => {
		const nameless = orphan({ id: undefined });
		expect(withoutOrphans([nameless], [orphan({ id: undefined, event: 'x' })])).toHaveLength(1);
		expect(withoutOrphans([nameless], [orphan({ id: undefined, tokenHash: 'x' })])).toHaveLength(1);
		expect(withoutOrphans([nameless], [nameless])).toEqual([]);
		expect(withoutOrphans([nameless], [orphan()])).toHaveLength(1);
	});
});

test.each<[unknown, boolean]>([
	[1, true],
	['x', true],
	['x'.repeat(200), true],
	['x'.repeat(201), false],
	['', false],
	[null, false],
	[{}, false],
])('%p is the ID of a subscription: %p', (id, isOne) => {
	expect(subscriptionId.safeParse(id).success).toBe(isOne);
});

describe('what was saved', () => {
	const full: Registration = {
		...registration(1, [orphan({ seenAt: 1, retry: true, permanent: true, account: 'a' })]),
		subscriptions: [{ ...orphan(), id: 'x', account: 'a' }],
		sampleTokenHash: 'hash',
	};

	test('is read as it was, but for what nobody knows', () => {
		expect(registrationRecord().parse({ ...full, more: 1 })).toEqual(full);
	});

	test('by 0.1.0 with the token itself is read with its hash', () => {
		const rest: Partial<Orphan> = orphan();
		delete rest.tokenHash;
		const saved = { ...registration(1), subscriptions: [{ ...rest, token: 'abc' }] };
		// SHA-256 of "abc", of FIPS 180-2.
		const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
		expect(registrationRecord().parse(saved).subscriptions).toEqual([{ ...rest, tokenHash: hash }]);
	});

	test.each(['owner', 'savedAt', 'url', 'subscriptions', 'orphans'])('needs its %s', (name) => {
		expect(registrationRecord().safeParse({ ...full, [name]: undefined }).success).toBe(false);
	});

	test.each(['id', 'event', 'url', 'tokenHash', 'service'])(
		'needs the %s of a subscription',
		(name) => {
			const subscriptions = [{ ...orphan(), [name]: undefined }];
			expect(registrationRecord().safeParse({ ...full, subscriptions }).success).toBe(false);
		},
	);
});

describe('what the process knows of a node', () => {
	test('is the same each time, and of no other node', () => {
		const state = processStateOf('one');
		expect(processStateOf('one')).toBe(state);
		expect(processStateOf('two')).not.toBe(state);
		expect(state).toMatchObject({ duplicatesSavedAt: 0 });
		expect(state.loggedAt.size).toBe(0);
	});

	test('is forgotten first of the node that nobody asked about longest, among five thousand', () => {
		const [kept, forgotten] = [processStateOf('kept'), processStateOf('forgotten')];
		processStateOf('kept');
		for (let i = 0; i < 4999; i++) processStateOf(`node ${i}`);
		expect(processStateOf('kept')).toBe(kept);
		expect(processStateOf('forgotten')).not.toBe(forgotten);
	});
});
