import type { Fault, FaultKind } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// The client repeats a delete whose response is lost. A 404 then means that the first attempt worked.

const sandbox = useSandbox();

const remove = async (fault?: Fault) => {
	const { faults, state } = sandbox.b;
	if (fault) faults.add(fault);
	const feedbackId = String(state.feedback[0]?.id);
	return await onItsOwnClock(
		async () => await runOperation(sandbox.b, 'feedback.delete', { feedbackId }),
	);
};

describe.each([404, 410])('HTTP %i', (status) => {
	const gone = { status, body: { detail: 'Not found.' } };
	const failure = expect.stringContaining(`(HTTP ${status})`);

	test.each<[string, FaultKind[], unknown]>([
		['after a lost response is a success', ['reset-before'], undefined],
		['at the first attempt is an error', [], failure],
		[
			'after a 429 is an error, because the first attempt deleted nothing',
			[{ status: 429, headers: { 'retry-after': '1' } }],
			failure,
		],
	])('a response to a delete %s', async (_, before, message) => {
		for (const kind of before) sandbox.b.faults.add({ kind });
		const { error } = await remove({ kind: gone });
		expect(error?.message).toEqual(message);
		expect(sandbox.b.requests).toHaveLength(before.length + 1);
	});

	test.each([
		['contact.delete', 'a success', undefined],
		['contact.unsubscribe', 'an error, because it deletes nothing', failure],
	])('a response to %s after a lost one is %s', async (operation, _, message) => {
		sandbox.b.faults.add({ kind: 'reset-before' });
		sandbox.b.faults.add({ kind: gone });
		const { error } = await onItsOwnClock(() =>
			runOperation(sandbox.b, operation, { email: 'a@example.com' }),
		);
		expect(error?.message).toEqual(message);
	});
});

test.each([403, 400])('HTTP %i after a lost response of a delete is an error', async (status) => {
	sandbox.b.faults.add({ kind: 'reset-before' });
	const { error } = await remove({ kind: { status, body: { detail: 'No' } } });
	expect(error?.message).toContain(`No (HTTP ${status})`);
});
