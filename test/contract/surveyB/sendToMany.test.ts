import { automatic } from '../../support/columns';
import { useRunner } from './runner';
import { limitTo, restoreLimits } from '../../support/limits';

afterEach(restoreLimits);

const runner = useRunner();

const ADA = 'ada@acme.example';

test('a dry run of Send writes nothing', async () => {
	const options = { dryRun: true };
	const parameters = { ...automatic(), campaignId: '102', options };
	const input = [{ email: ADA, plan: 'pro' }, { email: 'grace@acme.example' }];
	const { items } = await runner.run('survey.send', parameters, { input });
	expect(items).toMatchObject([
		{
			email: ADA,
			plan: 'pro',
			request: {
				number: 1,
				body: { campaign_id: 102, contact: { email: ADA, attributes: { plan: 'pro' } } },
			},
		},
		{ email: 'grace@acme.example', request: { number: 2, rows: 1 } },
	]);
	expect(runner.service.requests).toEqual([]);
});

test('contacts who cannot be surveyed now are skipped with Ineligible = Skip, and other rows still fail', async () => {
	runner.service.settings.errors = 'contract';
	runner.service.state.lastSurveyed.set(ADA, Date.now());
	const emails = ['unsubscribed@example.com', ADA, 'new@example.com', 'nobody.@acme.example'];
	const { items } = await runner.rows(
		'survey.send',
		{ ...automatic(), campaignId: 101, options: { ineligible: 'Skip' } },
		emails.map((email) => ({ email })),
	);
	expect(items).toMatchObject([
		{
			email: 'unsubscribed@example.com',
			campaign_id: 101,
			status: 'skipped',
			reason: expect.stringContaining('Contact has unsubscribed.'),
		},
		{ email: ADA, status: 'skipped', reason: expect.stringContaining('not eligible') },
		{ email: 'new@example.com', status: 'SENT' },
		{ error: expect.stringContaining('Enter a valid email address (HTTP') },
	]);
});

const NOT_ELIGIBLE = 'Contact is not eligible for survey.';

test.each([
	[{ contact: ['Contact has unsubscribed.'] }, 'unsubscribed'],
	[[NOT_ELIGIBLE], 'notEligible'],
	[{ contact: [NOT_ELIGIBLE] }, 'notEligible'],
	[{ contact: NOT_ELIGIBLE }, 'notEligible'],
	[{ non_field_errors: [NOT_ELIGIBLE] }, 'notEligible'],
	[{ detail: NOT_ELIGIBLE }, 'notEligible'],
	[{ error: NOT_ELIGIBLE }, 'notEligible'],
	[{ message: NOT_ELIGIBLE }, 'notEligible'],
	[{ message: 'Contact is not eligible for survey' }, 'notEligible'],
	[{ contact: { email: ADA }, status: null, message: NOT_ELIGIBLE }, 'notEligible'],
])('a contact whom a 200 refuses with %j is skipped after one request', async (body, code) => {
	runner.respond(200, body);
	const parameters = { ...automatic(), campaignId: 101, options: { ineligible: 'skip' } };
	const { items } = await runner.rows('survey.send', parameters, [{ email: ADA }]);
	expect(items).toMatchObject([{ status: 'skipped', details: { code } }]);
	expect(runner.service.requests).toHaveLength(1);
});

test('a contact counts as surveyed if the response has the contact and says that it was surveyed', async () => {
	runner.respond(200, { contact: { email: ADA }, message: 'Contact was surveyed.' });
	const parameters = { ...automatic(), campaignId: 101 };
	const { items } = await runner.rows('survey.send', parameters, [{ email: ADA }]);
	expect(items).toEqual([expect.not.objectContaining({ error: expect.anything() })]);
});

test.each([500, 429])(
	'HTTP %i is an error, not a reason to skip the contact, whatever its message says',
	async (status) => {
		const body = { detail: 'Contact is not eligible for survey.' };
		const kind = { status, body, headers: { 'retry-after': '42' } };
		runner.service.faults.add({ times: Infinity, kind });
		const options = { ineligible: 'skip' };
		limitTo({ maxWait: 1000 });
		const parameters = { ...automatic(), campaignId: 101, options };
		const { items } = await runner.rows('survey.send', parameters, [{ email: ADA }]);
		expect(items).toMatchObject([{ error: expect.stringContaining(`(HTTP ${status})`) }]);
	},
);
