// The test files of each command. Unit and contract tests run joined into two files, because jest would load n8n-core
// anew for each file, which takes longer than most of its tests. A Jest environment that loads n8n-core once per worker
// does not work: its timers would escape Jest's simulated clock, and `instanceof` would fail across realms.
const { readdirSync, readFileSync, statSync } = require('node:fs');
const { join, relative } = require('node:path');

const TESTS = join(__dirname, '../../test');

/** Files that run by themselves: they take as long as half of the others, or do not load n8n-core. */
const BY_THEMSELVES = [
	/unit\/(compose|environments|package|setup)\.test/,
	/faults\/(matrix|longRuns)\.test/,
];

/** Files that only `npm run test:long` runs. */
const LONG = [
	/browser\//,
	/unit\/environments\.test/,
	/faults\/longRuns\.test/,
	/n8n\/(agent|awkwardDays|backup|builder|credentials|demo|kills\.half\d|nodeSearch|publicApi|queueMode)\.test/,
	/n8n\/(surveyATrigger|surveyBTrigger\.(kills|publishing|storage|subscriptions))\.test/,
];

/** Files that draw random cases: `npm run test:long` runs them with all cases, the other commands with a tenth. */
const isRandom = (file) =>
	/^simulate\//.test(nameOf(file)) || readFileSync(file, 'utf8').includes("support/random.mts'");

/** With a share of the cases, they would be those that `npm test` has run. */
const hasAllCases = Number(process.env.SURVEYS_RUNS ?? 1) >= 1;

/** Files of `npm test` that `npm run test:fast` leaves out: they need n8n, start other programs, or take longer than others. */
const NOT_FAST = [
	/n8n\//,
	/simulate\//,
	/faults\/(absurdAnswers|matrix|secrets)\.test/,
	/unit\/(compose|examples|n8nInternals|release|setup)\.test/,
];

/** Files that `scripts/joined/harder.test.cjs` runs once more. */
const HARDER = [
	/contract\/rows\/(?!expressions)/,
	/contract\/(credentials|outputs\/.*)\.test/,
	/contract\/survey[AB]\/(columns|sendToMany)\.test/,
	/contract\/faults\/(batches|errorItems)\.test/,
	/contract\/(surveyBTrigger\/deliveries|values\/(listErrors|order))\.test/,
];

/** Returns whether a half of the long run is played: with `SURVEYS_HALF`, only that one. The halves take the same time. */
const isOfHalf = (half) => [undefined, '', String(half)].includes(process.env.SURVEYS_HALF);

const isOneOf = (patterns) => (file) => patterns.some((pattern) => pattern.test(file));

/** Returns the path of a test file below test, such as `unit/package.test.ts`. */
const nameOf = (file) => relative(TESTS, file);

const files = readdirSync(TESTS, { recursive: true })
	.filter((path) => /\.test\.m?ts$/.test(path))
	.map((path) => join(TESTS, path))
	.sort();

const isJoined = (file) => /^(unit|contract)\//.test(nameOf(file)) && !isOneOf(BY_THEMSELVES)(file);

/**
 * Returns the joined files of a command, the largest first, so that every second of them makes half of the work.
 *
 * @param {string} suite `fast` or `usual`
 */
exports.filesJoined = (suite = 'usual') => {
	const isLeftOut = suite === 'fast' ? isOneOf(NOT_FAST) : () => false;
	const joined = files.filter((file) => isJoined(file) && !isLeftOut(file));
	return joined.sort((one, other) => statSync(other).size - statSync(one).size);
};

/**
 * Returns the files that a command runs by themselves.
 *
 * @param {string} suite `fast`, `usual` or `long`
 */
exports.filesOf = (suite) => {
	if (suite === 'long') {
		const long = files.filter((file) => isOneOf(LONG)(file) || (hasAllCases && isRandom(file)));
		return long.filter((_file, i) => isOfHalf(i % 2));
	}
	const usual = files.filter((file) => !isJoined(file) && !isOneOf(LONG)(file));
	return suite === 'fast' ? usual.filter((file) => !isOneOf(NOT_FAST)(file)) : usual;
};

/** Returns the files that run once more in a sandbox with its other responses. */
exports.filesHarder = () => files.filter(isOneOf(HARDER));

/** Returns the simulations. */
exports.filesSimulated = () => files.filter((file) => /^simulate\//.test(nameOf(file)));

exports.nameOf = nameOf;
