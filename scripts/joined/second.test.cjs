/**
 * The contract tests once more, against servers that were written from the contracts alone.
 *
 * @jest-environment ./test/support/second/environment.mts
 */
const { runFile } = require('./half.cjs');
const { filesSecond } = require('./suites.cjs');

jest.mock('../../sandbox', () => {
	const { startServiceA, startServiceB } = require('../../test/support/second/bridge.mts');
	const startSandbox = async () => {
		const [a, b] = await Promise.all([startServiceA(), startServiceB()]);
		return { a, b, close: async () => void (await Promise.all([a.close(), b.close()])) };
	};
	return { ...jest.requireActual('../../sandbox'), startServiceA, startServiceB, startSandbox };
});

const { violations } = require('../../test/support/second/bridge.mts');

beforeEach(() => void violations.splice(0));

afterEach(() => {
	if (globalThis.holdsInSandboxOnly) return;
	expect(violations).toEqual(
		globalThis.leavesContract ? expect.arrayContaining([expect.anything()]) : [],
	);
});

filesSecond().forEach(runFile);
