import type { IDataObject } from 'n8n-workflow';

import { itemOf } from '../../../nodes/SurveyB/trigger/deliveries/item';
import { normalize } from '../../../nodes/SurveyB/trigger/deliveries/normalize';

const contact = {
	id: 7,
	email: 'ada@acme.example',
	first_name: 'Ada',
	attributes: { plan: 'team' },
};
const feedback = {
	id: 2001,
	contact,
	campaign: { id: 101, name: 'Relationship', launch_date: null, status: 'ACTIVE' },
	score: 3,
	score_type: 'detractor',
	comment: null,
	tags: [{ name: 'slow', category: 'DETRACTOR' }],
	survey: { attributes: {}, sent_date: '2026-11-01T08:00:00Z' },
	status: 'OPEN',
};
const metrics = { campaign_name: 'Relationship', nps: 50, followup_rate_percentage: '12.5' };
const ABOUT = { deliveryId: 'a', isSample: false, isRemoved: false };
const target = 'https://n8n.example/webhook/x/survey-b?token=example';

/** Returns the item of a delivery, with Simplify off. */
function itemIn(event: string, data: IDataObject) {
	return itemOf({ hook: { id: 1, event, target }, data }, normalize(event, data), ABOUT);
}

/** The contract's payload of each event. */
const payloads: Array<[string, IDataObject]> = [
	['feedback.added_or_changed', feedback],
	['feedback.tags_added_or_changed', feedback],
	['feedback.status_changed', feedback],
	['feedback.removed', feedback],
	['metric.score_changed', metrics],
	['contact.unsubscribed', contact],
	['tag.merged', { campaign: { id: 101, Name: 'R' }, before: 'a', after: 'b' }],
	['tag.removed', { campaign: { id: 101, Name: 'R' }, name: 'a' }],
	['tag.renamed', { campaign: { id: 101, Name: 'R' }, before: 'a', after: 'b' }],
];

test.each(payloads)('an item of %s has no issues', (event, data) => {
	const item = itemIn(event, data);
	expect(item).toMatchObject({ event, revision: 2, hook: { id: 1, event } });
	expect(item.hook.target).toBe('https://n8n.example/webhook/x/survey-b');
	expect(item).not.toHaveProperty('issues');
	expect(Number.isNaN(Date.parse(item.receivedAt))).toBe(false);
});

test.each(payloads)('an item of a broken %s payload has readable issues', (event, data) => {
	const broken = Object.fromEntries(Object.keys(data).map((name) => [name, { odd: true }]));
	const item = itemIn(event, broken);
	expect(item.issues?.length).toBeGreaterThan(0);
	for (const issue of item.issues ?? []) expect(issue).toMatch(/^data\.[\w.]+: \w+/);
	expect(JSON.stringify(item.data)).toContain('odd');
});

test.each<[IDataObject, string]>([
	[{ id: 'x' }, 'data.id: unexpected value'],
	[{ id: null }, 'data.id: unexpected value'],
	[{ id: undefined }, 'data.id: missing'],
	[{ comment: ['a'] }, 'data.comment: unexpected value'],
	[{ tags: { name: 'slow' } }, 'data.tags: unexpected value'],
	[{ contact: { ...contact, attributes: 'none' } }, 'data.contact.attributes: unexpected value'],
	[{ score: 11 }, 'data.score: unexpected value'],
	[{ score: -1 }, 'data.score: unexpected value'],
	[{ score: 9.5 }, 'data.score: unexpected value'],
])('the issues of %j name the field', (odd, issue) => {
	const data = { ...feedback, ...odd };
	const item = itemIn('feedback.removed', data);
	expect(item.issues).toEqual([issue]);
});

test('a custom event has no schema and no issues', () => {
	const item = itemIn('own.event', { anything: 1 });
	expect(item).not.toHaveProperty('issues');
	expect(item.data).toEqual({ anything: 1 });
});

test('feedback of the earlier revision gets the current names', () => {
	const data = {
		id: 1,
		comment: 'slow',
		posted_date: '2020-01-01T00:00:00Z',
		score: 3,
		campaign: 101,
		score_type: 'detractor',
		contact,
		comment_updated_date: null,
		extra: 'kept',
	};
	expect(normalize('feedback.added_or_changed', data)).toEqual({
		revision: 1,
		data: {
			id: 1,
			comment: 'slow',
			created: '2020-01-01T00:00:00Z',
			score: 3,
			campaign: { id: 101 },
			score_type: 'detractor',
			contact,
			comment_modified: null,
			extra: 'kept',
		},
	});
	expect(itemIn('feedback.added_or_changed', data)).not.toHaveProperty('issues');
});

test.each([
	[{ id: 1, campaign: 5 }, 1],
	[{ id: 1, campaign: '5' }, 1],
	[{ id: 1, posted_date: null }, 1],
	[{ id: 1, comment_updated_date: 'x' }, 1],
	[{ id: 1, campaign: { id: 5 } }, 2],
	[{ id: 1, campaign: null }, 2],
	[{ id: 1 }, 2],
])('detects the revision of %j: %i', (data, revision) => {
	expect(normalize('feedback.removed', data).revision).toBe(revision);
});

test.each([
	[5, { id: 5 }],
	['5', { id: 5 }],
	['Relationship', { name: 'Relationship' }],
	['101', { id: 101 }],
	['5 stars', { name: '5 stars' }],
	['Wave 2', { name: 'Wave 2' }],
	[null, null],
	[undefined, undefined],
])('converts the campaign %j of the earlier revision to %j', (campaign, expected) => {
	const { data } = normalize('feedback.removed', { id: 1, posted_date: 'x', campaign });
	expect(data.campaign).toEqual(expected);
});

test('adds no field that the earlier revision lacks, and prefers the current names', () => {
	const { data } = normalize('feedback.removed', { id: 1, posted_date: 'x', created: 'y' });
	expect(data).toEqual({ id: 1, created: 'y' });
});

test('metrics become numbers, and keep their formatted fields', () => {
	const { data } = normalize('metric.score_changed', {
		campaign: 'Relationship',
		nps: '50',
		formatted_feedback_count: '1,200',
		formatted_potential_new_revenue: '$5',
	});
	expect(data).toMatchObject({
		nps: 50,
		formatted_feedback_count: '1,200',
		formatted_potential_new_revenue: '$5',
	});
});

test.each(['tag.merged', 'tag.removed', 'tag.renamed'])(
	'the campaign of %s has a name',
	(event) => {
		const { data } = normalize(event, { campaign: { id: 1, Name: 'R', other: 2 }, name: 'x' });
		expect(data).toEqual({ campaign: { id: 1, name: 'R', other: 2 }, name: 'x' });
		expect(normalize(event, { campaign: null }).data).toEqual({ campaign: null });
		const current = { campaign: { id: 1, name: 'R' }, name: 'x' };
		expect(normalize(event, current).data).toEqual(current);
	},
);

test('the campaign of a custom event keeps its fields', () => {
	const data = { campaign: { id: 1, Name: 'R' } };
	expect(normalize('survey.sent', data).data).toEqual(data);
});

test('an unsubscribed contact says so as a boolean', () => {
	const { data } = normalize('contact.unsubscribed', { id: 1, unsubscribed: 'True' });
	expect(data).toEqual({ id: 1, unsubscribed: true });
});
