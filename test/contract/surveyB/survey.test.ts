import type { NodeParameterValue } from 'n8n-workflow';

import { mapped } from '../../support/columns';
import { useBench } from './bench';

const bench = useBench();

const EMAIL = 'nathan@example.com';

/** Returns the parameters for sending a survey to a contact with these attributes. */
const send = (attributes: Record<string, NodeParameterValue>) => ({
	campaignId: '101',
	...mapped({
		email: EMAIL,
		...Object.fromEntries(
			Object.entries(attributes).map(([name, value]) => [`attribute:${name}`, value]),
		),
	}),
});

describe('send', () => {
	test('Send posts exactly the mapped columns and returns the status', async () => {
		const item = await bench.one('survey.send', {
			campaignId: '101',
			...mapped({
				email: 'nathan@example.com',
				firstName: 'Nathan',
				lastName: 'Smith',
				'attribute:plan': 'pro',
				'surveyAttribute:ticket': 4711,
			}),
		});
		const contact = {
			email: 'nathan@example.com',
			first_name: 'Nathan',
			last_name: 'Smith',
			attributes: { plan: 'pro' },
		};
		bench.expectSent('POST /api/v2/survey/', {
			campaign_id: 101,
			contact,
			attributes: { ticket: 4711 },
		});
		expect(item).toEqual({
			email: 'nathan@example.com',
			campaign_id: 101,
			status: 'SENT',
			contact,
			attributes: { ticket: 4711 },
		});
	});

	test('a response of an older server comes out under the same names', async () => {
		bench.service.settings.olderSurveyResponse = true;
		const item = await bench.one('survey.send', {
			campaignId: '101',
			...mapped({ email: 'a@example.com' }),
		});
		expect(item).toMatchObject({
			email: 'a@example.com',
			campaign_id: 101,
			campaign: 101,
		});
	});
});

describe('attributes of a contact', () => {
	test.each<[NodeParameterValue, unknown]>([
		['2026-11-21T10:30:05.123+01:00', '2026-11-21T09:30:05Z'],
		['={{ [1, "two", { three: true }] }}', [1, 'two', { three: true }]],
		['={{ new Date(Date.UTC(2026, 10, 21, 10, 30, 5, 7)) }}', '2026-11-21T10:30:05Z'],
		["={{ [DateTime.fromISO('2026-11-21T10:30:05.007+01:00')] }}", ['2026-11-21T09:30:05Z']],
	])('the value %p is sent as %p', async (value, sent) => {
		await bench.one('survey.send', send({ value }));
		expect(bench.sent()).toMatchObject([{ body: { contact: { attributes: { value: sent } } } }]);
	});

	test('a number as text with a decimal point fails and says to return a number', async () => {
		const says = await bench.failure('survey.send', send({ mrr: '12.5' }));
		expect(says).toContain('return a number from an expression');
		expect(bench.service.requests).toEqual([]);
	});
});
