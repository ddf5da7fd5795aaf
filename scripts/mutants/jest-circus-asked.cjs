// Jest's own test runner (Stryker knows it by the name of this file); which tests are asked is for the environment.
const { default: circus } = require('jest-circus/runner');

module.exports = async (globalConfig, config, environment, ...more) => {
	environment.ask(globalConfig.testNamePattern);
	return await circus(
		{ ...globalConfig, testNamePattern: undefined },
		config,
		environment,
		...more,
	);
};
