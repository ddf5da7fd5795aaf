const { default: TestSequencer } = require('@jest/test-sequencer');

const LONGEST_FIRST = [
	/storage|browser|n8n\/examples|publishing|surveyATrigger|demo|kills/,
	/test\/long/,
	/half/,
	/test\/n8n|matrix|edgeEnvelopes/,
];

/** Starts the longest files first. Jest sorts by file size on a fresh clone, which would leave a worker idle at the end. */
module.exports = class extends TestSequencer {
	sort(tests) {
		return super.sort(tests).sort((one, other) => rank(one) - rank(other));
	}
};

function rank({ path }) {
	const place = LONGEST_FIRST.findIndex((kind) => kind.test(path));
	return place < 0 ? LONGEST_FIRST.length : place;
}
