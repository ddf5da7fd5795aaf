import type { IDataObject } from 'n8n-workflow';

import { deliveryJson, normalize } from '../../../nodes/SurveyB/trigger/items';

const TARGET = 'https://n8n.example.com/webhook/x/survey-b?token=secret';

const FEEDBACK = {
	id: 7,
	href: 'https://b.example.com/api/v2/feedback/7/',
	followup_href: 'https://b.example.com/followup/7/',
	contact: { attributes: { plan: 'pro' }, first_name: 'Ada', id: 1, email: 'ada@acme.example' },
	campaign: { id: 101, name: 'Relationship', launch_date: '2024-01-15', status: 'ACTIVE' },
	score: 2,
	created: '2026-01-01T00:00:00.000000Z',
	score_changed: '2026-01-02T00:00:00.000000Z',
	score_type: 'detractor',
	comment: 'Slow',
	tags: [
		{ name: 'slow', category: 'DETRACTOR' },
		{ name: 'late', category: 'PASSIVE' },
	],
	survey: { attributes: { plan: 'trial' } },
	status: 'OPEN',
};

const SIMPLIFIED = {
	event: 'feedback.removed',
	id: 7,
	created: '2026-01-01T00:00:00.000000Z',
	email: 'ada@acme.example',
	name: 'Ada',
	score: 2,
	score_type: 'detractor',
	comment: 'Slow',
	status: 'OPEN',
	campaign_name: 'Relationship',
	tags: 'slow, late',
};

interface Choices {
	answersAsColumns?: boolean;
	isSample?: boolean;
}

/** Returns the item of a delivery in the form with Simplify off or on. */
function itemIn(simplify: boolean, event: string, data: IDataObject, choices: Choices = {}) {
	const { answersAsColumns = false, isSample = false } = choices;
	const delivery = { hook: { id: 5, event, target: TARGET }, data };
	const about = { deliveryId: 'f00d', isSample };
	return deliveryJson(delivery, normalize(delivery), about, { simplify, answersAsColumns });
}

const whole = (event: string, data: IDataObject) => itemIn(false, event, data);
const simplified = (event: string, data: IDataObject, choices?: Choices) =>
	itemIn(true, event, data, choices);

describe('with Simplify off', () => {
	test('an item has the data as delivered, and a target without its token', () => {
		expect(whole('feedback.removed', FEEDBACK)).toEqual({
			event: 'feedback.removed',
			data: FEEDBACK,
			deliveryId: 'f00d',
			receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
			revision: 2,
			hook: {
				id: 5,
				event: 'feedback.removed',
				target: 'https://n8n.example.com/webhook/x/survey-b',
			},
		});
	});

	test('data of the earlier revision keeps its names', () => {
		const data = { id: 7, score: 2, posted_date: '2026-01-01', campaign: 101 };
		const item = whole('feedback.added_or_changed', data);
		expect(item).toMatchObject({ data, revision: 1 });
		expect(item).not.toHaveProperty('issues');
	});
});

describe('with Simplify on', () => {
	test('a simplified feedback item has the event and what people look at first, and the delivery ID last', () => {
		const item = simplified('feedback.removed', FEEDBACK);
		const expected = {
			...SIMPLIFIED,
			deliveryId: 'f00d',
		};
		expect(item).toEqual(expected);
		expect(Object.keys(item)).toEqual(Object.keys(expected));
	});

	test('simplified feedback of the earlier revision has the same fields', () => {
		const data = { id: 7, score: '2', posted_date: '2026-01-01', campaign: 101 };
		const item = simplified('feedback.added_or_changed', data);
		expect(Object.keys(item)).toEqual([...Object.keys(SIMPLIFIED), 'deliveryId']);
		expect(item).toMatchObject({ id: 7, score: 2, created: '2026-01-01' });
	});

	test('Answers as Columns gives each attribute a column, also two with one name', () => {
		const item = simplified('feedback.removed', FEEDBACK, { answersAsColumns: true });
		expect(item).toEqual({
			...SIMPLIFIED,
			plan: 'pro',
			'plan (survey)': 'trial',
			deliveryId: 'f00d',
		});
	});

	test.each(['event', 'deliveryId', 'issues', 'sample'])(
		'an attribute named %s does not replace the field of the item',
		(name) => {
			const data = { ...FEEDBACK, contact: { attributes: { [name]: 'mine' } } };
			const item = simplified('feedback.removed', data, { answersAsColumns: true });
			expect(item).toMatchObject({ event: 'feedback.removed', deliveryId: 'f00d' });
			expect(item).toMatchObject({ [`${name} (data)`]: 'mine' });
			expect(item[name]).not.toBe('mine');
		},
	);

	test('simplified metrics have numbers as numbers, and the name of their campaign', () => {
		const data = { campaign: 'Relationship', nps: '45', formatted_revenue: '$1' };
		expect(simplified('metric.score_changed', data)).toMatchObject({
			event: 'metric.score_changed',
			deliveryId: 'f00d',
			campaign_name: 'Relationship',
			nps: 45,
		});
	});

	test('a simplified contact has all its fields', () => {
		const data = { attributes: { plan: 'pro' }, first_name: 'Ada', id: 1, email: 'a@b.example' };
		const front = { event: 'contact.unsubscribed', deliveryId: 'f00d', last_name: null };
		expect(simplified('contact.unsubscribed', data)).toEqual({ ...front, ...data });
		const inColumns = simplified('contact.unsubscribed', data, { answersAsColumns: true });
		expect(inColumns).not.toHaveProperty('attributes');
	});

	test.each([
		['tag.merged', { before: 'slow', after: 'late' }],
		['tag.renamed', { before: 'slow', after: 'late' }],
		['tag.removed', { name: 'slow' }],
	])('a simplified %s item has its campaign as two fields', (event, names) => {
		const data = { campaign: { id: 101, Name: 'Relationship' }, ...names };
		const campaign = { campaign_id: 101, campaign_name: 'Relationship' };
		expect(simplified(event, data)).toEqual({ event, deliveryId: 'f00d', ...campaign, ...names });
	});

	test('a simplified tag event keeps a campaign that is not an object', () => {
		const item = simplified('tag.removed', { campaign: 'Relationship', name: 'slow' });
		expect(item).toMatchObject({ campaign_name: 'Relationship', issues: [expect.any(String)] });
	});

	test('an event that the contract does not have keeps all its fields', () => {
		const data = { id: 1, event: 'theirs', campaign: { id: 101 } };
		expect(simplified('survey.sent', data)).toEqual({
			event: 'survey.sent',
			deliveryId: 'f00d',
			id: 1,
			'event (data)': 'theirs',
			campaign: { id: 101 },
		});
	});

	test('the item of a sample is marked as one, and names the address that Survey B has to reach', () => {
		const item = simplified('feedback.removed', FEEDBACK, { isSample: true });
		expect(item).toMatchObject({
			id: 7,
			sample: true,
			sampleNote: expect.stringMatching(/has to reach https:\/\/n8n\.example\.com$/),
		});
	});
});
