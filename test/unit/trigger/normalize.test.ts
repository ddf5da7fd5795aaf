import type { IDataObject } from 'n8n-workflow';

import { normalize as normalizeDelivery } from '../../../nodes/SurveyB/trigger/deliveries/item';

/** Returns a delivery's data in the contract's current shape. */
function normalize(event: string, data: IDataObject) {
	return normalizeDelivery({ hook: { id: 1, event, target: '' }, data });
}

test('feedback of the earlier revision gets the current names', () => {
	const data = {
		id: 1,
		comment: 'slow',
		posted_date: '2020-01-01T00:00:00Z',
		score: 3,
		campaign: 101,
		score_type: 'detractor',
		contact: { id: 7 },
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
			contact: { id: 7 },
			comment_modified: null,
			extra: 'kept',
		},
	});
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
