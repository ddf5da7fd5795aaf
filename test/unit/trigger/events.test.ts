import { hookEvents, isFeedbackEvent } from '../../../nodes/SurveyB/events';
import { deliveryJson, normalize } from '../../../nodes/SurveyB/trigger/items';
import { METRIC_NUMBERS } from '../../support/metrics';

/** Returns the issues of an item. */
function issues(event: string, data: object): string[] {
	const delivery = { hook: { id: 1, event, target: '' }, data: { ...data } };
	const about = { deliveryId: 'a', isSample: false };
	const form = { simplify: false, answersAsColumns: false };
	const item = deliveryJson(delivery, normalize(delivery), about, form);
	return [item.issues ?? []].flat().map(String);
}

/** Returns the fields that are reported if each of the given ones has an invalid value. */
function reported(event: string, fields: string[], inside?: string): string[] {
	const wrong = Object.fromEntries(fields.map((field) => [field, Symbol('wrong')]));
	const data = inside === undefined ? wrong : { ...GOOD, [inside]: wrong };
	return issues(event, data).map((line) => line.split(':')[0] ?? '');
}

const GOOD = { id: 1, score: 9 };

const FEEDBACK = [
	'id',
	'href',
	'followup_href',
	'contact',
	'campaign',
	'score',
	'created',
	'score_changed',
	'score_type',
	'comment',
	'comment_created',
	'comment_modified',
	'tags',
	'survey',
	'status',
	'status_changed',
];

const ALL_EVENTS = hookEvents.map(({ value }) => value);

describe.each(ALL_EVENTS.filter(isFeedbackEvent))('%s', (event) => {
	test('reports each invalid field of feedback', () => {
		expect(reported(event, FEEDBACK).sort()).toEqual(FEEDBACK.map((name) => `data.${name}`).sort());
	});

	test.each([
		['contact', ['attributes', 'first_name', 'last_name', 'id', 'email']],
		['campaign', ['id', 'name', 'launch_date', 'status']],
		['survey', ['id', 'attributes', 'sent_date']],
	])('reports each invalid field of its %s', (inside, fields) => {
		expect(reported(event, fields, inside)).toEqual(fields.map((name) => `data.${inside}.${name}`));
	});

	test('reports the invalid fields of each tag', () => {
		expect(issues(event, { ...GOOD, tags: [{ name: 'slow' }, { category: 7 }] })).toEqual([
			'data.tags.1.name: missing',
			'data.tags.1.category: unexpected value',
		]);
	});

	test.each([
		[0, []],
		[10, []],
		[-1, ['data.score: unexpected value']],
		[11, ['data.score: unexpected value']],
		[7.5, ['data.score: unexpected value']],
		['7', []],
		['seven', ['data.score: unexpected value']],
		[null, ['data.score: unexpected value']],
		[[7], ['data.score: unexpected value']],
		[undefined, ['data.score: missing']],
	])('reports a score of %j as %j', (score, lines) => {
		expect(issues(event, { ...GOOD, score })).toEqual(lines);
	});
});

/** The fields of the other events, as the contract shows them. */
const FIELDS: Record<string, string[]> = {
	'contact.unsubscribed': ['attributes', 'first_name', 'last_name', 'id', 'email'],
	'metric.score_changed': ['href', 'campaign_name', 'score_analysis', ...METRIC_NUMBERS],
	'tag.merged': ['campaign', 'before', 'after'],
	'tag.renamed': ['campaign', 'before', 'after'],
	'tag.removed': ['campaign', 'name'],
};

const OTHER_EVENTS = ALL_EVENTS.filter((event) => !isFeedbackEvent(event));

test.each(OTHER_EVENTS)('reports each invalid field of %s', (event) => {
	const fields = FIELDS[event];
	if (!fields) throw new RangeError(`Add ${event} to FIELDS of test/unit/trigger/events.test.ts`);
	expect(reported(event, fields).sort()).toEqual(fields.map((name) => `data.${name}`).sort());
});

test.each(['tag.merged', 'tag.renamed', 'tag.removed'])(
	'%s requires its names, but not its campaign',
	(event) => {
		const names = { before: 'a', after: 'b', name: 'a' };
		expect(issues(event, { ...names })).toEqual([]);
		expect(issues(event, { ...names, campaign: null })).toEqual([]);
		expect(issues(event, { ...names, campaign: {} })).toEqual([]);
		expect(issues(event, { ...names, campaign: { id: 'x', Name: 7 } })).toEqual([
			'data.campaign.id: unexpected value',
			'data.campaign.Name: unexpected value',
		]);
		const wanted = event === 'tag.removed' ? ['name'] : ['before', 'after'];
		expect(issues(event, {})).toEqual(wanted.map((name) => `data.${name}: missing`));
	},
);

test('reports no issues for an unknown event', () => {
	expect(issues('survey.invented', { score: 99 })).toEqual([]);
});
