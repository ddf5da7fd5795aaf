import { sleep } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox';
import type { Sandbox } from '../../../sandbox';
import { runNode } from '../../support/engine';
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
			email: '={{ $json.email }}',
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
			email: '={{ $json.email }}',
			options: { ...options },
		},
		input: people(count),
		credential: { baseUrl: sandbox.a.url, apiKey: sandbox.a.apiKey },
		onError: 'continueRegularOutput',
		onStart,
	});
}

test('requests per minute hold over all runs of one credential', async () => {
	const pace = { requestsPerMinute: 1200 };
	await Promise.all([sendB(20, 0, pace), sendB(20, 20, pace)]);

	const times = sandbox.b.requests.map(({ at }) => at);
	expect(times).toHaveLength(40);
	times.forEach((at, index) => {
		// The first request may take longer to arrive than those after it.
		expect(at - (times[0] ?? 0)).toBeGreaterThanOrEqual(index * 50 - 150);
	});
	for (const start of times.slice(5)) {
		const inOneSecond = times.filter((at) => at >= start && at < start + 1000);
		// On a busy machine those that became due in the same moment arrive together.
		expect(inOneSecond.length).toBeLessThanOrEqual(26);
	}
});

test('one 429 pauses its neighbours, and nothing is lost or sent twice', async () => {
	const kind = { status: 429, headers: { 'retry-after': '1' } };
	sandbox.b.faults.add({ kind, skip: 10 });
	const [one, other] = await Promise.all([sendB(40, 0), sendB(40, 40)]);

	const refusal = sandbox.b.requests.findIndex(({ status }) => status === 429);
	const at = sandbox.b.requests[refusal]?.at ?? 0;
	// Requests that were under way already may still arrive: 8 at a time and run.
	const during = sandbox.b.requests.slice(refusal + 1).filter((one) => one.at < at + 900);
	expect(during.length).toBeLessThanOrEqual(15);
	expect(during.every((one) => one.at < at + 100)).toBe(true);
	expect(sandbox.b.state.sent).toHaveLength(80);
	expect(new Set(sandbox.b.state.sent.map(({ email }) => email)).size).toBe(80);
	expect(one.error ?? other.error).toBeUndefined();
	expect([...one.hints, ...other.hints].map(({ message }) => message).join()).toMatch(
		/asked to wait: this run waited 1 s/,
	);
});

test("'Max Wait' ends it with what was done so far", async () => {
	const kind = { status: 429, headers: { 'retry-after': '2' } };
	sandbox.a.faults.add({ kind, skip: 1, times: Infinity });
	const begun = Date.now();
	const { output } = await sendA(250, { maxWait: 1 });

	expect(Date.now() - begun).toBeLessThan(2000);
	const items = output[0] ?? [];
	expect(items.filter(({ json }) => json.status === 'queued')).toHaveLength(100);
	const errors = items.slice(100).map(({ json }) => errorOf(json));
	expect(errors).toHaveLength(150);
	for (const error of errors) expect(error).toMatch(/HTTP 429.*Max Wait/);
	expect(sandbox.a.state.sent).toHaveLength(100);
});

test('waiting ends at once when the run is cancelled', async () => {
	sandbox.a.faults.add({
		kind: { status: 429, headers: { 'retry-after': '60' } },
		times: Infinity,
	});
	let cancel = () => {};
	const run = sendA(1, {}, (stop) => {
		cancel = stop;
	});
	while (sandbox.a.requests.length === 0) await sleep(10);
	const begun = Date.now();
	cancel();
	await run;
	expect(Date.now() - begun).toBeLessThan(500);
	expect(sandbox.a.requests).toHaveLength(1);
});
