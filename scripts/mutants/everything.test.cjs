// All tests in one file, so that each mutant loads n8n-core once. Loads only files with a selected test.
const { filesSimulated, filesJoined, nameOf } = require('../joined/suites.cjs');

// Stryker counts code as covered by the test that runs it, and a cached value would be covered by the first test only.
jest.mock('../../nodes/shared/base/cache', () => ({
	...jest.requireActual('../../nodes/shared/base/cache'),
	lazy: (make) => make,
}));

/** They read the text of the code, into which Stryker has put all mutants. */
const READ_CODE = /^unit\/(concepts|promises|references)\.test/;

/**
 * They take minutes here, because they read 100,000 records by values that are not cached, or replace the function that sends
 * requests, for each module that is loaded later.
 */
const ALONE = /^simulate\/(idlePolls|edgeEnvelopes)\.test/;

const isLeftOut = (name) => READ_CODE.test(name) || ALONE.test(name);

for (const file of [...filesJoined(), ...filesSimulated()]) {
	const name = nameOf(file);
	if (!isLeftOut(name) && isFileSelected(name)) describe(name, () => void require(file));
}
