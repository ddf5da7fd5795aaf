import type { NamedFault } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { EMAIL_FROM_ROW, people } from '../../support/columns';
import { limitTo, restoreLimits } from '../../support/limits';
import { runOperation } from '../../support/runOperation';
import { useSandboxForEach } from '../../support/sandbox';

afterEach(restoreLimits);

// A hostile service: responses that are slow, huge, or full of extreme numbers.

const sandbox = useSandboxForEach();

const sendA = () =>
	runOperation(
		sandbox.a,
		'survey.send',
		{ campaign: '64a000000000000000000003', ...EMAIL_FROM_ROW },
		{ input: people(1) },
	);

/** The most milliseconds that a run may take on a busy machine. */
const SOON = 10_000;

test.each<NamedFault>(['drip', 'drip-headers'])(
	'a slow response ends at the time limit, even if it sends a byte now and then: %s [slow-response]',
	async (kind) => {
		sandbox.a.faults.add({ kind });
		limitTo({ timeout: 1 });
		const { error } = await sendA();
		expect(error?.message).toMatch(/did not respond within 1 s.* may have been processed/);
	},
	SOON,
);

test.each<NamedFault>(['too-large', 'unpacks-large'])(
	'a response of more than 32 MB is not read to its end: %s [large-response]',
	async (kind) => {
		sandbox.a.faults.add({ kind });
		const { error } = await sendA();
		expect(error?.message).toMatch(/returned more than 32 MB.* may have been processed/);
	},
	SOON,
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

test(
	'a clock that is set back by an hour does not stall a run',
	async () => {
		const real = Date.now.bind(Date);
		const shifted = jest.spyOn(Date, 'now');
		shifted.mockImplementation(() => real() - (sandbox.b.requests.length > 5 ? 3_600_000 : 0));
		const parameters = { campaignId: '101', ...EMAIL_FROM_ROW };
		const settings = { input: people(20), requestsPerMinute: 1200 };
		const { error } = await runOperation(sandbox.b, 'survey.send', parameters, settings);
		shifted.mockRestore();
		expect(error).toBeUndefined();
		expect(sandbox.b.state.sent).toHaveLength(20);
	},
	SOON,
);
