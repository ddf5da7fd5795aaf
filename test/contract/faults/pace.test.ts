import { sleep } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox';
import type { FaultKind } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { automatic, EMAIL_FROM_ROW, mapped, people } from '../../support/columns';
import type { NodeResult } from '../../support/engine';
import { holdNext, whatCanGoOn } from '../../support/hold.mts';
import { limitRowsInFlight, limitTo, restoreLimits } from '../../support/limits';
import { runOperation } from '../../support/runOperation';
import type { RunSettings } from '../../support/runOperation';
import { errorOf, runSample, samplesOf, serviceOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

afterEach(restoreLimits);

// Requests of several runs in one process share the pace and the pauses of their credential.

const sandbox = useSandbox();

function sendB(count: number, from: number, settings: RunSettings = {}) {
	const parameters = { campaignId: '101', ...EMAIL_FROM_ROW };
	const input = people(count, from);
	return runOperation(sandbox.b, 'survey.send', parameters, { input, ...settings });
}

function sendA(count: number, settings: RunSettings = {}) {
	const campaign = String(sandbox.a.state.campaigns[0]?.id);
	return runOperation(
		sandbox.a,
		'survey.send',
		{ campaign, ...EMAIL_FROM_ROW },
		{ input: people(count), onError: 'continueRegularOutput', ...settings },
	);
}

const hintsOf = (...results: NodeResult[]) => results.flatMap(({ hints }) => hints).join();

test('Requests per Minute applies to all runs of one credential in a process [pace]', async () => {
	const pace = { requestsPerMinute: 1200 };
	// The longest wait bounds waits that the service asks for, not the pace.
	limitTo({ maxWait: 0 });
	const results = await onItsOwnClock(
		async () => await Promise.all([sendB(20, 0, pace), sendB(20, 20, pace)]),
	);
	expect(hintsOf(...results)).toBe('');
	expect(sandbox.b.state.sent).toHaveLength(40);

	const [first = 0, ...others] = sandbox.b.requests.map(({ at }) => at);
	expect(others.map((at) => at - first)).toEqual(others.map((_, i) => (i + 1) * 50));
});

test('Requests per Minute applies to every request of every operation, pages and retries too', async () => {
	// A pace on a clock that runs ahead would delay the other tests.
	const own = await startSandbox();
	// Lists of several pages.
	own.a.settings.maxLimit = 20;
	own.b.settings.pageSize = 20;
	own.a.seedFeedback(60);
	own.b.seedFeedback(60);
	await onItsOwnClock(async () => {
		for (const sample of samplesOf(own)) {
			const { faults } = serviceOf(own, sample.node);
			faults.clear();
			faults.add({ method: 'GET', kind: { status: 503, body: {} } });
			await runSample(own, sample, {}, { requestsPerMinute: 60 });
		}
	});
	for (const { requests } of [own.a, own.b]) {
		expect(requests.length).toBeGreaterThan(30);
		const gaps = requests.slice(1).map(({ at }, i) => at - (requests[i]?.at ?? 0));
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
	}
	await own.close();
});

test('does not delay requests when Requests per Minute is 0', async () => {
	await onItsOwnClock(async () => {
		const begun = Date.now();
		await sendB(20, 0);
		expect(Date.now() - begun).toBe(0);
	});
});

test.each([
	['1', 1],
	['3', 3],
	['90', 90],
])(
	'one 429 with a pause of %s s pauses all runs of the credential, and every row is sent once',
	async (asked, s) => {
		const kind = { status: 429, headers: { 'retry-after': asked } };
		sandbox.b.faults.add({ kind, skip: 10 });
		limitRowsInFlight(8);
		const [one, other] = await onItsOwnClock(
			async () => await Promise.all([sendB(40, 0), sendB(40, 40)]),
		);

		const refusal = sandbox.b.requests.findIndex(({ status }) => status === 429);
		const at = sandbox.b.requests[refusal]?.at ?? 0;
		const after = sandbox.b.requests.slice(refusal + 1);
		// Requests that were in flight may still arrive: 8 for each run.
		const underWay = after.filter((one) => one.at === at);
		expect(underWay.length).toBeLessThanOrEqual(15);
		expect(after.filter((one) => one.at !== at && one.at < at + s * 1000)).toEqual([]);
		expect(sandbox.b.state.sent).toHaveLength(80);
		expect(new Set(sandbox.b.state.sent.map(({ email }) => email)).size).toBe(80);
		expect(one.error ?? other.error).toBeUndefined();
		expect(hintsOf(one)).toContain(`asked this run to wait: ${s} s in all`);
		expect(hintsOf(other)).toContain(`asked this run to wait: ${s} s in all`);
	},
);

test('a run that would wait longer than its limit ends with the rows done so far', async () => {
	limitTo({ maxWait: 1000 });
	const kind = { status: 429, headers: { 'retry-after': '2' } };
	sandbox.a.faults.add({ kind, skip: 1, times: Infinity });
	const output = await onItsOwnClock(async () => {
		const begun = Date.now();
		const { output } = await sendA(250);
		expect(Date.now() - begun).toBe(0);
		return output;
	});

	const items = output[0] ?? [];
	expect(items.filter(({ json }) => json.status === 'queued')).toHaveLength(100);
	const errors = items.slice(100).map(({ json }) => errorOf(json));
	expect(errors).toHaveLength(150);
	for (const error of errors) expect(error).toMatch(/HTTP 429.*waits an hour in all/);
	expect(sandbox.a.state.sent).toHaveLength(100);
});

test('the error message states how many seconds the service asks to wait', async () => {
	const kind = { status: 429, headers: { 'retry-after': '90' }, body: '' };
	sandbox.a.faults.add({ kind, times: Infinity });
	limitTo({ maxWait: 1000 });
	// The second run makes no request.
	const [, { output }] = await onItsOwnClock(async () => [await sendA(1), await sendA(1)]);
	expect(errorOf(output[0]?.[0]?.json ?? {})).toMatch(/asked not to be called for 90 s/);
	expect(sandbox.a.requests).toHaveLength(1);
});

test.each([
	[503, 1, 'that it asks for', { 'retry-after': '3' }, 3000, 3000],
	[503, 1, 'of 250 to 500 ms if it asks for none', {}, 250, 500],
	[429, 1, 'of 250 to 500 ms if it asks for none', {}, 250, 500],
	[503, 3, 'that doubles', {}, 1750, 3500],
	[429, 3, 'that doubles', {}, 1750, 3500],
])(
	'a %i that comes %i times is retried after a pause %s',
	async (status, times, _, headers, least, most) => {
		sandbox.b.faults.add({ times, method: 'GET', kind: { status, headers, body: {} } });
		await onItsOwnClock(async () => {
			const begun = Date.now();
			await runOperation(sandbox.b, 'metric.getAll', { returnAll: true });
			expect(Date.now() - begun).toBeGreaterThanOrEqual(least);
			expect(Date.now() - begun).toBeLessThanOrEqual(most);
		});
		expect(sandbox.b.requests).toHaveLength(1 + times);
	},
);

test('waits of several requests at the same time count once in the hint, also beside a shorter one', async () => {
	const input = Array.from({ length: 6 }, (_, i) => ({ id: 2001 + i }));
	for (const { id } of input) {
		const headers = { 'retry-after': id % 2 === 0 ? '3' : '10' };
		const path = new RegExp(`/${id}/$`);
		sandbox.b.faults.add({ path, kind: { status: 503, headers, body: {} } });
	}
	const settings = { input, onError: 'continueRegularOutput' } as const;
	const result = await onItsOwnClock(
		async () =>
			await runOperation(sandbox.b, 'feedback.get', { feedbackId: '={{ $json.id }}' }, settings),
	);
	expect(sandbox.b.requests).toHaveLength(12);
	expect(hintsOf(result)).toContain('asked this run to wait: 10 s in all');
});

test('several waits of one request add up against the longest wait', async () => {
	limitTo({ maxWait: 9000 });
	const kind = { status: 429, headers: { 'retry-after': '4' } };
	sandbox.a.faults.add({ kind, times: Infinity });
	await onItsOwnClock(async () => {
		const begun = Date.now();
		const { output } = await sendA(1);
		expect(errorOf(output[0]?.[0]?.json ?? {})).toMatch(/HTTP 429.*waits an hour in all/);
		expect(Date.now() - begun).toBe(8000);
	});
	expect(sandbox.a.requests).toHaveLength(3);
});

test('a run that waits for a rate limit ends within a second when it is cancelled', async () => {
	sandbox.a.faults.add({
		kind: { status: 429, headers: { 'retry-after': '60' } },
		times: Infinity,
	});
	let cancel = () => {};
	await onItsOwnClock(async () => {
		const begun = Date.now();
		const run = sendA(1, { onStart: (stop) => (cancel = stop) });
		await sleep(5500);
		cancel();
		await run;
		expect(Date.now() - begun).toBeLessThanOrEqual(6500);
	});
	expect(sandbox.a.requests).toHaveLength(1);
});

test('waits of rows one after the other add up against the longest wait', async () => {
	limitTo({ maxWait: 10_000 });
	limitRowsInFlight(1);
	let requests = 0;
	const kind = { status: 429, headers: { 'retry-after': '4' } };
	sandbox.b.faults.add({ when: () => requests++ % 2 === 0, times: Infinity, kind });
	await onItsOwnClock(async () => {
		const begun = Date.now();
		const { output } = await sendB(5, 0, { onError: 'continueRegularOutput' });
		expect(Date.now() - begun).toBe(8000);
		const errors = (output[0] ?? []).map(({ json }) => json.error);
		expect(errors.slice(0, 2)).toEqual([undefined, undefined]);
		// The last rows never went out, so no response gave them a status.
		const [refused, ...unsent] = errors.slice(2);
		expect(refused).toMatch(/HTTP 429.*waits an hour in all/);
		expect(unsent).toHaveLength(2);
		for (const error of unsent) expect(error).toMatch(/s \[item \d\]\. A run waits an hour in all/);
	});
	expect(sandbox.b.state.sent).toHaveLength(2);
});

test('a wait that several rows share counts once against the longest wait', async () => {
	limitTo({ maxWait: 4000 });
	limitRowsInFlight(8);
	const kind = { status: 429, headers: { 'retry-after': '4' } };
	sandbox.b.faults.add({ kind });
	await onItsOwnClock(async () => {
		const { error } = await sendB(8, 0, { onError: 'continueRegularOutput' });
		expect(error).toBeUndefined();
	});
	expect(sandbox.b.state.sent).toHaveLength(8);
});

test('a wait counts against the longest wait before it is over', async () => {
	limitTo({ maxWait: 4000 });
	const { faults } = sandbox.b;
	const is = (row: number) => (request: { rawBody: string }) =>
		request.rawBody.includes(`person${row}@`);
	const kind = { status: 503, headers: { 'retry-after': '4' } };
	faults.add({ when: is(1), kind });
	faults.add({ when: is(2), kind: { status: 503 } });
	faults.add({ when: is(2), kind });
	const { output } = await onItsOwnClock(
		async () =>
			await runOperation(sandbox.b, 'contact.upsert', automatic(), {
				input: people(2),
				onError: 'continueRegularOutput',
			}),
	);
	const [first, second] = output[0] ?? [];
	expect(first?.json.error).toBeUndefined();
	expect(errorOf(second?.json ?? {})).toContain('HTTP 503');
});

describe('with On Error = Stop, nothing goes out after a failure', () => {
	const SEND = 'survey.send';
	const UPSERT = 'contact.upsert';
	const isRefused = ({ rawBody }: { rawBody: string }) => rawBody.includes('nobody.@acme.example');

	test.each<[string, string, number, FaultKind | undefined]>([
		['a rate limit', SEND, 0, { status: 429, headers: { 'retry-after': '3' } }],
		['Requests per Minute', SEND, 60, undefined],
		['a retry', UPSERT, 0, { status: 503 }],
		[
			'a retry at a time that the service asks for',
			UPSERT,
			0,
			{ status: 503, headers: { 'retry-after': '3' } },
		],
	])('rows that wait for %s stay unsent', async (_, operation, requestsPerMinute, kind) => {
		const { faults } = sandbox.b;
		const isFirst = ({ rawBody }: { rawBody: string }) => rawBody.includes('first@');
		if (kind) faults.add({ when: (row) => !isRefused(row) && !isFirst(row), times: 7, kind });
		const held = holdNext(faults, { when: isRefused });
		let sentBefore = 0;
		const parameters = { campaignId: '101', ...EMAIL_FROM_ROW };
		limitRowsInFlight(8);
		const { error } = await onItsOwnClock(async () => {
			// The first row of a write goes alone.
			const input = [
				{ email: 'first@example.com' },
				...people(3),
				{ email: 'nobody.@acme.example' },
				...people(4, 4),
			];
			const run = runOperation(sandbox.b, operation, parameters, { input, requestsPerMinute });
			await held.arrived;
			await whatCanGoOn();
			sentBefore = sandbox.b.requests.length;
			held.release();
			return await run;
		});
		expect(error?.message).toMatch(
			/^nobody.@acme.example: .*Enter a valid email address.* \[item 4\]/,
		);
		expect(sentBefore).toBeGreaterThanOrEqual(1);
		expect(sandbox.b.requests).toHaveLength(sentBefore);
	});

	test('a second update of a contact is not sent once the first one failed', async () => {
		sandbox.b.faults.add({ kind: { status: 400, body: { detail: 'No' } } });
		const parameters = mapped({ email: 'a@b.example' });
		const { error } = await onItsOwnClock(() =>
			runOperation(sandbox.b, UPSERT, parameters, { input: [{}, {}] }),
		);
		expect(error?.message).toContain('No (HTTP 400) [item 0]');
		expect(sandbox.b.requests).toHaveLength(1);
	});
});
