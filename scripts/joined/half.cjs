const { filesJoined, nameOf } = require('./suites.cjs');

/** Runs every second joined file, starting with the given one. */
exports.runHalf = (first) => {
	const files = filesJoined(process.env.SURVEYS_SUITE).filter(
		(_file, index) => index % 2 === first,
	);
	for (const file of files) describe(nameOf(file), () => void require(file));
};
