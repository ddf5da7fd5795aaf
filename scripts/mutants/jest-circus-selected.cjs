// Jest's own test runner, which passes the selection of tests to the environment. Stryker requires "jest-circus" in its name.
const { default: circus } = require('jest-circus/runner');

module.exports = async (globalConfig, config, environment, ...more) => {
	environment.select(globalConfig.testNamePattern);
	return await circus(
		{ ...globalConfig, testNamePattern: undefined },
		config,
		environment,
		...more,
	);
};
