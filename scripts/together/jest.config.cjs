const config = require('../../jest.config.js');
const { filesTogether, nameOf } = require('./files.cjs');

/** @type {import('jest').Config} */
module.exports = {
	...config,
	rootDir: '../..',
	roots: ['<rootDir>/test', '<rootDir>/scripts/together'],
	moduleFileExtensions: [...config.moduleFileExtensions, 'cjs'],
	testMatch: ['**/*.test.{ts,mts,cjs}'],
	testPathIgnorePatterns: filesTogether().map((file) => `/test/${nameOf(file)}$`),
	testSequencer: '<rootDir>/scripts/together/longestFirst.cjs',
};
