import { mostInFlight, roundsOfWaiting } from '../../bench/floor.mts';

test.each([
	[3000, 32, 0, 94],
	[100, 1, 0, 100],
	[51, 16, 1, 5],
	[0, 0, 1, 0],
])(
	'%i requests, %i at a time with %i of them alone, take %i rounds of waiting',
	(requests, inFlight, sequential, rounds) => {
		expect(roundsOfWaiting({ requests, inFlight }, sequential)).toBe(rounds);
	},
);

test.each([
	['one after the other', [0, 25, 50, 75], 1],
	['in pairs', [50, 0, 1, 51], 2],
	['all at once', [0, 1, 2, 3, 4], 5],
	['not at all', [], 0],
])('counts the most requests in flight when they arrive %s', (_, arrivals, most) => {
	expect(mostInFlight(arrivals, 25)).toBe(most);
});
