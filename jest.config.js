/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/support/simulatedEnvironment.mts',
	roots: ['<rootDir>/test'],
	moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'json'],
	transform: {
		'^.+\\.m?[jt]s$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
		],
	},
	// Published as ES modules only.
	transformIgnorePatterns: ['/node_modules/(?!get-port/)'],
	setupFiles: ['reflect-metadata', '<rootDir>/test/support/quiet.js'],
	setupFilesAfterEnv: ['<rootDir>/test/support/contracts/watch.ts'],
	testTimeout: 60_000,
	// n8n logs what its nodes log; the tests assert on what matters of it.
	silent: true,
	maxWorkers: 2,
};
