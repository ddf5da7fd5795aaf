import { scoreOf } from '../../../nodes/SurveyA/records/feedback';

test.each<[unknown, number | undefined]>([
	[9, 9],
	[0, 0],
	['9', 9],
	[' 9 ', 9],
	['0', 0],
	['', undefined],
	['  ', undefined],
	['high', undefined],
	[NaN, undefined],
	[null, undefined],
	[undefined, undefined],
	[true, undefined],
	[[9], undefined],
])('reads the score %j as %j', (score, expected) => expect(scoreOf(score)).toBe(expected));
