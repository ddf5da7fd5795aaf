// The tests in one file, so that a mutant loads n8n's engine once. Of them, it loads those that have a test to ask.
const { filesTogether, nameOf } = require('../together/files.cjs');

for (const file of filesTogether()) {
	const name = nameOf(file);
	if (askedOf(name)) describe(name, () => void require(file));
}
