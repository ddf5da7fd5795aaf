const config = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	...config,
	rootDir: '../..',
	roots: ['<rootDir>/scripts/mutants'],
	moduleFileExtensions: [...config.moduleFileExtensions, 'cjs'],
	testMatch: ['**/everything.test.cjs'],
	testEnvironment: require.resolve('./environment.cjs'),
	testRunner: '<rootDir>/scripts/mutants/jest-circus-selected.cjs',
	// A mutant that prevents a response does so in every test.
	testTimeout: 30_000,
};
