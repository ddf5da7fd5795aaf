const config = require('../../jest.config.js');
const { filesOf } = require('./suites.cjs');

const suite = process.env.SURVEYS_SUITE ?? 'usual';

/** @type {import('jest').Config} */
module.exports = {
	...config,
	rootDir: '../..',
	// Files in a real n8n wait for services and for n8n's timers more than for a core.
	maxWorkers: { fast: config.maxWorkers, usual: 3, long: 5 }[suite],
	roots: ['<rootDir>/test', '<rootDir>/scripts/joined'],
	moduleFileExtensions: [...config.moduleFileExtensions, 'cjs'],
	testMatch: [
		...filesOf(suite),
		...(suite === 'long' ? [] : ['**/joined/half*.test.cjs']),
		...(suite === 'usual' ? ['**/joined/harder.test.cjs'] : []),
	],
	testSequencer: '<rootDir>/scripts/joined/longestFirst.cjs',
};
