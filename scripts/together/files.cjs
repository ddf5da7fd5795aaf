// Unit and contract tests run joined into four files, because jest would load n8n-core anew for each file, which takes
// longer than most of its tests. A Jest environment that loads n8n-core once per worker does not work: its timers would
// escape Jest's simulated clock, and `instanceof` would fail across realms.
const { readdirSync } = require('node:fs');
const { join, relative } = require('node:path');

const TESTS = join(__dirname, '../../test');

const BY_THEMSELVES = [
	// These compare files and do not load n8n-core.
	/unit\/(compose|package)\.test/,
	// These take as long as all others.
	/faults\/(matrix|longRuns|fuzz)\.test/,
];

/** Returns the paths of the joined test files, sorted. */
exports.filesTogether = () =>
	['unit', 'contract'].flatMap((kind) =>
		readdirSync(join(TESTS, kind), { recursive: true })
			.map((path) => join(TESTS, kind, path))
			.filter((path) => /\.test\.m?ts$/.test(path))
			.filter((path) => !BY_THEMSELVES.some((one) => one.test(path)))
			.sort(),
	);

/** Returns the path of a test file below test, such as `unit/package.test.ts`. */
exports.nameOf = (file) => relative(TESTS, file);
