// The tests in one file, so that a mutant loads n8n's engine once. Of them, it loads those that have a test to ask.
const { filesTogether, nameOf } = require('../together/files.cjs');

// What is made once is made for the first test that asks for it: Stryker would not know it for the other tests' own.
jest.mock('../../nodes/shared/http/lazy', () => ({ lazy: (make) => make }));

for (const file of filesTogether()) {
	const name = nameOf(file);
	if (askedOf(name)) describe(name, () => void require(file));
}
