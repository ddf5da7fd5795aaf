import { SurveyATrigger } from '../../../nodes/SurveyA/SurveyATrigger.node';
import { SurveyBTrigger } from '../../../nodes/SurveyB/SurveyBTrigger.node';
import { passes } from '../../../nodes/shared/triggers/items';
import { isWanted, scoreTypeOf } from '../../../nodes/SurveyB/trigger/items';

const feedback = {
	score: 3,
	score_type: 'detractor',
	status: 'OPEN',
	campaign: { id: 101, name: 'Relationship' },
};

test.each([
	[{}, true],
	[{ scoreTypes: [], campaignIds: [], statuses: [] }, true],
	[{ scoreTypes: ['passive', 'Detractor'] }, true],
	[{ scoreTypes: ['promoter'] }, false],
	[{ campaignIds: ['10', '1'] }, false],
	[{ campaignIds: ['102', 'Relationship'] }, true],
	[{ campaignIds: ['After support ticket', '102'] }, false],
	[{ statuses: ['open'] }, true],
	[{ statuses: ['CLOSED'] }, false],
	[{ minScore: 3, maxScore: 3 }, true],
	[{ minScore: 4 }, false],
	[{ maxScore: 0 }, false],
	[{ scoreTypes: ['detractor'], statuses: ['CLOSED'] }, false],
])('the filters %j accept a detractor of campaign 101: %j', (filters, expected) => {
	expect(isWanted(filters, feedback)).toBe(expected);
});

test('filters accept an event that lacks their fields', () => {
	const filters = {
		scoreTypes: ['promoter'],
		campaignIds: ['7'],
		statuses: ['CLOSED'],
		minScore: 9,
	};
	expect(isWanted(filters, { email: 'ada@acme.example' })).toBe(true);
	expect(isWanted(filters, { status: null, score: null })).toBe(true);
});

test('an event without a score passes unless a filter asks for one', () => {
	expect(passes({}, { score: null })).toBe(true);
	expect(passes({ maxScore: 6 }, { score: null })).toBe(false);
	expect(passes({ minScore: 0 }, { score: null })).toBe(false);
});

test.each([
	[{ campaign: { id: 7, Name: 'Of a tag' } }, ['of a tag'], true],
	[{ campaign: { id: 7, Name: 'Of a tag' } }, ['Another'], false],
	[{ campaign: { id: '8' } }, ['7'], false],
	[{ campaign: { id: 7, name: 'Wave 2' } }, ['Wave 2'], true],
	[{ campaign: { id: 7, name: '2nd wave' } }, ['2nd wave'], true],
	[{ campaign_name: 'Of metrics' }, ['Of metrics'], true],
	[{ campaign_name: 'Of metrics' }, ['Another'], false],
	[{ campaign_name: 'Of metrics' }, ['7'], false],
	[{ campaign_name: 'Of metrics', href: 'https://b.example/api/v2/metrics/7/' }, ['7'], true],
	[{ campaign_name: 'Of metrics', href: 'https://b.example/api/v2/metrics/8/' }, ['7'], false],
	[
		{ campaign_name: 'Of metrics', href: 'https://b.example/api/v2/metrics/8/' },
		['Of metrics'],
		true,
	],
	[{ href: 'https://b.example/api/v2/feedback/8/' }, ['7'], true],
	[{ campaign: { id: 7 } }, ['A name'], false],
	[{ campaign: 'Of older metrics' }, ['Another'], false],
])('data of %j passes a filter by the campaigns %j: %j', (data, campaignIds, expected) => {
	expect(isWanted({ campaignIds }, data)).toBe(expected);
});

test.each([
	[{ score: 6 }, 'detractor'],
	[{ score: 7 }, 'passive'],
	[{ score: 8 }, 'passive'],
	[{ score: 9 }, 'promoter'],
	[{ score_type: 'PASSIVE', score: 10 }, 'passive'],
	[{ score_type: '', score: 10 }, 'promoter'],
	[{ score: '9' }, undefined],
	[{}, undefined],
])('data of %j has the score type %s', (data, expected) => {
	expect(scoreTypeOf(data)).toBe(expected);
});

test.each([
	['minScore', 'higher', [false, true, true]],
	['maxScore', 'lower', [true, true, false]],
])(
	'%s accepts its score or a %s one, as its description says in the editor of both triggers',
	(name, says, accepted) => {
		expect([5, 6, 7].map((score) => passes({ [name]: 6 }, { score }))).toEqual(accepted);
		for (const { description } of [new SurveyATrigger(), new SurveyBTrigger()]) {
			const filters = description.properties.find((one) => one.name === 'filters');
			const filter = filters?.options?.find((one) => one.name === name);
			expect(filter).toMatchObject({
				description: expect.stringMatching(`with this score.* or (a )?${says}\\b`),
			});
		}
	},
);
