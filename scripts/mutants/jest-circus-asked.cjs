// Jest's own test runner (Stryker knows it by the name of this file), but for one thing: a file none of whose tests
// is asked for is not loaded. To load eighty files for the three tests that reach a mutant is what would take the time.
const { createEmptyTestResult } = require('@jest/test-result');
const { default: circus } = require('jest-circus/runner');

const { note, notesOf } = require('./notes.cjs');

module.exports = async (globalConfig, config, environment, runtime, testPath, ...more) => {
	const { testNamePattern } = globalConfig;
	const names = testNamePattern ? notesOf(config, testPath)?.names : undefined;
	if (names && !names.some((name) => new RegExp(testNamePattern, 'i').test(name))) {
		return { ...createEmptyTestResult(), testFilePath: testPath, skipped: true };
	}
	const result = await circus(globalConfig, config, environment, runtime, testPath, ...more);
	if (!testNamePattern) note(config, testPath, result);
	return result;
};
