// The unit and contract tests in one file, so that a mutant loads n8n's engine once, and not once for each of eighty
// files. Of them, it loads those that have a test to ask.
const { readdirSync } = require('node:fs');
const { join, relative } = require('node:path');

const TESTS = join(__dirname, '../../test');

const LEFT_OUT = [
	// They hold files against each other; of the code they see what is left out of the mutants.
	/unit\/(compose|package|publicInterface|schemas)\.test/,
	// The fault matrix and the long runs ask what a hundred others ask as well, and would make a mutant take minutes.
	/faults\/(matrix|longRuns|fuzz|secrets|hostile)\.test/,
	// It puts another n8n-workflow in place of n8n's, for all.
	/faults\/olderN8n\.test/,
];

// The quickest first: most mutants fail wherever they are met.
const files = ['unit', 'contract'].flatMap((kind) =>
	readdirSync(join(TESTS, kind), { recursive: true })
		.map((path) => join(TESTS, kind, path))
		.filter((path) => /\.test\.m?ts$/.test(path) && !LEFT_OUT.some((one) => one.test(path)))
		.sort(),
);

for (const file of files) {
	const name = relative(TESTS, file);
	if (askedOf(name)) describe(name, () => void require(file));
}
