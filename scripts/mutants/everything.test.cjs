// All tests in one file, so that each mutant loads n8n-core once. Loads only files with a selected test.
const { filesSimulated, filesJoined, nameOf } = require('../joined/suites.cjs');

// Stryker counts code as covered by the test that runs it, and a cached value would be covered by the first test only.
jest.mock('../../nodes/shared/base/cache', () => ({
	...jest.requireActual('../../nodes/shared/base/cache'),
	lazy: (make) => make,
}));

/** They read the text of the code, into which Stryker has put all mutants. */
const READ_CODE = /^unit\/(concepts|promises|references)\.test/;

for (const file of [...filesJoined(), ...filesSimulated()]) {
	const name = nameOf(file);
	if (!READ_CODE.test(name) && isFileSelected(name)) describe(name, () => void require(file));
}
