// Jest's own test runner (Stryker knows it by the name of this file), but for two things. A file none of whose tests
// is asked for is not loaded: to load eighty files for the three tests that reach a mutant is what would take the time.
// And a file is asked for its own tests only: Stryker's pattern names up to three thousand, and compiling that takes a
// second a file.
const { createEmptyTestResult } = require('@jest/test-result');
const { escapeRegExp } = require('@stryker-mutator/util');
const { default: circus } = require('jest-circus/runner');

const { note, notesOf } = require('./notes.cjs');

module.exports = async (globalConfig, config, environment, runtime, testPath, ...more) => {
	const run = async (testNamePattern) =>
		await circus(
			{ ...globalConfig, testNamePattern },
			config,
			environment,
			runtime,
			testPath,
			...more,
		);
	const { testNamePattern } = globalConfig;
	if (!testNamePattern) {
		const result = await run(undefined);
		note(config, testPath, result);
		return result;
	}
	const names = notesOf(config, testPath)?.names ?? [];
	const patterns = names.map((name) => `(${escapeRegExp(name)})`);
	const asked = patterns.filter((pattern) => testNamePattern.includes(pattern));
	if (asked.length > 0) return await run(asked.join('|'));
	return { ...createEmptyTestResult(), testFilePath: testPath, skipped: true };
};
