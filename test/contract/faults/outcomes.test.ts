import type { IDataObject } from 'n8n-workflow';

import type { FaultKind } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { automatic, people } from '../../support/columns';
import { limitRowsInFlight, restoreLimits } from '../../support/limits';
import { runOperation } from '../../support/runOperation';
import type { RunSettings } from '../../support/runOperation';
import { errorOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// What becomes of rows whose requests end badly, over all tries of a run. docs/errors.md has the table.

const sandbox = useSandbox();

afterEach(restoreLimits);

const CAMPAIGN = '64a000000000000000000003';
const CONTINUE = 'continueRegularOutput';
const MAYBE = 'may have been processed';

const sendA = async (input: IDataObject[], settings: RunSettings = {}, options = {}) =>
	await onItsOwnClock(async () =>
		runOperation(
			sandbox.a,
			'survey.send',
			{ campaign: CAMPAIGN, ...automatic(), options },
			{ input, ...settings },
		),
	);

const sendB = async (input: IDataObject[], settings: RunSettings = {}, options = {}) =>
	await onItsOwnClock(async () =>
		runOperation(
			sandbox.b,
			'survey.send',
			{ campaignId: '101', ...automatic(), options },
			{ input, ...settings },
		),
	);

const holds = (text: string) => (request: { rawBody: string }) => request.rawBody.includes(text);

describe('a lost response of a row that another row stopped', () => {
	/** The second row's response is lost, and while it waits, the first one is refused. */
	const loseSecond = (refused: FaultKind) => {
		sandbox.b.faults.add({ when: holds('person2@'), kind: 'reset-after' });
		sandbox.b.faults.add({
			when: holds('person1@'),
			times: 1,
			kind: refused,
		});
	};
	const refused: FaultKind = { status: 400, body: { contact: { email: ['Not yet'] } } };

	test('is known to the next try: the skipped contact may have been surveyed', async () => {
		sandbox.b.settings.errors = 'contract';
		loseSecond(refused);
		const { items } = await sendB(people(2), { maxTries: 3 }, { ineligible: 'skip' });
		expect(items[1]).toMatchObject({ status: 'maybeSent', details: { code: 'maybeSent' } });
		expect(sandbox.b.state.sent).toHaveLength(2);
	});

	test('is known to the next try: the deleted contact was deleted', async () => {
		loseSecond(refused);
		const parameters = { email: '={{ $json.email }}' };
		sandbox.b.faults.add({
			...{ when: holds('person2@'), skip: 0, times: Infinity },
			kind: { status: 404, body: { detail: 'Not found.' } },
		});
		const { items } = await onItsOwnClock(async () =>
			runOperation(sandbox.b, 'contact.delete', parameters, { input: people(2), maxTries: 3 }),
		);
		expect(items[1]).toEqual({ email: 'person2@example.com', deleted: true });
	});
});

test.each([{ status: 503 }, 'reset-after', 'html'] as const)(
	'a survey of Survey A that may have been processed after %j says to look at the outbox, and asks for no repetition',
	async (kind) => {
		sandbox.a.faults.add({ kind });
		const { items } = await sendA(people(1), { onError: CONTINUE });
		const text = errorOf(items[0] ?? {});
		expect(text).toMatch(/outbox of Survey A/);
		expect(text).not.toMatch(/try again|later/i);
	},
);

test.each(['.', '..', '\ud83d'])(
	'two rows with the impossible ID %j fail alone, and the others keep their results',
	async (bad) => {
		const { feedback } = sandbox.b.state;
		const good = [feedback.at(-1)?.id, feedback.at(-2)?.id];
		const ids = [String(good[0]), bad, bad, String(good[1])];
		const { output } = await runOperation(
			sandbox.b,
			'feedback.reply',
			{ feedbackId: '={{ $json.id }}', fromUser: 'agent@example.com', message: 'Thanks' },
			{ input: ids.map((id) => ({ id })), onError: 'continueErrorOutput' },
		);
		expect(output[0]?.map(({ json }) => json)).toEqual(good.map((id) => ({ id, replied: true })));
		expect(output[1]).toHaveLength(2);
		for (const { json } of output[1] ?? []) expect(errorOf(json)).toContain('cannot be an ID');
	},
);

describe('Contacts That Cannot Be Surveyed = Skip', () => {
	test('does not skip for a 403 about the plan, which ends the run at its first response', async () => {
		const body = { detail: 'Your plan is not eligible for survey endpoints.' };
		sandbox.b.faults.add({ kind: { status: 403, body }, times: Infinity });
		const { items } = await sendB(people(200), { onError: CONTINUE }, { ineligible: 'skip' });
		expect(items).toHaveLength(200);
		for (const item of items) expect(errorOf(item)).toContain('Your plan is not eligible');
		expect(sandbox.b.requests.length).toBeLessThanOrEqual(64);
	});

	test('does not skip for words in the data of a customer who failed without a reason', async () => {
		const email = 'person1@example.com';
		const data = [{ email, company: 'Throttle Inc.', status: 'fail', first_name: 'Unsubscribed' }];
		sandbox.a.faults.add({
			kind: { status: 200, body: { success: true, status: 'queued', data } },
		});
		const { items } = await sendA(people(1), { onError: CONTINUE }, { ineligible: 'skip' });
		expect(errorOf(items[0] ?? {})).toContain('Throttle Inc.');
	});
});

describe('a refused campaign', () => {
	test('of Survey A fails its rows after one request, and no row of another campaign', async () => {
		const other = '64a000000000000000000004';
		const body = { code: 403, message: `Campaign ${CAMPAIGN} is not active.`, error: 'Forbidden' };
		sandbox.a.faults.add({ when: holds(CAMPAIGN), kind: { status: 403, body }, times: Infinity });
		const input = people(400).map((one, i) => ({ ...one, campaign: i % 4 ? CAMPAIGN : other }));
		const { items } = await runOperation(
			sandbox.a,
			'survey.send',
			{
				campaign: '={{ $json.campaign }}',
				...automatic(),
				options: { ignoredColumns: 'campaign' },
			},
			{ input, onError: CONTINUE },
		);
		expect(items.filter((item) => errorOf(item)?.includes('is not active'))).toHaveLength(300);
		expect(sandbox.a.state.sent).toHaveLength(100);
		expect(sandbox.a.requests.length).toBeLessThanOrEqual(4);
	});

	test('of Survey B says only of the row whose response was lost that it may have been processed, and of no row that was not sent', async () => {
		limitRowsInFlight(1);
		const message = 'Organization does not have permission to access campaign';
		const kind = { status: 400, body: { campaign: [`${message}.`] } };
		sandbox.b.faults.add({ kind: 'reset-before' });
		sandbox.b.faults.add({ kind, times: Infinity });
		const { items } = await sendB(people(3), { onError: CONTINUE });
		expect(sandbox.b.requests).toHaveLength(2);
		const texts = items.map((item) => errorOf(item) ?? '');
		expect(texts.filter((text) => text.includes(message))).toHaveLength(3);
		expect(texts.map((text) => text.includes(MAYBE))).toEqual([true, false, false]);
	});

	test('of Survey B fails its rows after the requests that are in flight', async () => {
		const message = 'Organization does not have permission to access campaign';
		sandbox.b.faults.add({
			kind: { status: 403, body: { campaign: [`${message}.`] } },
			times: Infinity,
		});
		const { items } = await sendB(people(500), { onError: CONTINUE });
		expect(items.filter((item) => errorOf(item)?.includes(message))).toHaveLength(500);
		expect(sandbox.b.requests.length).toBeLessThanOrEqual(64);
	});
});

test('an API key that stops working ends the run, and every other row says so', async () => {
	sandbox.b.faults.add({
		skip: 3,
		times: Infinity,
		kind: { status: 401, body: { detail: 'Invalid token.' } },
	});
	const { items } = await sendB(people(300), { onError: CONTINUE });
	const failed = items.filter((item) => errorOf(item)?.startsWith('Invalid token (HTTP 401)'));
	expect(failed.length).toBe(300 - sandbox.b.state.sent.length);
	expect(sandbox.b.requests.length).toBeLessThanOrEqual(70);
});

test('a row that was not sent does not have the doubt of the row whose refusal ended the run', async () => {
	sandbox.b.faults.add({ kind: 'reset-after' });
	sandbox.b.faults.add({ kind: { status: 401, body: { detail: 'Invalid token.' } } });
	const [person] = people(1);
	const parameters = automatic();
	const input = [{ ...person }, { ...person }];
	const { items } = await onItsOwnClock(async () =>
		runOperation(sandbox.b, 'contact.upsert', parameters, { input, onError: CONTINUE }),
	);
	expect(items.map((item) => errorOf(item)?.includes(MAYBE))).toEqual([true, false]);
});

// The last one: the service's pause outlasts the test.
test('a row that is rate limited after its response was lost says that it may have been processed', async () => {
	sandbox.b.faults.add({ kind: 'reset-after' });
	const kind = { status: 429, headers: { 'retry-after': '7200' }, body: { detail: 'Slow down' } };
	sandbox.b.faults.add({ kind, times: Infinity });
	const { items } = await sendB(people(1), { onError: CONTINUE });
	expect(errorOf(items[0] ?? {})).toContain('An earlier attempt may have been processed');
});
