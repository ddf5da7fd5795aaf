const config = require('../../jest.config.js');
const { filesOf } = require('./suites.cjs');

const suite = process.env.SURVEYS_SUITE ?? 'usual';

/** @type {import('jest').Config} */
module.exports = {
	...config,
	rootDir: '../..',
	// Most files of the long run wait for services, not for a core.
	maxWorkers: suite === 'long' ? 3 : config.maxWorkers,
	roots: ['<rootDir>/test', '<rootDir>/scripts/joined'],
	moduleFileExtensions: [...config.moduleFileExtensions, 'cjs'],
	testMatch: [
		...filesOf(suite),
		...(suite === 'long' ? [] : ['**/joined/half*.test.cjs']),
		...(suite === 'usual' ? ['**/joined/harder.test.cjs'] : []),
		...(suite === 'long' ? ['**/joined/second.test.cjs'] : []),
	],
	testSequencer: '<rootDir>/scripts/joined/longestFirst.cjs',
};
