import type { FaultKind } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// The client repeats a delete whose response is lost. A 404 then means that the first attempt worked.

const sandbox = useSandbox();

const LOST = 'reset-before';
const LIMIT: FaultKind = { status: 429, headers: { 'retry-after': '1' } };

test.each<[string, string, FaultKind[], number, boolean]>([
	['feedback.delete', 'a success', [LOST], 404, true],
	['feedback.delete', 'a success', [LOST], 410, true],
	['contact.delete', 'a success', [LOST], 404, true],
	['contact.unsubscribe', 'an error, because it deletes nothing', [LOST], 404, false],
	['feedback.delete', 'an error at the first attempt', [], 404, false],
	['feedback.delete', 'an error, because the first attempt deleted nothing', [LIMIT], 404, false],
	['feedback.delete', 'an error, because it does not mean that', [LOST], 403, false],
])('the response to %s is %s: after %j, HTTP %i', async (operation, _, before, status, isDone) => {
	const { faults, requests } = sandbox.b;
	const gone: FaultKind = { status, body: { detail: 'Not found.' } };
	for (const kind of [...before, gone]) faults.add({ kind });
	const parameters = { feedbackId: '2001', email: 'a@example.com' };
	const { error } = await onItsOwnClock(
		async () => await runOperation(sandbox.b, operation, parameters),
	);
	const failure = expect.stringContaining(`(HTTP ${status})`);
	expect(error?.message).toEqual(isDone ? undefined : failure);
	expect(requests).toHaveLength(before.length + 1);
});
