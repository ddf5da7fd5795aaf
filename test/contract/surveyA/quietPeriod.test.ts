import type { INodeParameters } from 'n8n-workflow';

import { EMAIL_FROM_ROW } from '../../support/columns';
import { useRunner } from './runner';

// Quiet Period and Send at Most with surveys in the outbox.

const runner = useRunner();

let account = 0;

// n8n's process remembers by the account what it sent. Each test has its own.
const otherAccount = () => (runner.service.apiKey = `example-key-${++account}`);

beforeEach(otherAccount);

const DAY_MS = 24 * 60 * 60 * 1000;

function send(
	emails: string[],
	options: INodeParameters,
	settings: { onError?: 'continueRegularOutput'; maxTries?: number } = {},
) {
	const parameters = { campaign: runner.campaign('After purchase'), ...EMAIL_FROM_ROW, options };
	const input = emails.map((email) => ({ email }));
	return runner.run('survey.send', parameters, { input, ...settings });
}

const quietPeriod = (days: number, scope?: string): INodeParameters => ({
	quietPeriod: days,
	...(scope ? { quietPeriodScope: scope } : {}),
});

const pagesRead = () =>
	runner.service.requests.flatMap(({ path, query }) =>
		path === '/api/v2/nps/outbox' ? [Number(query.page)] : [],
	);

const surveyed = (count: number, daysAgo: number, by = 'Yearly check-up') =>
	runner.surveyed(count, daysAgo, by);

/** Shuffles addresses, always in the same way. */
const mixed = (emails: string[]) => emails.map((_, i) => emails[(i * 7) % emails.length] ?? '');

test.each([false, true])(
	'sends 120 of 400 rows, skips 130 in the quiet period and 150 over Send at Most, in input order (Dry Run: %s)',
	async (dryRun) => {
		runner.service.state.outbox.length = 0;
		const recent = surveyed(130, 10);
		const others = runner.service.seedCustomers(270).map(({ email }) => email);
		const emails = mixed([...recent, ...others]);
		const { items, hints } = await send(emails, { ...quietPeriod(30), sendAtMost: 120, dryRun });
		const isRecent = new Set(recent);
		let admitted = 0;
		const expected = emails.map((email) => {
			if (isRecent.has(email)) return 'quiet';
			return ++admitted <= 120 ? 'sent' : 'limit';
		});
		const actual = items.map(({ status, reason }) => {
			if (status !== 'skipped') return 'sent';
			return reason === "'Send at Most' is 120" ? 'limit' : 'quiet';
		});
		expect(actual).toEqual(expected);
		const quiet = items.find(({ email }) => isRecent.has(String(email)));
		expect(quiet?.reason).toMatch(
			/^Surveyed on \d{4}-\d\d-\d\dT\S+Z, within the quiet period of 30 days$/,
		);
		expect(runner.service.state.sent).toHaveLength(dryRun ? 0 : 120);
		expect(hints).toContain('Rows that were skipped: 130 (recentlySurveyed), 150 (overLimit)');
	},
);

test('sends to customers who were surveyed before the quiet period', async () => {
	const emails = surveyed(3, 31);
	const { items } = await send(emails, quietPeriod(30));
	expect(items.map(({ status }) => status)).toEqual(['queued', 'queued', 'queued']);
});

test('counts only surveys of the chosen campaign, or of an unknown one, when the scope says so', async () => {
	const [byUnknown = ''] = surveyed(1, 10);
	change([byUnknown], { campaignId: '' });
	const [byOther = ''] = surveyed(1, 10);
	const [bySame = ''] = surveyed(1, 10, 'After purchase');
	change([bySame], { campaignId: runner.campaign('After purchase').toUpperCase() });
	const options = quietPeriod(30, 'thisCampaign');
	const { items } = await send([byUnknown, byOther, bySame.toUpperCase()], options);
	expect(items).toMatchObject([
		{ status: 'skipped', reason: expect.stringMatching(/^Surveyed on /) },
		{ status: 'queued' },
		{ status: 'skipped', reason: expect.stringMatching(/^Surveyed by this campaign on /) },
	]);
});

test('reads the outbox only as far back as the quiet period, and once a run', async () => {
	runner.service.settings.maxLimit = 100;
	const [old = ''] = surveyed(500, 60);
	const [recent = ''] = surveyed(250, 10);
	await send([old, recent, old], quietPeriod(30));
	// 250 recent surveys are on pages 1 to 3; page 3 ends before the period.
	expect(pagesRead()).toEqual([1, 2, 3]);
	const [read] = runner.service.requests;
	expect(read?.url).toContain('/api/v2/nps/outbox?sort=-surveyCreatedDate');
});

test('a survey whose date is that of 1970 hides no survey on a later page, and its customer counts as surveyed', async () => {
	runner.service.settings.maxLimit = 100;
	const [early = ''] = surveyed(1, 12);
	const between = surveyed(150, 11);
	const [undated = ''] = surveyed(1, 10);
	change([undated], { sentDate: '1970-01-01T00:00:00.000Z' });
	const { items } = await send([early, undated, between[0] ?? ''], quietPeriod(30));
	expect(items.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'skipped']);
});

/** Changes the surveys that customers got. */
function change(
	emails: string[],
	fields: { sentDate?: string; surveyCreatedDate?: string; campaignId?: string },
): void {
	const surveys = runner.service.state.outbox.filter(({ email }) => emails.includes(email));
	for (const survey of surveys) Object.assign(survey, fields);
}

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** Adds surveys that were created days before they were sent. */
function scheduled(count: number, days: { sent: number; created: number }): string[] {
	const emails = surveyed(count, days.sent);
	change(emails, { surveyCreatedDate: daysAgo(days.created) });
	return emails;
}

test('reads further back when the outbox shows surveys that waited before they were sent', async () => {
	runner.service.settings.maxLimit = 10;
	surveyed(5, 40);
	const waited = scheduled(5, { created: 41, sent: 2 });
	surveyed(10, 60);
	const waitedBehind = scheduled(10, { created: 65, sent: 28 });
	surveyed(30, 80);
	const { items } = await send([...waited, ...waitedBehind], quietPeriod(30));
	expect(items.map(({ status }) => status)).toEqual(new Array(15).fill('skipped'));
	expect(pagesRead()).toEqual([1, 2, 3, 4]);
});

test.each([
	['soon', 'soon'],
	['', 'an unknown date'],
])(
	'a survey with the date %j counts as recent, and surveys behind it are found',
	async (sentDate, shown) => {
		runner.service.settings.maxLimit = 10;
		const recent = surveyed(15, 10);
		const [undated = ''] = surveyed(1, 5);
		change([undated], { sentDate, surveyCreatedDate: daysAgo(5) });
		const { items } = await send([undated, ...recent], quietPeriod(30));
		expect(items[0]?.reason).toBe(`Surveyed on ${shown}, within the quiet period of 30 days`);
		expect(items.map(({ status }) => status)).toEqual(new Array(16).fill('skipped'));
	},
);

test('counts a survey that was sent when the quiet period began, after it had waited for a day', async () => {
	const now = Date.now();
	const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
	runner.service.settings.maxLimit = 1;
	const [first = ''] = surveyed(1, 30);
	change([first], { surveyCreatedDate: daysAgo(32) });
	surveyed(1, 31);
	const { items } = await send([first], quietPeriod(30));
	clock.mockRestore();
	expect(items).toMatchObject([{ status: 'skipped' }]);
	expect(pagesRead().slice(0, 2)).toEqual([1, 2]);
});

test('surveys nobody if the outbox cannot be read and On Error is Continue', async () => {
	const kind = { status: 403, body: { code: 403, message: 'Forbidden', data: null } };
	runner.service.faults.add({ when: ({ path }) => path.includes('outbox'), kind, times: 1 });
	const onError = 'continueRegularOutput';
	const { items } = await send(surveyed(3, 0), quietPeriod(1), { onError });
	expect(items).toHaveLength(3);
	expect(items.every(({ error }) => String(error).includes('Forbidden'))).toBe(true);
	expect(runner.service.state.sent).toEqual([]);
});

describe('a survey that this n8n process sent, and that the outbox does not show yet', () => {
	const EMAIL = 'ada@acme.example';

	beforeEach(() => {
		runner.service.settings.outboxLag = 600;
	});

	/** Replaces the response to the next survey. */
	const respond = (status: number, body: unknown) =>
		runner.service.faults.add({
			when: ({ path }) => path === '/api/v2/survey',
			kind: { status, body },
			times: 1,
		});

	const event = async (options: INodeParameters = quietPeriod(30), emails = [EMAIL]) => {
		const { items } = await send(emails, options, { onError: 'continueRegularOutput' });
		return items.map(({ status, details }) => status ?? Object(details).code);
	};

	test('counts for Quiet Period: of three equal events at once, one sends a survey', async () => {
		const ends = await Promise.all([event(), event(), event()]);
		expect(ends.flat().sort()).toEqual(['queued', 'skipped', 'skipped']);
		expect(runner.service.state.sent).toHaveLength(1);
	});

	test('counts also if it was sent without Quiet Period, and names its time', async () => {
		expect(await event({})).toEqual(['queued']);
		const { items } = await send([EMAIL.toUpperCase()], quietPeriod(30));
		const reason = /^Surveyed on \d{4}-\d\d-\d\dT\S+Z, within the quiet period of 30 days$/;
		const details = { code: 'recentlySurveyed' };
		expect(items).toMatchObject([{ reason: expect.stringMatching(reason), details }]);
	});

	test('does not count for another campaign with that scope, for another account, and without Quiet Period', async () => {
		const campaigns = runner.service.state.campaigns.filter(
			({ isActive, type }) => isActive && type === 'transactional',
		);
		const ends = campaigns.map(async ({ id }) => {
			const options = quietPeriod(30, 'thisCampaign');
			const parameters = { campaign: id, ...EMAIL_FROM_ROW, options };
			const { items } = await runner.run('survey.send', parameters, { input: [{ email: EMAIL }] });
			return items[0]?.status;
		});
		expect(await Promise.all(ends)).toEqual(campaigns.map(() => 'queued'));
		expect(await event({})).toEqual(['queued']);
		otherAccount();
		expect(await event()).toEqual(['queued']);
	});

	test('counts for its campaign after ten surveys of another one', async () => {
		const parameters = { campaign: runner.campaign('After support ticket'), ...EMAIL_FROM_ROW };
		for (let i = 0; i < 10; i++)
			await runner.run('survey.send', parameters, { input: [{ email: EMAIL }] });
		const options = quietPeriod(30, 'thisCampaign');
		expect(await event(options)).toEqual(['queued']);
		expect(await event(options)).toEqual(['skipped']);
	});

	test('does not count if the service refused it, or if it was only planned', async () => {
		expect(await event({ ...quietPeriod(30), dryRun: true })).toEqual([undefined]);
		respond(400, { code: 400, message: 'Not now', data: null });
		expect(await event()).toEqual(['refused']);
		expect(await event()).toEqual(['queued']);
	});

	test('counts for a dry run, which plans no survey that a run would skip', async () => {
		expect(await event()).toEqual(['queued']);
		expect(await event({ ...quietPeriod(30), dryRun: true })).toEqual(['skipped']);
	});

	test('does not count if a failure before it stopped the run', async () => {
		// The batch of two, and its first half.
		for (let i = 0; i < 2; i++) respond(400, { code: 400, message: 'Not now', data: null });
		const { error } = await send([EMAIL, 'bob@acme.example'], quietPeriod(30));
		expect(error?.message).toContain('Not now');
		expect(await event(quietPeriod(30), [EMAIL, 'bob@acme.example'])).toEqual(['queued', 'queued']);
	});

	test.each([false, true])(
		'counts for a later row of its customer, whose campaign is another one (Dry Run: %s)',
		async (dryRun) => {
			const input = ['After purchase', 'After support ticket'].map((name) => ({
				...{ email: EMAIL, campaign: runner.campaign(name) },
			}));
			const options = { ...quietPeriod(30), dryRun };
			const parameters = { campaign: '={{ $json.campaign }}', ...EMAIL_FROM_ROW, options };
			const { items } = await runner.run('survey.send', parameters, { input });
			expect(items.map(({ status }) => status === 'skipped')).toEqual([false, true]);
		},
	);

	test('leaves the place of a customer in Send at Most to the next row', async () => {
		await event();
		const emails = [EMAIL, 'bob@acme.example', 'eve@acme.example'];
		const ends = await event({ ...quietPeriod(30), sendAtMost: 1 }, emails);
		expect(ends).toEqual(['skipped', 'queued', 'skipped']);
	});

	test('does not count in the next try of Retry On Fail if the service refused it in the one before', async () => {
		// The batch of two, and its first half.
		for (let i = 0; i < 2; i++) respond(400, { code: 400, message: 'Not now', data: null });
		const settings = { onError: 'continueRegularOutput', maxTries: 2 } as const;
		const { items } = await send([EMAIL, 'bob@acme.example'], quietPeriod(30), settings);
		expect(items.map(({ status }) => status)).toEqual(['queued', 'queued']);
		expect(runner.service.state.sent).toHaveLength(2);
	});

	test.each(['sendLegacy', 'sendAudienceLegacy'])('counts if survey.%s sent it', async (name) => {
		const parameters = { campaign: runner.campaign('After purchase'), ...EMAIL_FROM_ROW };
		const options = quietPeriod(30);
		const settings = { input: [{ email: EMAIL }] };
		await runner.run(`survey.${name}`, parameters, settings);
		const again = await runner.run(`survey.${name}`, { ...parameters, options }, settings);
		expect(again.items).toMatchObject([{ status: 'skipped' }]);
		expect(await event()).toEqual(['skipped']);
	});

	test('counts if its response was lost', async () => {
		respond(503, 'Down');
		expect(await event()).toEqual(['maybeSent']);
		expect(await event()).toEqual(['skipped']);
	});
});

test.each([0, 600] as const)(
	'a survey whose response was lost stays one that may have been sent in the next try of Retry On Fail, if the outbox shows it after %d s',
	async (outboxLag) => {
		runner.service.settings.outboxLag = outboxLag;
		runner.service.faults.add({
			kind: 'reset-after',
			times: 1,
			when: ({ path }) => path === '/api/v2/survey',
		});
		const { error } = await send(['ada@acme.example'], quietPeriod(30), { maxTries: 2 });
		expect(error?.message).toContain('may have been processed');
		expect(runner.service.state.sent).toHaveLength(1);
	},
);

test('a row with Quiet Period Scope fails without Quiet Period (Days): the guard would be off', async () => {
	const onError = 'continueRegularOutput';
	const { items } = await send(surveyed(1, 1), { quietPeriodScope: 'anyCampaign' }, { onError });
	expect(items).toMatchObject([
		{
			error: expect.stringContaining("'Quiet Period (Days)' is missing"),
			details: { code: 'missingValue', field: 'Quiet Period (Days)' },
		},
	]);
	expect(runner.service.requests).toEqual([]);
});
