import { roundsOfWaiting } from '../../bench/floor.mts';

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
