// Runs the quickest test files first: the first that fails ends a mutant, and most mutants fail wherever they are met.
const { default: Sequencer } = require('@jest/test-sequencer');

const { notesOf } = require('./notes.cjs');

module.exports = class extends Sequencer {
	sort(tests) {
		const seconds = new Map(
			tests.map(({ path, context }) => [path, notesOf(context.config, path)?.seconds ?? 0]),
		);
		return [...tests].sort((one, other) => seconds.get(one.path) - seconds.get(other.path));
	}
};
