import type { NamedFault } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { EMAIL_FROM_ROW, people } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { useSandboxForEach } from '../../support/sandbox';

// A hostile service: responses that are slow, huge, or full of extreme numbers.

const sandbox = useSandboxForEach();

const sendA = () =>
	runOperation(
		sandbox.a,
		'survey.send',
		{ campaign: '64a000000000000000000003', ...EMAIL_FROM_ROW },
		{ input: people(1) },
	);

test.each<NamedFault>(['drip', 'drip-headers'])(
	'a slow response ends at the time limit, even if it sends a byte now and then: %s [slow-response]',
	async (kind) => {
		sandbox.a.faults.add({ kind });
		const { error } = await onItsOwnClock(sendA);
		expect(error?.message).toMatch(/did not respond within 300 s.* may have been processed/);
	},
);

const MINUTE = 60_000;

test('a Retry-After pauses the API key for 15 minutes at most [longest-pause]', async () => {
	const { a } = sandbox;
	await onItsOwnClock(async () => {
		const begun = Date.now();
		const minutes = () => (Date.now() - begun) / MINUTE;
		const kind = { status: 429, headers: { 'retry-after': '1000000000000' } };
		a.faults.add({ kind, when: () => minutes() < 29, times: Infinity });
		const runs = Array.from({ length: 5 }, async () => await sendA());
		for (const { error } of await Promise.all(runs)) expect(error).toBeUndefined();
		const times = a.requests.map(({ at }) => Math.floor((at - begun) / MINUTE));
		const each = (minute: number) => Array.from({ length: 5 }, () => minute);
		expect(times).toEqual([...each(0), ...each(15), ...each(30)]);
		expect(a.state.sent).toHaveLength(5);
	});
});

test('a clock that is set back by an hour does not stall a run', async () => {
	const parameters = { campaignId: '101', ...EMAIL_FROM_ROW };
	const settings = { input: people(20), requestsPerMinute: 1200 };
	const { error } = await onItsOwnClock(async () => {
		const now = Date.now.bind(Date);
		const shifted = jest.spyOn(Date, 'now');
		shifted.mockImplementation(() => now() - (sandbox.b.requests.length > 5 ? 3_600_000 : 0));
		const result = await runOperation(sandbox.b, 'survey.send', parameters, settings);
		shifted.mockRestore();
		return result;
	});
	expect(error).toBeUndefined();
	expect(sandbox.b.state.sent).toHaveLength(20);
});
