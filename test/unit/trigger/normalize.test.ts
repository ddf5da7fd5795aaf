import type { IDataObject } from 'n8n-workflow';

import { normalize as normalizeDelivery } from '../../../nodes/SurveyB/trigger/items';

/** Returns a delivery's data in the contract's current shape. */
function normalize(event: string, data: IDataObject) {
	return normalizeDelivery({ hook: { id: 1, event, target: '' }, data });
}

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
	['12345678901234567', { id: '12345678901234567' }],
	['5 stars', { name: '5 stars' }],
	['Wave 2', { name: 'Wave 2' }],
	[null, null],
	[undefined, undefined],
])('converts the campaign %j of the earlier revision to %j', (campaign, expected) => {
	const { data } = normalize('feedback.removed', { id: 1, posted_date: 'x', campaign });
	expect(data.campaign).toEqual(expected);
});

test('feedback of the earlier revision gets the current names, and keeps values that it has under them', () => {
	const dates = { posted_date: 'x', comment_updated_date: null };
	const { data } = normalize('feedback.removed', { id: 1, ...dates });
	expect(data).toEqual({ id: 1, created: 'x', comment_modified: null });
	const current = { created: 'y', comment_modified: 'z' };
	expect(normalize('feedback.removed', { ...dates, ...current }).data).toEqual(current);
});
