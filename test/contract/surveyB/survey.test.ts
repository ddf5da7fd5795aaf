import { mapped } from '../../support/columns';
import { useRunner } from './runner';

const runner = useRunner();

const EMAIL = 'nathan@example.com';

/** Returns the parameters for sending a survey to a contact with an attribute. */
const send = (name: string, value: string) => ({
	campaignId: '101',
	...mapped({ email: EMAIL, [`attribute:${name}`]: value }),
});

test('Send posts exactly the mapped columns and returns the status', async () => {
	const item = await runner.one('survey.send', {
		campaignId: '101',
		...mapped({
			...{ email: EMAIL, firstName: 'Nathan', lastName: 'Smith' },
			...{ 'attribute:plan': 'pro', 'surveyAttribute:ticket': 4711 },
		}),
	});
	const contact = {
		email: EMAIL,
		first_name: 'Nathan',
		last_name: 'Smith',
		attributes: { plan: 'pro' },
	};
	const attributes = { ticket: 4711 };
	runner.expectSent('POST /api/v2/survey/', { campaign_id: 101, contact, attributes });
	expect(item).toEqual({ email: EMAIL, campaign_id: 101, status: 'SENT', contact, attributes });
});

test('a response of an older server comes out under the same names', async () => {
	runner.service.settings.olderSurveyResponse = true;
	const item = await runner.one('survey.send', send('plan', 'pro'));
	expect(item).toMatchObject({ email: EMAIL, campaign_id: 101, campaign: 101 });
});

test.each(['QUEUED', 'ENQUEUED', 'CREATED', 'OK', 'IN_PROGRESS', 'in progress'])(
	'the status %j says that a survey is on its way',
	async (status) => {
		runner.respond(201, { contact: { email: EMAIL }, campaign_id: 101, status });
		expect(await runner.one('survey.send', send('plan', 'pro'))).toMatchObject({ status });
	},
);

test.each([
	'UNSUBSCRIBED',
	'SUPPRESSED',
	'DROPPED',
	'LIMIT_REACHED',
	'NO_CONSENT',
	false,
	null,
	'',
])('the status %j does not say that a survey is on its way, so the row fails', async (status) => {
	runner.respond(201, { contact: { email: EMAIL }, campaign_id: 101, status });
	const { items } = await runner.rows('survey.send', send('plan', 'pro'), [{}]);
	expect(items[0]?.error).toContain(`'Status' is ${JSON.stringify(status)}`);
});

test('a campaign called Unsubscribed customers beside the contact is no refusal', async () => {
	const campaign = 'Unsubscribed customers';
	runner.respond(201, { contact: { email: EMAIL }, campaign_id: 101, status: 'SENT', campaign });
	const { items } = await runner.rows('survey.send', send('plan', 'pro'), [{}]);
	expect(items).toMatchObject([{ status: 'SENT' }]);
});

test.each([
	['message', 'SENT'],
	['message', null],
	['message', undefined],
	['reason', undefined],
	['warnings', 'SENT'],
])(
	'a refusal beside the contact fails the row under any name, and whatever the status is: %s, %j',
	async (name, status) => {
		const message = 'Contact is not eligible for survey.';
		const said = { [name]: name === 'warnings' ? ['Old client', message] : message };
		runner.respond(201, { contact: { email: EMAIL }, campaign_id: 101, status, ...said });
		const { items } = await runner.rows('survey.send', send('plan', 'pro'), [{}]);
		expect(items).toMatchObject([
			{ error: expect.stringContaining(message), details: { code: 'notEligible' } },
		]);
	},
);

describe('attributes of a contact', () => {
	test.each<[string, unknown]>([
		['2026-11-21T10:30:05.123+01:00', '2026-11-21T09:30:05Z'],
		['={{ [1, "two", { three: true }, null] }}', [1, 'two', { three: true }, null]],
		['={{ new Date(Date.UTC(2026, 10, 21, 10, 30, 5, 7)) }}', '2026-11-21T10:30:05Z'],
		["={{ [DateTime.fromISO('2026-11-21T10:30:05.007+01:00')] }}", ['2026-11-21T09:30:05Z']],
	])('the value %p is sent as %p', async (value, sent) => {
		await runner.one('survey.send', send('value', value));
		expect(runner.bodies()).toMatchObject([{ contact: { attributes: { value: sent } } }]);
	});

	test('a number as text with a decimal point stays behind, and the item and the hint name it', async () => {
		const { items, hints } = await runner.rows('survey.send', send('mrr', '12.5'), [{}]);
		expect(items).toMatchObject([{ email: EMAIL, skippedAttributes: ['mrr'] }]);
		expect(hints).toEqual(['Columns that were not sent: mrr']);
	});
});
