const { filesTogether, nameOf } = require('./suites.cjs');

/** Runs every fourth joined file, starting with the given one. */
exports.runQuarter = (first) => {
	const files = filesTogether(process.env.SURVEYS_SUITE).filter(
		(_file, index) => index % 4 === first,
	);
	for (const file of files) describe(nameOf(file), () => void require(file));
};
