const { default: TestSequencer } = require('@jest/test-sequencer');

const LONGEST_FIRST = [/test\/browser/, /test\/n8n/, /together|longRuns|matrix/];

/** By size, which is what jest goes by on a fresh clone, the longest files would come last, one worker idle. */
module.exports = class extends TestSequencer {
	sort(tests) {
		return super.sort(tests).sort((one, other) => rank(one) - rank(other));
	}
};

function rank({ path }) {
	const place = LONGEST_FIRST.findIndex((kind) => kind.test(path));
	return place < 0 ? LONGEST_FIRST.length : place;
}
