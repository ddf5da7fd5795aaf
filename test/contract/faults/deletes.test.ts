import type { Fault } from '../../../sandbox';
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

const isThere = (id: unknown) => sandbox.b.state.feedback.some((one) => one.id === id);

test.each(['reset-after', 'reset-midway', 'half-json'] as const)(
	'a delete whose response is lost (%s) succeeds, and no other record is deleted',
	async (kind) => {
		const [first] = sandbox.b.state.feedback;
		const before = sandbox.b.state.feedback.length;
		const { error, output } = await remove({ kind });
		expect(error).toBeUndefined();
		expect(output[0]?.[0]?.json).toMatchObject({ deleted: true });
		expect(isThere(first?.id)).toBe(false);
		expect(sandbox.b.state.feedback).toHaveLength(before - 1);
	},
);

test.each([404, 410])('HTTP %i after a lost response of a delete is a success', async (status) => {
	sandbox.b.faults.add({ kind: 'reset-before' });
	const { error } = await remove({ kind: { status, body: { detail: 'Not found.' } } });
	expect(error).toBeUndefined();
	expect(sandbox.b.requests).toHaveLength(2);
});

test.each([403, 400])('HTTP %i after a lost response of a delete is an error', async (status) => {
	sandbox.b.faults.add({ kind: 'reset-before' });
	const { error } = await remove({ kind: { status, body: { detail: 'No' } } });
	expect(error?.message).toContain(`No (HTTP ${status})`);
});

test.each([404, 410])('HTTP %i at the first attempt of a delete is an error', async (status) => {
	const { error } = await remove({ kind: { status, body: { detail: 'Not found.' } } });
	expect(error?.message).toContain(`(HTTP ${status})`);
	expect(sandbox.b.requests).toHaveLength(1);
});

test.each([404, 410])(
	'HTTP %i after a 429 is an error, because the first attempt deleted nothing',
	async (status) => {
		sandbox.b.faults.add({ kind: { status: 429, headers: { 'retry-after': '1' } } });
		const { error } = await remove({ kind: { status, body: { detail: 'Not found.' } } });
		expect(error?.message).toContain(`(HTTP ${status})`);
	},
);

test.each([404, 410])(
	'HTTP %i after a lost response is an error for an operation that deletes nothing',
	async (status) => {
		const { faults } = sandbox.b;
		faults.add({ kind: 'reset-before' });
		faults.add({ kind: { status, body: { detail: 'Not found.' } } });
		const { error } = await onItsOwnClock(
			async () => await runOperation(sandbox.b, 'contact.unsubscribe', { email: 'a@example.com' }),
		);
		expect(error?.message).toContain(`(HTTP ${status})`);
	},
);
