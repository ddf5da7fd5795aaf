const { filesJoined, nameOf } = require('./suites.cjs');

/** Runs every second joined file, starting with the given one. */
exports.runHalf = (first) => {
	filesJoined()
		.filter((_file, index) => index % 2 === first)
		.forEach(runFile);
};

/** Runs a file within another one, with a time limit of its own. */
function runFile(file) {
	const begin = () => beginFile(nameOf(file));
	describe(nameOf(file), () => {
		begin();
		beforeAll(begin);
		require(file);
	});
}

exports.runFile = runFile;
