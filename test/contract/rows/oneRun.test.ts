import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { automatic, people } from '../../support/columns';
import type { NodeRun } from '../../support/engine';
import { runOperation } from '../../support/runOperation';
import { errorOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// Decisions that hold for the whole run: duplicates, Send at Most, the order of one address's rows, and Retry On Fail.

const sandbox = useSandbox();

const X = '64a000000000000000000003';
const Y = '64a000000000000000000004';
async function send(
	node: NodeRun['node'],
	input: IDataObject[],
	more: Pick<NodeRun, 'onError' | 'maxTries'> & { options?: INodeParameters } = {},
) {
	const { options = {}, ...run } = more;
	const service = node === 'surveyA' ? sandbox.a : sandbox.b;
	const parameters = {
		campaign: `={{ $json.campaign ?? '${X}' }}`,
		campaignId: '={{ $json.campaign ?? 101 }}',
		...automatic(),
		options: { ignoredColumns: 'campaign', ...options },
	};
	return await onItsOwnClock(
		async () => await runOperation(service, 'survey.send', parameters, { input, ...run }),
	);
}

const refused = (status: number): FaultKind => ({
	status,
	body: { code: status, message: 'Not now', data: null },
});

describe.each([401, 403, 400])('Retry On Fail after a request was refused by %i', (status) => {
	test('all tries of Retry On Fail count as one run [one-run]', async () => {
		sandbox.a.faults.add({
			when: ({ rawBody }) => rawBody.includes('"person150@example.com"'),
			times: status === 400 ? 8 : 1,
			kind: refused(status),
		});
		const settings = { maxTries: 3, options: { sendAtMost: 250 } };
		const { items } = await send('surveyA', people(400), settings);
		expect(sandbox.a.state.sent).toHaveLength(250);
		// Rows that an earlier try sent are not duplicates.
		const sent = items.filter((item) => item.status !== 'skipped');
		expect(sent).toHaveLength(250);
	});
});

describe('Survey B: a lost response of Send', () => {
	beforeEach(() => (sandbox.b.settings.errors = 'contract'));

	test('is followed by one more request, since a contact is surveyed at most once in 24 hours', async () => {
		sandbox.b.faults.add({ kind: 'reset-before' });
		const { items } = await send('surveyB', people(1));
		expect(items[0]).toMatchObject({ email: 'person1@example.com', status: 'SENT' });
		expect(sandbox.b.state.sent).toHaveLength(1);
	});

	test('needs no person: the item says that the contact was surveyed within 24 hours', async () => {
		sandbox.b.faults.add({ kind: 'reset-after' });
		const { items } = await send('surveyB', people(1), { onError: 'continueRegularOutput' });
		const text = errorOf(items[0] ?? {});
		expect(text).toContain('was surveyed in the last 24 hours');
		expect(text).toContain('whose response was lost');
		expect(text).not.toMatch(/may have been processed|Check in the service/);
		expect(sandbox.b.state.sent).toHaveLength(1);
		expect(sandbox.b.requests).toHaveLength(2);
	});

	const skip = { options: { ineligible: 'skip' } };

	test.each([1, 4])(
		'gives a contact the status maybeSent, also in a later try: %i responses are lost',
		async (times) => {
			sandbox.b.faults.add({ kind: 'reset-after', times });
			const run = { ...skip, onError: 'continueRegularOutput', maxTries: 2 } as const;
			const { items } = await send('surveyB', people(1), run);
			expect(items).toMatchObject([{ status: 'maybeSent' }]);
			expect(sandbox.b.state.sent).toHaveLength(1);
		},
	);

	test('says nothing of a survey if the contact has unsubscribed', async () => {
		sandbox.b.faults.add({ kind: 'reset-before' });
		const unsubscribed = [{ email: 'unsubscribed@example.com' }];
		const { items } = await send('surveyB', unsubscribed, skip);
		expect(items[0]?.reason).not.toContain('surveyed in the last 24 hours');
		expect(items[0]).toMatchObject({ details: { code: 'unsubscribed' } });
	});
});

test('a forward whose response was lost is not sent again for an equal row', async () => {
	sandbox.b.faults.add({ kind: 'reset-after' });
	const parameters = {
		feedbackId: String(sandbox.b.state.feedback.at(-1)?.id),
		...{ fromUser: 'agent@example.com', to: '={{ $json.to }}' },
	};
	const input = ['boss', 'boss', 'other'].map((name) => ({ to: `${name}@example.com` }));
	const run = { input, onError: 'continueRegularOutput' } as const;
	const { items } = await runOperation(sandbox.b, 'feedback.forward', parameters, run);
	expect(items).toMatchObject([
		{ details: { code: 'maybeSent', uncertain: true } },
		{ details: { code: 'maybeSent', uncertain: true } },
		{ forwarded: true },
	]);
	expect(sandbox.b.requests).toHaveLength(2);
});

test('does not send an older row of an address again in a later try', async () => {
	const input = [
		{ email: 'a@example.com', Plan: 'old', campaign: X },
		{ email: 'a@example.com', Plan: 'new', campaign: Y },
	];
	sandbox.a.faults.add({ when: ({ rawBody }) => rawBody.includes('"old"'), kind: refused(400) });
	const { items } = await send('surveyA', input, { onError: 'continueRegularOutput', maxTries: 3 });
	expect(sandbox.a.requests.filter(({ rawBody }) => rawBody).at(-1)?.rawBody).toContain('"new"');
	expect(errorOf(items[0] ?? {})).toContain('Not now');
});

test('sends the newer row of an address again in a later try, although the older one went out before', async () => {
	const input = [
		{ email: 'a@example.com', Plan: 'old', campaign: X },
		{ email: 'a@example.com', Plan: 'new', campaign: Y },
	];
	sandbox.a.faults.add({ when: ({ rawBody }) => rawBody.includes('"new"'), kind: refused(400) });
	const { items } = await send('surveyA', input, { maxTries: 2 });
	expect(items).toMatchObject([{ status: 'queued' }, { status: 'queued' }]);
});

test('a repeated address is skipped if its first row may have been processed', async () => {
	sandbox.a.faults.add({ kind: 'reset-after' });
	const input = [{ email: 'a@example.com' }, { email: 'a@example.com' }];
	const { items } = await send('surveyA', input, { onError: 'continueRegularOutput' });
	expect(errorOf(items[0] ?? {})).toContain('may have been processed');
	expect(items[1]).toMatchObject({ status: 'skipped', duplicateOfItem: 0 });
});
