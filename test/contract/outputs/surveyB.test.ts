import type { INodeParameters } from 'n8n-workflow';

import { useRunner } from '../surveyB/runner';

// A raw record is as the service sent it; the simplified one has the types of the contract.

const runner = useRunner();

const METRIC = {
	href: 'https://x.example/api/v2/metrics/campaign/17/',
	nps: '30',
	campaign_name: 'Onboarding',
	followup_rate_percentage: '30.0',
	feedback_rate_percentage: '12.5 %',
	note: 'false',
};

const FEEDBACK = { id: 7, score: '9', score_type: 'promoter', unknown: '30.0' };

const CONTACT = {
	id: 5,
	email: 'ann@acme.example',
	unsubscribed: 'false',
	attributes: { n: '30.0' },
};

// Lists of one page, which do not state that there are others.
beforeEach(() => {
	Object.assign(runner.service.settings, { pageAfterLast: 404, errors: 'contract' });
});

describe('without Simplify, a record is as the service sent it', () => {
	test.each<[string, INodeParameters, unknown, unknown]>([
		['metric.getAll', { returnAll: true }, [METRIC], METRIC],
		['metric.get', { campaignId: '17' }, METRIC, METRIC],
		['feedback.getAll', { returnAll: true }, { count: 1, results: [FEEDBACK] }, FEEDBACK],
		['feedback.get', { feedbackId: '7' }, FEEDBACK, FEEDBACK],
		['feedback.create', { campaignId: '101', email: CONTACT.email, score: 9 }, FEEDBACK, FEEDBACK],
	])('%s returns it', async (name, parameters, body, record) => {
		runner.respond(200, body);
		expect(await runner.one(name, { ...parameters, simplify: false })).toEqual(record);
	});

	test.each<[string, INodeParameters, unknown]>([
		['contact.get', { contactId: '5' }, CONTACT],
		['contact.getAll', { returnAll: true }, { count: 1, results: [CONTACT] }],
	])(
		'%s returns it in the types of the contract, and has no other form',
		async (name, parameters, body) => {
			runner.respond(200, body);
			expect(await runner.one(name, parameters)).toEqual({ ...CONTACT, unsubscribed: false });
		},
	);
});

test('simplified metrics have numbers that older responses write as text', async () => {
	runner.respond(200, [METRIC]);
	const item = await runner.one('metric.getAll', { returnAll: true });
	expect(item).toMatchObject({ nps: 30, feedback_rate_percentage: 12.5 });
});

test('a simplified score is a number that older responses write as text', async () => {
	runner.respond(200, FEEDBACK);
	expect(await runner.one('feedback.get', { feedbackId: '7' })).toMatchObject({ score: 9 });
});
