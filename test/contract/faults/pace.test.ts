import { sleep } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox';
import type { Sandbox } from '../../../sandbox';
import { mapped } from '../../support/columns';
import { onItsOwnClock } from '../../support/clock.mts';
import { runNode } from '../../support/engine';
import type { NodeResult } from '../../support/engine';
import { errorOf } from '../../support/samples';

// How requests share a credential's pace and its pauses, over several runs in one process.

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

beforeEach(() => {
	sandbox.a.reset();
	sandbox.b.reset();
});

afterAll(async () => await sandbox.close());

const people = (count: number, from = 0) =>
	Array.from({ length: count }, (_, i) => ({ email: `person${from + i}@example.com` }));

function sendB(count: number, from: number, more: { requestsPerMinute?: number } = {}) {
	return runNode({
		node: 'surveyB',
		parameters: {
			resource: 'survey',
			operation: 'send',
			campaignId: '101',
			...mapped({ email: '={{ $json.email }}' }),
			options: { concurrency: 8 },
		},
		input: people(count, from),
		credential: { baseUrl: sandbox.b.url, apiKey: sandbox.b.apiKey, ...more },
	});
}

function sendA(count: number, options: object, onStart?: (cancel: () => void) => void) {
	return runNode({
		node: 'surveyA',
		parameters: {
			resource: 'survey',
			operation: 'send',
			campaign: String(sandbox.a.state.campaigns[0]?.id),
			...mapped({ email: '={{ $json.email }}' }),
			options: { ...options },
		},
		input: people(count),
		credential: { baseUrl: sandbox.a.url, apiKey: sandbox.a.apiKey },
		onError: 'continueRegularOutput',
		onStart,
	});
}

/** What a run says of it beside its items. */
const hintsOf = (...results: NodeResult[]) =>
	results.flatMap(({ hints }) => hints.map(({ message }) => message)).join();

test('requests per minute hold over all runs of one credential', async () => {
	const pace = { requestsPerMinute: 1200 };
	await onItsOwnClock(async () => await Promise.all([sendB(20, 0, pace), sendB(20, 20, pace)]));

	const [first = 0, ...others] = sandbox.b.requests.map(({ at }) => at);
	expect(others.map((at) => at - first)).toEqual(others.map((_, i) => (i + 1) * 50));
});

test('without a pace nobody waits', async () => {
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
	'one 429 for %s s pauses its neighbours, and nothing is lost or sent twice',
	async (asked, s) => {
		const kind = { status: 429, headers: { 'retry-after': asked } };
		sandbox.b.faults.add({ kind, skip: 10 });
		const [one, other] = await onItsOwnClock(
			async () => await Promise.all([sendB(40, 0), sendB(40, 40)]),
		);

		const refusal = sandbox.b.requests.findIndex(({ status }) => status === 429);
		const at = sandbox.b.requests[refusal]?.at ?? 0;
		const after = sandbox.b.requests.slice(refusal + 1);
		// Requests that were under way already may still arrive: 8 at a time and run.
		const underWay = after.filter((one) => one.at === at);
		expect(underWay.length).toBeLessThanOrEqual(15);
		expect(after.filter((one) => one.at !== at && one.at < at + s * 1000)).toEqual([]);
		expect(sandbox.b.state.sent).toHaveLength(80);
		expect(new Set(sandbox.b.state.sent.map(({ email }) => email)).size).toBe(80);
		expect(one.error ?? other.error).toBeUndefined();
		expect(hintsOf(one)).toContain(`is rate limiting: this run waited ${s} s`);
		expect(hintsOf(other)).toContain(`is rate limiting: this run waited ${s} s`);
	},
);

test("'Max Wait' ends it with what was done so far", async () => {
	const kind = { status: 429, headers: { 'retry-after': '2' } };
	sandbox.a.faults.add({ kind, skip: 1, times: Infinity });
	const output = await onItsOwnClock(async () => {
		const begun = Date.now();
		const { output } = await sendA(250, { maxWait: 1 });
		expect(Date.now() - begun).toBe(0);
		return output;
	});

	const items = output[0] ?? [];
	expect(items.filter(({ json }) => json.status === 'queued')).toHaveLength(100);
	const errors = items.slice(100).map(({ json }) => errorOf(json));
	expect(errors).toHaveLength(150);
	for (const error of errors) expect(error).toMatch(/HTTP 429.*Max Wait/);
	expect(sandbox.a.state.sent).toHaveLength(100);
});

test('the message says for how many seconds the service is not to be called', async () => {
	const kind = { status: 429, headers: { 'retry-after': '90' }, body: '' };
	sandbox.a.faults.add({ kind, times: Infinity });
	// Of the second run no request is even made.
	const [, { output }] = await onItsOwnClock(async () => [
		await sendA(1, { maxWait: 1 }),
		await sendA(1, { maxWait: 1 }),
	]);
	expect(errorOf(output[0]?.[0]?.json ?? {})).toMatch(/asked not to be called for 90 s/);
	expect(sandbox.a.requests).toHaveLength(1);
});

test.each([
	['as long as it asks for', { 'retry-after': '3' }, 3000, 3000],
	['some hundred milliseconds where it asks for nothing', {}, 250, 500],
])('what a service that is down is asked again after: %s', async (_, headers, least, most) => {
	sandbox.b.faults.add({ method: 'GET', kind: { status: 503, headers } });
	await onItsOwnClock(async () => {
		const begun = Date.now();
		await runNode({
			node: 'surveyB',
			parameters: { resource: 'metric', operation: 'getAll', returnAll: true },
			credential: { baseUrl: sandbox.b.url, apiKey: sandbox.b.apiKey },
		});
		expect(Date.now() - begun).toBeGreaterThanOrEqual(least);
		expect(Date.now() - begun).toBeLessThanOrEqual(most);
	});
	expect(sandbox.b.requests).toHaveLength(2);
});

test("waiting several times counts against 'Max Wait' in sum", async () => {
	const kind = { status: 429, headers: { 'retry-after': '4' } };
	sandbox.a.faults.add({ kind, times: Infinity });
	await onItsOwnClock(async () => {
		const begun = Date.now();
		const { output } = await sendA(1, { maxWait: 9 });
		expect(errorOf(output[0]?.[0]?.json ?? {})).toMatch(/HTTP 429.*Max Wait/);
		expect(Date.now() - begun).toBe(8000);
	});
	expect(sandbox.a.requests).toHaveLength(3);
});

test('waiting ends at once when the run is cancelled', async () => {
	sandbox.a.faults.add({
		kind: { status: 429, headers: { 'retry-after': '60' } },
		times: Infinity,
	});
	let cancel = () => {};
	await onItsOwnClock(async () => {
		const begun = Date.now();
		const run = sendA(1, {}, (stop) => (cancel = stop));
		await sleep(5500);
		cancel();
		await run;
		expect(Date.now() - begun).toBe(5500);
	});
	expect(sandbox.a.requests).toHaveLength(1);
});
