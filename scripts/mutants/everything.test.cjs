// All tests in one file, so that each mutant loads n8n-core once. Loads only files with a selected test.
const { filesSimulated, filesJoined, nameOf } = require('../joined/suites.cjs');

// Stryker counts code as covered by the test that runs it, and a cached value would be covered by the first test only.
jest.mock('../../nodes/shared/base/cache', () => ({
	...jest.requireActual('../../nodes/shared/base/cache'),
	lazy: (make) => make,
}));

// Some simulations ask again without waiting. Their own `jest.mock` comes too late for what other files have loaded.
let isWaiting = true;
jest.mock('../../nodes/shared/http/retry', () => {
	const actual = jest.requireActual('../../nodes/shared/http/retry');
	return { ...actual, backoff: (attempt) => (isWaiting ? actual.backoff(attempt) : 0) };
});
const DOES_NOT_WAIT = /^simulate\/(lists|polls)\.test/;

/** They read the text of the code, into which Stryker has put all mutants. */
const READ_CODE = /^unit\/(concepts|promises|references)\.test/;

/**
 * They take minutes here, because they read 100,000 records by values that are not cached, or replace the function that sends
 * requests, for each module that is loaded later.
 */
const ALONE = /^simulate\/(edgeEnvelopes|idlePolls|matrix)\.test/;

const isLeftOut = (name) => READ_CODE.test(name) || ALONE.test(name);

for (const file of [...filesJoined(), ...filesSimulated()]) {
	const name = nameOf(file);
	if (isLeftOut(name) || !isFileSelected(name)) continue;
	describe(name, () => {
		beforeAll(() => (isWaiting = !DOES_NOT_WAIT.test(name)));
		afterAll(() => (isWaiting = true));
		require(file);
	});
}
