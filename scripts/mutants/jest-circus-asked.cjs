// Jest's own test runner (Stryker knows it by the name of this file), but for one thing: a file none of whose tests is asked for is not loaded. To load
// forty files for the three tests that reach a mutant is what would take the time.
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const { createEmptyTestResult } = require('@jest/test-result');
const { default: circus } = require('jest-circus/runner');

/** The names of each file's tests, noted while all of them run. */
const FOLDER = process.env.SURVEYS_TEST_NAMES;

module.exports = async (globalConfig, config, environment, runtime, testPath, ...more) => {
	const notes = join(
		FOLDER,
		createHash('sha256').update(testPath.slice(config.rootDir.length)).digest('hex'),
	);
	const { testNamePattern } = globalConfig;
	if (testNamePattern && existsSync(notes)) {
		const asked = new RegExp(testNamePattern, 'i');
		const names = JSON.parse(readFileSync(notes, 'utf8'));
		if (!names.some((name) => asked.test(name))) return nothingOf(testPath);
	}
	const result = await circus(globalConfig, config, environment, runtime, testPath, ...more);
	if (!testNamePattern) {
		mkdirSync(FOLDER, { recursive: true });
		writeFileSync(notes, JSON.stringify(result.testResults.map(({ fullName }) => fullName)));
	}
	return result;
};

function nothingOf(testFilePath) {
	return { ...createEmptyTestResult(), testFilePath, skipped: true };
}
