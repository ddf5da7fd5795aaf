// The folders of test say which command runs their files:
//
//     unit, contract     npm run test:fast
//     simulate, n8n      npm test, beside those of npm run test:fast
//     long               npm run test:long, and the CI with a share of the cases
//     browser, large     npm run test:long, beside the files that draw random cases, with all of them
//
// Unit and contract tests run joined into two files, because jest would load n8n-core anew for each file, which takes longer
// than most of its tests. A Jest environment that loads n8n-core once per worker does not work: its timers would escape
// Jest's simulated clock, and `instanceof` would fail across realms.
const { readdirSync, readFileSync, statSync } = require('node:fs');
const { join, relative } = require('node:path');

const TESTS = join(__dirname, '../../test');

/** Files that `scripts/joined/harder.test.cjs` runs once more. */
const HARDER = [
	/contract\/rows\/(?!expressions)/,
	/contract\/(credentials|outputs\/.*)\.test/,
	/contract\/survey[AB]\/(columns|sendToMany)\.test/,
	/contract\/faults\/(batches|errorItems)\.test/,
	/contract\/(surveyBTrigger\/deliveries|values\/(listErrors|order))\.test/,
];

/** Returns the path of a test file below test, such as `unit/package.test.ts`. */
const nameOf = (file) => relative(TESTS, file);

/** Returns the test files below some folders of test. */
function filesIn(...folders) {
	return readdirSync(TESTS, { recursive: true })
		.filter((path) => /\.test\.m?ts$/.test(path) && folders.includes(path.split('/')[0]))
		.map((path) => join(TESTS, path))
		.sort();
}

/** Returns the files that draw random cases. With a share of them, they would be those that `npm test` has run. */
function filesWithAllCases() {
	if (Number(process.env.SURVEYS_RUNS ?? 1) < 1) return [];
	const drawsCases = (file) => readFileSync(file, 'utf8').includes("support/random.mts'");
	return filesIn('unit', 'contract', 'simulate').filter(drawsCases);
}

/** Returns the joined files, the largest first, so that every second of them makes half of the work. */
exports.filesJoined = () =>
	filesIn('unit', 'contract').sort((one, other) => statSync(other).size - statSync(one).size);

/**
 * Returns the files that a command runs by themselves.
 *
 * @param {string} suite `fast`, `usual` or `long`
 */
exports.filesOf = (suite) => {
	if (suite === 'long') return [...filesIn('browser', 'large', 'long'), ...filesWithAllCases()];
	return suite === 'usual' ? filesIn('n8n', 'simulate') : [];
};

/** Returns the files that run once more in a sandbox with its other responses. */
exports.filesHarder = () =>
	filesIn('contract').filter((file) => HARDER.some((pattern) => pattern.test(file)));

/** Returns the simulations. */
exports.filesSimulated = () => filesIn('simulate');

exports.nameOf = nameOf;
