import { Failure } from '../../../nodes/shared/base/failure';
import type { FailureKind } from '../../../nodes/shared/base/failure';
import {
	canRetry,
	codeOf,
	doubtfulEnd,
	mayBeDone,
	mayRepeat,
	OUTCOMES,
	wasRemoved,
	withDoubt,
} from '../../../nodes/shared/http/outcome';
import { get, post } from '../../../nodes/shared/http/request';

// The table of http/outcome.ts, by what follows from it.

const READ = get('/things');
const UPSERT = post('idempotent', '/things', {}, 'the list');
const SEND = post('notIdempotent', '/things', {}, 'the outbox');

const failure = (kind: FailureKind, status?: number) =>
	new Failure(kind, 'No', { status, hint: 'Try again later' });

type Doubt = Failure['doubt'];
type Row = [kind: FailureKind, again: [boolean, boolean], doubts: [Doubt?, Doubt?]];

const TABLE: Row[] = [
	['neverConnected', [true, true], []],
	['rateLimited', [true, true], []],
	['lost', [true, false], ['last', 'harmful']],
	['unconfirmed', [false, false], ['last', 'harmful']],
	['tooLarge', [false, false], ['last', 'harmful']],
	['refused', [false, false], []],
	['group', [false, false], []],
	['run', [false, false], []],
	['failed', [false, false], []],
];

test('the table has every end of an attempt, and only a rate limit is waited out for up to an hour', () => {
	expect(Object.keys(OUTCOMES)).toEqual(TABLE.map(([kind]) => kind));
	const paced = Object.entries(OUTCOMES).filter(([, { repeat }]) => repeat === 'paced');
	expect(paced.map(([kind]) => kind)).toEqual(['rateLimited']);
});

describe.each<Row>([...TABLE, ['value', [false, false], []], ['unsent', [false, false], []]])(
	'an attempt that ended as %s',
	(kind, again, [harmless, harmful]) => {
		test('is repeated if the table says so, for a harmless request and a harmful one', () => {
			expect([UPSERT, SEND].map((one) => mayRepeat(failure(kind), one))).toEqual(again);
			expect(mayRepeat(failure(kind), READ)).toBe(again[0]);
		});

		test('leaves a request in doubt if it may have been processed, and a read never', () => {
			expect(mayBeDone(failure(kind))).toBe(harmful !== undefined);
			expect(withDoubt(failure(kind), UPSERT).doubt).toBe(harmless);
			expect(withDoubt(failure(kind), SEND).doubt).toBe(harmful);
			expect(withDoubt(failure(kind), READ, true).doubt).toBeUndefined();
		});

		test('after an earlier attempt that was lost is in doubt at least as much', () => {
			expect(withDoubt(failure(kind), UPSERT, true).doubt).toBe(harmless ?? 'earlier');
			expect(withDoubt(failure(kind), SEND, true).doubt).toBe(harmful ?? 'earlier');
			const earlier = withDoubt(failure(kind), UPSERT, true);
			expect(withDoubt(earlier, UPSERT).doubt).toBe(earlier.doubt);
		});
	},
);

test('only what must not be sent again says where to look, and never to try again', () => {
	const hints = [UPSERT, SEND, { ...SEND, lookAt: undefined }].map(
		(request) => withDoubt(failure('lost'), request).hint,
	);
	expect(hints).toEqual([
		'Try again later',
		'Check the outbox before you send it again',
		'Check in the service before you send it again',
	]);
	expect(withDoubt(failure('refused'), SEND, true).hint).toBe('Try again later');
});

test('an error inside a 2xx is believed if a repetition is harmless', () => {
	expect(doubtfulEnd('refused', UPSERT)).toBe('refused');
	expect(doubtfulEnd('refused', SEND)).toBe('unconfirmed');
});

test.each<[number | undefined, boolean]>([
	[404, true],
	[410, true],
	[400, false],
	[undefined, false],
])('a %p after a lost response means that the record was removed: %p', (status, removed) => {
	expect(wasRemoved(withDoubt(failure('failed', status), UPSERT, true))).toBe(removed);
	expect(wasRemoved(withDoubt(failure('failed', status), UPSERT))).toBe(false);
	expect(wasRemoved(withDoubt(failure('lost', status), UPSERT))).toBe(false);
});

test.each<[FailureKind, string, boolean]>([
	['neverConnected', 'unavailable', true],
	['rateLimited', 'rateLimited', true],
	['lost', 'unavailable', true],
	['unconfirmed', 'notConfirmed', false],
	['refused', 'refused', false],
	['group', 'unusableCampaign', false],
	['run', 'account', true],
	['failed', 'failed', false],
	['value', 'invalidValue', false],
	['unsent', 'cancelled', false],
])(
	'a failure of the kind %s has the code %s; trying its row again can help: %p',
	(kind, code, retry) => {
		expect([codeOf(failure(kind)), canRetry(failure(kind))]).toEqual([code, retry]);
		const withOwn = failure(kind).with({ code: 'unsubscribed' });
		expect([codeOf(withOwn), canRetry(withOwn)]).toEqual(['unsubscribed', false]);
		const uncertain = failure(kind).with({ doubt: 'harmful' });
		expect([codeOf(uncertain), canRetry(uncertain)]).toEqual(['maybeSent', false]);
	},
);
