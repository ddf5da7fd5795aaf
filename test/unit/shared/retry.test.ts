import { backoff, requestedPause as pauseIn } from '../../../nodes/shared/http/retry';

const requestedPause = (header: string | undefined, message: string | undefined, date?: string) =>
	pauseIn({ 'retry-after': header, date }, message);

afterEach(() => jest.restoreAllMocks());

describe('the pause that a service asks for', () => {
	test('is read from Retry-After in seconds', () => {
		expect(requestedPause('42', undefined)).toBe(42_000);
		expect(requestedPause('1.25', undefined)).toBe(1250);
		expect(requestedPause('0', 'available in 7 seconds')).toBe(0);
	});

	test('is read from Retry-After as a date, and is never negative', () => {
		const now = Date.parse('2026-11-21T08:00:00Z');
		jest.spyOn(Date, 'now').mockReturnValue(now);
		expect(requestedPause('Sat, 21 Nov 2026 08:00:30 GMT', undefined)).toBe(30_000);
		expect(requestedPause('Wed, 21 Oct 2015 07:28:00 GMT', undefined)).toBe(0);
	});

	test('counts from the Date of the response, since this clock may be wrong', () => {
		const until = 'Sat, 21 Nov 2026 08:00:30 GMT';
		for (const now of ['2026-11-21T07:00:00Z', '2026-11-22T08:00:00Z']) {
			jest.spyOn(Date, 'now').mockReturnValue(Date.parse(now));
			expect(requestedPause(until, undefined, 'Sat, 21 Nov 2026 08:00:10 GMT')).toBe(20_000);
		}
	});

	test.each([
		'-5',
		'1,5',
		'5 May',
		'x 5',
		'soon',
		'5 seconds',
		'1e3',
		'NaN',
		'Infinity',
		'0x10',
		'٣',
	])('is read from the message if Retry-After is %s', (header) => {
		expect(requestedPause(header, 'Expected available in 42.0 seconds.')).toBe(42_000);
	});

	test.each([
		['Expected available in 42.0 seconds.', 42_000],
		['Try again in 1 second', 1000],
		['Try again in 1.25 SECONDS', 1250],
		['Try again after 4s', 4000],
		['in 5 months', undefined],
		['Limit of 150 requests per 60s exceeded. Wait 2 seconds', 2000],
		['took 200 ms', undefined],
	])('is read from the message %s', (words, pause) => {
		expect(requestedPause(undefined, words)).toBe(pause);
	});

	test('is undefined if nothing states it', () => {
		expect(requestedPause(undefined, 'Too many requests')).toBeUndefined();
		expect(requestedPause(undefined, undefined)).toBeUndefined();
	});
});

test.each([
	[1, 250, 500],
	[4, 2000, 4000],
	[7, 16_000, 32_000],
	[8, 16_000, 32_000],
])('the backoff after attempt %i is between %i and %i ms', (attempt, shortest, longest) => {
	const random = jest.spyOn(Math, 'random');
	expect(random.mockReturnValue(0) && backoff(attempt)).toBe(shortest);
	expect(random.mockReturnValue(0.5) && backoff(attempt)).toBe((shortest + longest) / 2);
	expect(random.mockReturnValue(1) && backoff(attempt)).toBe(longest);
});
