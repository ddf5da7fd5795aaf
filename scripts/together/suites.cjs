// The test files of each command. Unit and contract tests run joined into four files, because jest would load n8n-core
// anew for each file, which takes longer than most of its tests. A Jest environment that loads n8n-core once per worker
// does not work: its timers would escape Jest's simulated clock, and `instanceof` would fail across realms.
const { readdirSync } = require('node:fs');
const { join, relative } = require('node:path');

const TESTS = join(__dirname, '../../test');

/** Files that run by themselves: they take as long as a quarter of the others, or do not load n8n-core. */
const BY_THEMSELVES = [
	/unit\/(compose|package|setup)\.test/,
	/faults\/(matrix|longRuns|fuzz)\.test/,
];

/** Files that only `npm run test:long` runs. */
const LONG = [
	/browser\//,
	/faults\/longRuns\.test/,
	/n8n\/(agent|answersAsColumns|credentials|nodeSearch|queueMode|sendAgain)\.test/,
	/n8n\/(surveyATrigger|surveyBTrigger\.(sample|storage|subscriptions)|unverifiedPackages)\.test/,
];

/** Files that draw random cases: `npm run test:long` runs them with all cases, the other commands with a tenth. */
const RANDOM = [
	/simulate\//,
	/contract\/(faults\/(badRows|fuzz)|values\/anyValue|surveyATrigger\/surveyATrigger)\.test/,
	/unit\/(shared\/(request|listReader)|pollA\/newRows|parameters\/dates)\.test/,
];

/** Files of `npm test` that `npm run test:fast` leaves out: they need n8n, or take longer than all others. */
const NOT_FAST = [/n8n\//, /simulate\//, /faults\/matrix\.test/, /unit\/setup\.test/];

const isOneOf = (patterns) => (file) => patterns.some((pattern) => pattern.test(file));

/** Returns the path of a test file below test, such as `unit/package.test.ts`. */
const nameOf = (file) => relative(TESTS, file);

const files = readdirSync(TESTS, { recursive: true })
	.filter((path) => /\.test\.m?ts$/.test(path))
	.map((path) => join(TESTS, path))
	.sort();

const isJoined = (file) => /^(unit|contract)\//.test(nameOf(file)) && !isOneOf(BY_THEMSELVES)(file);

/** Returns the joined files. */
exports.filesTogether = () => files.filter(isJoined);

/**
 * Returns the files that a command runs by themselves.
 *
 * @param {string} suite `fast`, `usual` or `long`
 */
exports.filesOf = (suite) => {
	if (suite === 'long') return files.filter(isOneOf([...LONG, ...RANDOM]));
	const usual = files.filter((file) => !isJoined(file) && !isOneOf(LONG)(file));
	return suite === 'fast' ? usual.filter((file) => !isOneOf(NOT_FAST)(file)) : usual;
};

exports.nameOf = nameOf;
