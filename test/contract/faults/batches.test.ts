import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';

import { onItsOwnClock } from '../../support/clock.mts';
import { automatic, people } from '../../support/columns';
import { holdNext, whatCanGoOn } from '../../support/hold.mts';
import { runOperation } from '../../support/runOperation';
import { errorOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// Operations with many rows in a request: how many are in flight, and how a refused batch is divided.

const sandbox = useSandbox();

const CAMPAIGN = '64a000000000000000000003';

interface Given {
	emails: string[];
	parameters?: INodeParameters;
	onError?: OnError;
}

const run = (name: string, { emails, parameters, onError = 'continueRegularOutput' }: Given) => {
	const columns = /send|upsert/.test(name) ? automatic() : { email: '={{ $json.email }}' };
	const input = emails.map((email) => ({ email }));
	return runOperation(sandbox.a, name, { ...columns, ...parameters }, { input, onError });
};

const emailsOf = (count: number) => people(count, 0).map(({ email }) => email);

const emailsIn = (body: unknown): string[] =>
	[Object(body).subscribers ?? []].flat().map(({ email }) => String(email));

/** Refuses every batch with the address, without naming it. */
const refuse = (email: string, status: number, message: string) =>
	sandbox.a.faults.add({
		when: ({ body }) => emailsIn(body).includes(email),
		times: Infinity,
		kind: { status, body: { code: status, message, data: null } },
	});

describe('a refused batch whose refusal names no row', () => {
	test.each<[string, number, number, string, number, INodeParameters | undefined]>([
		['survey.send', 100, 400, 'Validation Error', 20, { campaign: CAMPAIGN }],
		['customer.unsubscribe', 1000, 400, 'Validation failed', 24, undefined],
		['customer.unsubscribe', 100, 404, 'Customer not found', 20, undefined],
		['customer.delete', 100, 404, 'Customer not found', 20, undefined],
		['survey.send', 100, 403, 'Customer has unsubscribed', 20, { campaign: CAMPAIGN }],
		['customer.upsert', 100, 409, 'The email belongs to two customers', 22, undefined],
	])(
		'is divided until only the bad row fails: %s of %i rows, HTTP %i',
		async (name, count, status, message, most, parameters) => {
			const emails = sandbox.a.seedCustomers(count).map(({ email }) => email);
			const bad = emails[Math.floor(count * 0.7)] ?? '';
			refuse(bad, status, message);
			const { output } = await run(name, { emails, parameters });
			const failed = (output[0] ?? []).filter(({ json }) => errorOf(json) !== undefined);
			expect(output[0]).toHaveLength(count);
			expect(failed).toHaveLength(1);
			expect(failed[0]?.pairedItem).toEqual({ item: emails.indexOf(bad) });
			expect(errorOf(failed[0]?.json ?? {})).toContain(message);
			expect(sandbox.a.requests.length).toBeLessThanOrEqual(most);
			const carriedOut = sandbox.a.requests
				.filter((request) => request.carriedOut)
				.flatMap(({ body }) => emailsIn(body));
			expect(carriedOut.sort()).toEqual(emails.filter((email) => email !== bad).sort());
		},
	);

	test('a send that may have been processed is not skipped, although its response says that the person opted out', async () => {
		const body = { code: 400, message: 'Customer optedOut', data: null };
		sandbox.a.faults.add({ kind: { status: 200, body } });
		const { output } = await run('survey.send', {
			emails: emailsOf(1),
			parameters: { campaign: CAMPAIGN, options: { ineligible: 'skip' } },
		});
		const [item] = output[0] ?? [];
		expect(errorOf(item?.json ?? {})).toContain('may have been processed');
		expect(item?.json.details).toMatchObject({ code: 'maybeSent' });
	});

	test('after a lost response, each row that is refused in a part of its batch says that it may have been processed', async () => {
		const emails = sandbox.a.seedCustomers(8).map(({ email }) => email);
		const bad = emails[5] ?? '';
		sandbox.a.faults.add({ kind: 'reset-after' });
		refuse(bad, 400, 'Validation failed');
		const { output } = await onItsOwnClock(
			async () => await run('customer.unsubscribe', { emails }),
		);
		const errors = output[0]?.flatMap(({ json }) => errorOf(json) ?? []);
		expect(errors).toEqual([expect.stringMatching(/Validation failed.*may have been processed/)]);
	});

	test.each([
		[400, 'Customer was already surveyed for this campaign'],
		[400, 'Customer optedOut'],
		[422, 'Customer has opted out'],
	])(
		'is divided until only ineligible people are skipped: HTTP %i, %s [divided]',
		async (status, message) => {
			const emails = emailsOf(100);
			refuse(emails[70] ?? '', status, message);
			const { output } = await run('survey.send', {
				emails,
				parameters: { campaign: CAMPAIGN, options: { ineligible: 'skip' } },
				onError: 'stopWorkflow',
			});
			const statuses = output[0]?.map(({ json }) => json.status);
			expect(statuses?.indexOf('skipped')).toBe(70);
			expect(statuses?.filter((one) => one === 'queued')).toHaveLength(99);
		},
	);
});

describe('with On Error = Continue', () => {
	test('only the rows of batches in flight have been read', async () => {
		const { a } = sandbox;
		const held = Array.from({ length: 4 }, () => holdNext(a.faults));
		const reading = watchedRows(6000);
		const running = writeRows('customer.upsert', reading.rows);
		for (const { arrived } of held) await arrived;
		await whatCanGoOn();
		expect(reading.last()).toBe(3999);
		for (const { release } of held) release();
		await running;
		expect(a.requests).toHaveLength(6);
	});

	test('a batch goes out while later rows take long to read', async () => {
		let requests = 0;
		const reading = watchedRows(2500, (item) => {
			if (item >= 1000 && item < 1015) takeTime(50);
			if (item === 1500) requests = sandbox.a.requests.length;
		});
		await writeRows('customer.upsert', reading.rows);
		expect(requests).toBe(1);
		expect(sandbox.a.requests).toHaveLength(3);
	});

	test('Send reads all rows first, since one of them may say that a person of another one opted out', async () => {
		const { arrived, release } = holdNext(sandbox.a.faults);
		const reading = watchedRows(1000);
		const running = writeRows('survey.send', reading.rows);
		await arrived;
		expect(reading.last()).toBe(999);
		release();
		await running;
		expect(sandbox.a.state.sent).toHaveLength(1000);
	});

	test('no further row is read after the run is cancelled', async () => {
		let cancel = () => {};
		const reading = watchedRows(250, (item) => item === 50 && cancel());
		await writeRows('survey.send', reading.rows, (stop) => (cancel = stop));
		await whatCanGoOn();
		expect(reading.last()).toBe(50);
		expect(sandbox.a.requests).toEqual([]);
	});
});

/** Returns rows, and a function that returns the last row that was read. */
function watchedRows(count: number, read: (item: number) => unknown = () => {}) {
	let last = -1;
	const rows = emailsOf(count).map((email, item) => ({
		get email() {
			if (item > last) read((last = item));
			return email;
		},
	}));
	return { rows, last: () => last };
}

const writeRows = (name: string, input: IDataObject[], onStart?: (cancel: () => void) => void) =>
	runOperation(
		sandbox.a,
		name,
		{ campaign: CAMPAIGN, ...automatic() },
		{ input, onError: 'continueRegularOutput', onStart },
	);

/** Blocks n8n's only thread, like a slow expression. */
function takeTime(milliseconds: number): void {
	const end = performance.now() + milliseconds;
	while (performance.now() < end);
}

test('all rows are read before anything is sent if On Error is Stop [read-first]', async () => {
	const { a } = sandbox;
	const emails = [...emailsOf(300), ''];
	const { error } = await run('survey.send', {
		emails,
		parameters: { campaign: CAMPAIGN },
		onError: 'stopWorkflow',
	});
	expect(error?.message).toContain('[item 300]');
	expect(a.requests).toEqual([]);
});
