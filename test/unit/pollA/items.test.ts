import { scoreOf } from '../../../nodes/SurveyA/records/feedback';
import { matches, routeOf } from '../../../nodes/SurveyA/trigger/items';
import { listedRow } from '../../../nodes/SurveyA/trigger/listedRow';

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

test.each([
	[7, '7', true],
	['64A1', '64a1', true],
	[7, '8', false],
	[null, '7', false],
	['STRASSE', 'straße', false],
])('a survey of campaign %j passes the filter for %j: %j', (campaignId, wanted, passes) => {
	const row = listedRow({ campaignId }, 'sentDate', 1);
	expect(matches({ event: 'survey.sent', row }, { campaignIds: [wanted] })).toBe(passes);
});

test('only feedback has a score type', () => {
	const row = listedRow({ metricsType: 'NPS', score: 9 }, 'sentDate', 1);
	expect(routeOf({ event: 'feedback.created', row }).scoreType).toBe('promoter');
	expect(routeOf({ event: 'survey.sent', row }).scoreType).toBeUndefined();
});
