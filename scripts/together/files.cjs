// Unit and contract tests of many files in one: jest would load n8n's engine anew for each of eighty files, and that
// takes longer than what most of them test.
const { readdirSync } = require('node:fs');
const { join, relative } = require('node:path');

const TESTS = join(__dirname, '../../test');

const BY_THEMSELVES = [
	// They hold files against each other, without the engine.
	/unit\/(compose|package)\.test/,
	// The fault matrix and the long runs take as long as all others.
	/faults\/(matrix|longRuns|fuzz)\.test/,
];

/** The paths of the tests that go together, the quickest first. */
exports.filesTogether = () =>
	['unit', 'contract'].flatMap((kind) =>
		readdirSync(join(TESTS, kind), { recursive: true })
			.map((path) => join(TESTS, kind, path))
			.filter((path) => /\.test\.m?ts$/.test(path))
			.filter((path) => !BY_THEMSELVES.some((one) => one.test(path)))
			.sort(),
	);

/** What a test file is called among others: `unit/security.test.ts`. */
exports.nameOf = (file) => relative(TESTS, file);
