import { verifyDelivery } from '../../../nodes/SurveyB/trigger/deliveries/verify';
import type { Call } from '../../../nodes/SurveyB/trigger/deliveries/verify';
import { registrationRecord, secretHash } from '../../../nodes/SurveyB/trigger/state/records';

const at = { url: 'https://n8n.example/webhook/x', service: 'https://b.example' };
const live = { id: 1, event: 'tag.merged', tokenHash: secretHash('live'), ...at };
const orphan = { id: 2, event: 'tag.merged', tokenHash: secretHash('orphan'), ...at };
const lost = { event: 'tag.removed', tokenHash: secretHash('lost'), ...at };

function call(token: unknown, id: unknown, event: string, more: Partial<Call> = {}): Call {
	return {
		token,
		body: { hook: { id, event, target: at.url }, data: {} },
		registration: {
			owner: '',
			savedAt: 1,
			url: at.url,
			subscriptions: [live],
			orphans: [orphan, lost],
		},
		requireToken: true,
		events: ['tag.merged', 'tag.removed'],
		...more,
	};
}

test.each([
	['its own', call('live', 1, 'tag.merged'), 'accept'],
	['its own, the ID as text', call('live', '1', 'tag.merged'), 'accept'],
	["an orphan's", call('orphan', 2, 'tag.merged'), 'drop'],
	['one whose ID was never learned', call('lost', 77, 'tag.removed'), 'drop'],
	['of another event by its token', call('lost', 77, 'tag.merged'), 'refuse'],
	["an orphan's ID with the live token", call('live', 2, 'tag.merged'), 'refuse'],
	["the live ID with an orphan's token", call('orphan', 1, 'tag.merged'), 'refuse'],
	['of an unknown ID', call('live', 3, 'tag.merged'), 'refuse'],
	['of an event not chosen', call('live', 1, 'tag.merged', { events: [] }), 'drop'],
	['without a token', call(undefined, 1, 'tag.merged'), 'refuse'],
	['with two tokens', call(['live', 'live'], 1, 'tag.merged'), 'refuse'],
])('a delivery %s', (_name, made, kind) => {
	expect(verifyDelivery(made).kind).toBe(kind);
});

test('an orphan and a live subscription of one ID are told apart by their tokens', () => {
	const registration = {
		owner: '',
		savedAt: 1,
		url: at.url,
		subscriptions: [live],
		orphans: [{ ...orphan, id: 1 }],
	};
	expect(verifyDelivery(call('live', 1, 'tag.merged', { registration })).kind).toBe('accept');
	expect(verifyDelivery(call('orphan', 1, 'tag.merged', { registration })).kind).toBe('drop');
});

test('an orphan is only proved to live by its token', () => {
	expect(verifyDelivery(call('orphan', 2, 'tag.merged'))).toMatchObject({ kind: 'drop', orphan });
	const open = call('guess', 2, 'tag.merged', { requireToken: false });
	expect(verifyDelivery(open)).toMatchObject({ kind: 'drop', orphan: undefined });
});

describe('while subscriptions are being made', () => {
	const making = { tokenHash: secretHash('new'), events: ['tag.removed'] };

	test.each([
		['a delivery of one of them counts', call('new', 9, 'tag.removed', { making }), 'accept'],
		['one of another event does not', call('new', 9, 'tag.merged', { making }), 'refuse'],
		['nor one with another token', call('live', 9, 'tag.removed', { making }), 'refuse'],
		[
			'without tokens the event decides',
			call(undefined, 9, 'tag.removed', { making, requireToken: false }),
			'accept',
		],
	])('%s', (_name, made, kind) => {
		expect(verifyDelivery(made).kind).toBe(kind);
	});
});

test('a node without subscriptions lets nobody in', () => {
	const registration = { owner: '', savedAt: 0, url: '', subscriptions: [], orphans: [] };
	expect(verifyDelivery(call('', 1, 'tag.merged', { registration }))).toMatchObject({
		status: 401,
	});
	expect(
		verifyDelivery(call('', 1, 'tag.merged', { registration, requireToken: false })),
	).toMatchObject({
		status: 400,
	});
});

test('the hash of a token opens nothing, nor does what is no hash let anybody in', () => {
	expect(verifyDelivery(call(live.tokenHash, 1, 'tag.merged'))).toMatchObject({ status: 401 });
	const subscriptions = [{ ...live, tokenHash: 'short' }];
	const registration = { owner: '', savedAt: 1, url: at.url, subscriptions, orphans: [] };
	for (const token of ['short', 'live', '']) {
		expect(verifyDelivery(call(token, 1, 'tag.merged', { registration }))).toMatchObject({
			status: 401,
		});
	}
});

test('what version 0.1.0 saved, the token in plain, goes on to work, and is saved as its hash', () => {
	const { tokenHash: liveHash, ...liveBefore } = live;
	const { tokenHash: orphanHash, ...orphanBefore } = orphan;
	const registration = registrationRecord().parse({
		owner: '',
		savedAt: 1,
		url: at.url,
		subscriptions: [{ ...liveBefore, token: 'live' }],
		orphans: [{ ...orphanBefore, token: 'orphan' }],
	});
	expect(registration.subscriptions).toEqual([live]);
	expect(registration.orphans).toEqual([orphan]);
	expect([liveHash, orphanHash]).toEqual([live.tokenHash, orphan.tokenHash]);
	expect(verifyDelivery(call('live', 1, 'tag.merged', { registration })).kind).toBe('accept');
});

test.each([
	['a delivery with a token that nobody knows', call('guess', 1, 'tag.merged'), true],
	['a delivery without a token', call(undefined, 1, 'tag.merged'), true],
	['something else', { ...call('guess', 1, 'tag.merged'), body: { any: 1 } }, false],
])('%s is refused; whether it looks like a delivery is told: %s', (_name, made, looksLikeOne) => {
	const verdict = verifyDelivery(made);
	expect(verdict).toMatchObject({ kind: 'refuse', status: 401 });
	expect(verdict.kind === 'refuse' && verdict.stranger !== undefined).toBe(looksLikeOne);
});
