// Stryker asks for tests by a pattern of their names, up to three thousand of them: jest would match each name with it
// for a millisecond. Here they are looked up. And nothing more is asked once a test has failed: each could wait for
// what a mutant keeps back.
const { escapeRegExp } = require('@stryker-mutator/util');
const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
	#pattern;
	#hasFailed = false;

	/** Takes jest's pattern of names; nothing where all tests are to run. */
	ask(pattern) {
		this.#pattern = pattern || undefined;
		this.global.askedOf = (file) => this.#isAsked(`(${escapeRegExp(`${file} `)}`);
	}

	#isAsked(part) {
		return this.#pattern === undefined || this.#pattern.includes(part);
	}

	#skipUnasked(block, name) {
		for (const child of block.children) {
			const itsName = `${name} ${child.name}`.trimStart();
			if (child.type === 'describeBlock') this.#skipUnasked(child, itsName);
			else if (!this.#isAsked(`(${escapeRegExp(itsName)})`)) child.mode = 'skip';
		}
	}

	handleTestEvent({ name, test }, { rootDescribeBlock }) {
		if (name === 'run_start') this.#skipUnasked(rootDescribeBlock, '');
		if (name === 'test_done') this.#hasFailed ||= test.errors.length > 0;
		if (name === 'test_start' && this.#hasFailed) test.mode = 'skip';
	}
};
