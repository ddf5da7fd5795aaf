// The rest of a file has nothing to add once a test in it has failed: each could wait for what a mutant keeps back.
const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
	#hasFailed = false;

	handleTestEvent({ name, test }) {
		if (name === 'test_done') this.#hasFailed ||= test.errors.length > 0;
		if (name === 'test_start' && this.#hasFailed) test.mode = 'skip';
	}
};
