const { filesTogether, nameOf } = require('./files.cjs');

/** Runs every fourth of the files that go together, from the given one on. */
exports.runQuarter = (first) => {
	const files = filesTogether().filter((_file, index) => index % 4 === first);
	for (const file of files) describe(nameOf(file), () => void require(file));
};
