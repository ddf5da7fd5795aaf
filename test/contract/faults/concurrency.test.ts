import { onItsOwnClock } from '../../support/clock.mts';
import { automatic, EMAIL_FROM_ROW, people } from '../../support/columns';
import { holdNext, whatCanGoOn } from '../../support/hold.mts';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

const sandbox = useSandbox();

describe('with On Error = Stop', () => {
	const run = async (operation: string, rows: number) => {
		const parameters = operation === 'upsert' ? automatic() : { email: '={{ $json.email }}' };
		const input = people(rows, 0);
		return await runOperation(sandbox.a, `customer.${operation}`, parameters, { input });
	};

	test.each(['upsert', 'unsubscribe', 'delete'])(
		'batches of %s, which may be repeated, are in flight side by side',
		async (operation) => {
			const { a } = sandbox;
			const held = holdNext(a.faults);
			const running = run(operation, 2001);
			await held.arrived;
			await whatCanGoOn();
			expect(a.requests).toHaveLength(3);
			held.release();
			await running;
			expect(a.requests).toHaveLength(3);
		},
	);

	test('a wrong campaign of Survey B costs one request for 64 rows', async () => {
		const parameters = { campaignId: '999', ...EMAIL_FROM_ROW };
		const { error } = await runOperation(sandbox.b, 'survey.send', parameters, {
			input: people(64),
		});
		expect(error?.message).toContain('Nothing was sent');
		expect(sandbox.b.requests).toHaveLength(1);
	});

	const contains = (index: number) => (request: { rawBody: string }) =>
		request.rawBody.includes(`"person${index}@example.com"`);

	test('no batch goes out after a failure, and the error counts the rows that were in flight', async () => {
		const { a } = sandbox;
		const first = holdNext(a.faults, { when: contains(0) });
		a.faults.add({
			when: contains(1000),
			kind: { status: 405, body: { code: 405, message: 'No', data: null } },
		});
		const running = run('upsert', 6000);
		await first.arrived;
		await whatCanGoOn();
		const sent = a.requests.length;
		first.release();
		const { error } = await running;
		expect(sent).toBeLessThanOrEqual(5);
		expect(a.requests).toHaveLength(sent);
		expect(error?.message).toMatch(/HTTP 405.* [2-5]000 of 6000 rows were sent/);
	});
});

/** Runs rows against a service that answers all waiting requests together; returns the size of each group. */
async function sentAtOnce(operation: string, rows: number) {
	const { b } = sandbox;
	b.reset();
	let arrived = 0;
	let open = () => {};
	const newGate = () => new Promise<void>((resolve) => (open = resolve));
	let gate = newGate();
	b.faults.add({
		times: Infinity,
		get kind() {
			arrived++;
			return { until: gate };
		},
	});
	const seen: number[] = [];
	let isDone = false;
	// On a simulated clock, every response takes equally long.
	await onItsOwnClock(async () => {
		const parameters = { ...automatic(), contactId: '={{ $json.email }}' };
		const settings = { input: people(rows), onError: 'continueRegularOutput' } as const;
		const running = runOperation(b, operation, parameters, settings);
		void running.finally(() => (isDone = true));
		for (let sum = 0; sum < rows && !isDone; ) {
			await whatCanGoOn();
			if (arrived === 0) continue;
			seen.push(arrived);
			sum += arrived;
			arrived = 0;
			open();
			gate = newGate();
		}
		await running;
	});
	return seen;
}

test.each(['contact.upsert', 'contact.get'])(
	'64 requests of %s are in flight, where each row has one',
	async (operation) => {
		expect(await sentAtOnce(operation, 144)).toEqual([64, 64, 16]);
	},
);

test('a reply that is on its way when the run is cancelled may have been processed, and its item says so', async () => {
	const { b } = sandbox;
	const held = holdNext(b.faults);
	let cancel = () => {};
	const parameters = { feedbackId: '2001', fromUser: 'member@example.com', message: 'Thanks' };
	const run = runOperation(b, 'feedback.reply', parameters, {
		onError: 'continueRegularOutput',
		onStart: (stop) => (cancel = stop),
	});
	await held.arrived;
	cancel();
	const { items } = await run;
	held.release();
	expect(items[0]?.error).toBe(
		'Feedback 2001: The run was cancelled. The request may have been processed. Check whether the feedback response has a reply in Survey B before you send it again',
	);
});
