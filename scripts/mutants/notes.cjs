// What is noted of each test file while all of them run: the names of its tests, and how long it took.
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const FOLDER = process.env.SURVEYS_TEST_NOTES;

/** By its path in the tree: Stryker works in copies of it. */
function placeOf({ rootDir }, testPath) {
	const name = createHash('sha256').update(testPath.slice(rootDir.length)).digest('hex');
	return join(FOLDER, name);
}

exports.notesOf = (config, testPath) => {
	const place = placeOf(config, testPath);
	return existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : undefined;
};

exports.note = (config, testPath, { testResults, perfStats }) => {
	mkdirSync(FOLDER, { recursive: true });
	const names = testResults.map(({ fullName }) => fullName);
	const seconds = (perfStats.end - perfStats.start) / 1000;
	writeFileSync(placeOf(config, testPath), JSON.stringify({ names, seconds }));
};
