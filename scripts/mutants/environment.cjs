// Stryker selects up to 3,000 tests by one regular expression, and jest would need a millisecond to match it with each
// name. This environment searches for the names in the expression instead. It skips all tests after the first failure,
// because each could wait for a response that a mutant prevents.
const { escapeRegExp } = require('@stryker-mutator/util');
const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
	#pattern;
	#hasFailed = false;

	/** Sets jest's pattern of names; empty for all tests. */
	select(pattern) {
		this.#pattern = pattern || undefined;
		this.global.isFileSelected = (file) => this.#isSelected(`(${escapeRegExp(`${file} `)}`);
	}

	#isSelected(part) {
		return this.#pattern === undefined || this.#pattern.includes(part);
	}

	#skipUnselected(block, name) {
		for (const child of block.children) {
			const itsName = `${name} ${child.name}`.trimStart();
			if (child.type === 'describeBlock') this.#skipUnselected(child, itsName);
			else if (!this.#isSelected(`(${escapeRegExp(itsName)})`)) child.mode = 'skip';
		}
	}

	handleTestEvent({ name, test }, { rootDescribeBlock }) {
		if (name === 'run_start') this.#skipUnselected(rootDescribeBlock, '');
		if (name === 'test_done') this.#hasFailed ||= test.errors.length > 0;
		if (name === 'test_start' && this.#hasFailed) test.mode = 'skip';
	}
};
