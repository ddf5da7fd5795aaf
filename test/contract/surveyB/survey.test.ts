import type { IDataObject } from 'n8n-workflow';

import { useBench } from './bench';

const bench = useBench();

const attributes = (...entries: Array<[string, unknown]>) => ({
	attribute: entries.map(([name, value]) => ({ name, value: value as string })),
});

test('send: the request to the letter, and its output', async () => {
	const item = await bench().one('survey.send', {
		campaignId: '101',
		email: 'nathan@example.com',
		additionalFields: {
			firstName: 'Nathan',
			lastName: 'Smith',
			contactAttributes: attributes(['plan', 'pro']),
			surveyAttributes: attributes(['ticket', 4711]),
		},
	});
	expect(bench().sent()).toEqual([
		{
			line: 'POST /api/v2/survey/',
			body: {
				campaign_id: 101,
				contact: {
					email: 'nathan@example.com',
					first_name: 'Nathan',
					last_name: 'Smith',
					attributes: { plan: 'pro' },
				},
				attributes: { ticket: 4711 },
			},
		},
	]);
	expect(item).toEqual({
		email: 'nathan@example.com',
		campaign_id: 101,
		status: 'SENT',
		contact: {
			email: 'nathan@example.com',
			first_name: 'Nathan',
			last_name: 'Smith',
			attributes: { plan: 'pro' },
		},
		attributes: { ticket: 4711 },
	});
});
