import { normalizeEmail } from '../../../nodes/shared/fields/values';
import { useRunner } from './runner';

// Check Survey says what became of the survey of each row, by one reading of the outbox.

const runner = useRunner();

const HOUR_MS = 3_600_000;
const since = new Date(Date.now() - HOUR_MS).toISOString();

const surveyed = (count: number, daysAgo: number, by = 'After purchase') =>
	runner.surveyed(count, daysAgo, by);

/** Sets what the outbox says of people's surveys. */
function mark(emails: string[], flag: 'isOptedOut' | 'isBounced'): void {
	const known = new Set(emails.map(normalizeEmail));
	for (const survey of runner.service.state.outbox) {
		if (known.has(normalizeEmail(survey.email))) survey.detailedStatus[flag] = true;
	}
}

const PARAMETERS = { email: '={{ $json.email }}', since };

test('of 200 people, those who got the survey, opted out, bounced and got nothing yet are told by two requests', async () => {
	const { state, settings } = runner.service;
	state.outbox.length = 0;
	settings.maxLimit = 100;
	surveyed(300, 60);
	const earlier = surveyed(30, 10);
	const nothing = runner.service.seedCustomers(20).map(({ email }) => email);
	const bounced = surveyed(25, 0);
	const optedOut = surveyed(25, 0);
	const sent = surveyed(100, 0);
	mark(bounced, 'isBounced');
	mark(optedOut, 'isOptedOut');
	const groups = { sent, optedOut, bounced, notYet: [...earlier, ...nothing] };
	const rows = Object.entries(groups).flatMap(([status, emails]) =>
		emails.map((email) => ({ email, status })),
	);
	const input = rows.map(({ email }) => ({ email: ` ${email.toUpperCase()} ` }));
	const { items } = await runner.run('customer.checkSurvey', PARAMETERS, { input });
	expect(items).toHaveLength(200);
	expect(items.map(({ status }) => status)).toEqual(rows.map(({ status }) => status));
	expect(items[0]).toMatchObject({ campaign: 'After purchase', sentDate: expect.any(String) });
	expect(runner.lines()).toHaveLength(2);
});

test('a person who opted out of an earlier survey, and gets none, has the status optedOut', async () => {
	const emails = surveyed(1, 1);
	mark(emails, 'isOptedOut');
	const { items } = await runner.rows(
		'customer.checkSurvey',
		PARAMETERS,
		emails.map((email) => ({ email })),
	);
	expect(items).toEqual([{ email: emails[0], status: 'optedOut' }]);
});

test('with a campaign, surveys of others do not count', async () => {
	const [email = ''] = surveyed(1, 0, 'Yearly check-up');
	const check = async (name: string) => {
		const filters = { campaignId: runner.campaign(name) };
		const parameters = { ...PARAMETERS, email, filters };
		return (await runner.one('customer.checkSurvey', parameters)).status;
	};
	expect(await check('Yearly check-up')).toBe('sent');
	expect(await check('After purchase')).toBe('notYet');
});

test('rows fail if the outbox cannot be read: nobody counts as not surveyed', async () => {
	runner.respond(403, { message: 'No permission' });
	const { items } = await runner.rows('customer.checkSurvey', PARAMETERS, [
		{ email: 'a@example.com' },
		{ email: 'b@example.com' },
	]);
	expect(items.map(({ error }) => typeof error)).toEqual(['string', 'string']);
});

test('a survey that waits to be sent is not yet sent, and one whose date cannot be read fails its row', async () => {
	const [waits = '', unclear = ''] = surveyed(2, 0);
	const dates: Record<string, string> = { [waits]: '', [unclear]: 'yesterday' };
	for (const survey of runner.service.state.outbox) survey.sentDate = dates[survey.email] ?? '';
	const { items } = await runner.rows('customer.checkSurvey', PARAMETERS, [
		{ email: waits },
		{ email: unclear },
	]);
	expect(items[0]).toEqual({ email: waits, status: 'notYet' });
	expect(items[1]?.error).toMatch(/'sentDate' of a survey cannot be read: "yesterday"/);
});

test('after a row that fails and stops the run, no other row is looked up', async () => {
	const [unclear = '', sent = ''] = surveyed(2, 0);
	for (const survey of runner.service.state.outbox) {
		if (survey.email === unclear) survey.sentDate = 'yesterday';
	}
	const input = [{ email: unclear }, { email: sent }];
	const settings = { input, onError: 'stopWorkflow' } as const;
	const { error } = await runner.run('customer.checkSurvey', PARAMETERS, settings);
	expect(error?.message).toMatch(/Nothing was read$/);
});

test('a survey that was sent at the very moment of Sent Since counts', async () => {
	const [email = ''] = surveyed(1, 0);
	const { sentDate } = runner.service.state.outbox.find((survey) => survey.email === email) ?? {};
	const parameters = { email, since: String(sentDate) };
	expect((await runner.one('customer.checkSurvey', parameters)).status).toBe('sent');
});
