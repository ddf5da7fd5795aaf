// The tests that a mutant meets: quick ones. The fault matrix, the long runs and the real n8n ask what a
// hundred others ask as well, and would make a mutant take minutes.
const config = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	...config,
	rootDir: '../..',
	testEnvironment: require.resolve('./untilOneFails.cjs'),
	testSequencer: '<rootDir>/scripts/mutants/quickestFirst.cjs',
	// A mutant that keeps an answer back keeps it back in every test.
	testTimeout: 30_000,
	testRunner: '<rootDir>/scripts/mutants/jest-circus-asked.cjs',
	testPathIgnorePatterns: [
		'/node_modules/',
		'/test/n8n/',
		'/test/browser/',
		// They hold files against each other; of the code they see what is left out of the mutants.
		'/test/unit/(compose|package|publicInterface|schemas)\\.test',
		'/faults/(matrix|longRuns|fuzz|secrets|hostile)\\.test',
	],
};
