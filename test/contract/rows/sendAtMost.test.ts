import type { IDataObject } from 'n8n-workflow';

import { CODES } from '../../../nodes/shared/base/codes';
import { onItsOwnClock } from '../../support/clock.mts';
import { automatic, EMAIL_FROM_ROW, people } from '../../support/columns';
import { sendOptions } from '../../../nodes/surveys/send';
import type { FaultKind } from '../../../sandbox/core/faults';
import { randomFrom, SEED } from '../../support/random.mts';
import { runOperation } from '../../support/runOperation';
import type { RunSettings } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';
import { useRunner } from '../surveyA/runner';

const runnerA = useRunner();

test('Send at Most says in the editor that it is a maximum, and that a row that was not sent gives its place to the next one', () => {
	expect(sendOptions.sendAtMost.property('sendAtMost')).toMatchObject({
		description:
			'Maximum number of surveys to send in this run, with those that may have been sent. A row that fails or is skipped gives its place to the next one.',
	});
});

const OVER = new Array<string>(3).fill('overLimit');

const repeated = { email: 'PERSON2@example.com', Tier: 'pro' };
const input = [...people(3), repeated, ...people(4, 4), repeated];

const skipped = new Array<string>(4).fill('skipped');
const expected = ['sent', 'sent', 'sent', 'skipped', 'sent', ...skipped];

test.each([false, true])(
	'Survey A: rows over Send at Most come out as skipped with the reason (Dry Run: %s)',
	async (dryRun) => {
		const { items, hints } = await runnerA.run(
			'survey.send',
			{
				campaign: runnerA.campaign('After purchase'),
				...automatic(),
				options: { sendAtMost: 4, dryRun },
			},
			{ input },
		);
		expect(runnerA.service.state.sent).toHaveLength(dryRun ? 0 : 4);
		expect(items.map(({ status }) => (status === 'skipped' ? status : 'sent'))).toEqual(expected);
		expect(items[3]).toMatchObject({ reason: 'Same email as item 1', duplicateOfItem: 1 });
		expect(items[5]).toMatchObject({ email: 'person5@example.com', reason: "'Send at Most' is 4" });
		expect(hints).toContain('Rows that were skipped: 2 (duplicate), 3 (overLimit)');
		expect(hints.join()).not.toContain('Sent to Survey A as new');
	},
);

describe('Send at Most counts surveys that went out, or may have', () => {
	const sandbox = useSandbox();

	const send = async (
		node: 'a' | 'b',
		rows: IDataObject[],
		sendAtMost: number,
		settings: RunSettings = { onError: 'continueRegularOutput' },
	) => {
		const campaign = '64a000000000000000000003';
		const parameters = {
			...(node === 'a' ? { campaign } : { campaignId: '101' }),
			...EMAIL_FROM_ROW,
			options: { sendAtMost, ineligible: 'skip' },
		};
		const { items } = await runOperation(sandbox[node], 'survey.send', parameters, {
			input: rows,
			...settings,
		});
		return items.map(({ status, details }) => Object(details).code ?? status);
	};

	test('the places of 60 refused rows go to later ones, in both services', async () => {
		const refused = Array.from({ length: 60 }, (_, i) => ({ email: `nobody${i}.@acme.example` }));
		const rows = [...refused, ...people(60)];
		for (const node of ['a', 'b'] as const) {
			// Rows beside refused ones in a 200 may have gone out.
			sandbox[node].settings.errors = 'contract';
			const codes = await send(node, rows, 50);
			expect(codes.slice(0, 60)).toEqual(refused.map(() => 'invalidEmail'));
			const sent = codes.slice(60, 110);
			expect(sent.filter((code) => code in CODES || code === 'skipped')).toEqual([]);
			expect(codes.slice(110)).toEqual(new Array(10).fill('overLimit'));
			expect(sandbox[node].state.sent).toHaveLength(50);
		}
	});

	test('the place of a contact who is skipped as unsubscribed goes to the next row', async () => {
		sandbox.b.settings.errors = 'contract';
		const rows = [{ email: 'unsubscribed@example.com' }, ...people(2)];
		expect(await send('b', rows, 1)).toEqual(['unsubscribed', 'SENT', 'overLimit']);
	});

	test('a lost response keeps its place, whether or not its survey went out', async () => {
		sandbox.a.faults.add({ kind: 'reset-after' });
		expect(await send('a', people(5), 2)).toEqual(['maybeSent', 'maybeSent', ...OVER]);
		sandbox.b.faults.add({
			when: ({ rawBody }) => rawBody.includes('person1@'),
			kind: { status: 503 },
			times: 4,
		});
		const codes = await onItsOwnClock(async () => await send('b', people(4), 2));
		expect(codes).toEqual(['unavailable', 'SENT', 'overLimit', 'overLimit']);
	});

	test('a lost response keeps its place in the next try of Retry On Fail, which sends its row again', async () => {
		sandbox.b.faults.add({ kind: { status: 503 }, times: 4 });
		const codes = await onItsOwnClock(async () => await send('b', people(2), 1, { maxTries: 2 }));
		expect(codes).toEqual(['SENT', 'overLimit']);
	});

	test('a row that fails in one try of Retry On Fail is sent in the next one, and no row beyond the limit', async () => {
		sandbox.a.faults.add({
			kind: { status: 400, body: { code: 400, message: 'Not now', data: null } },
			times: 3,
		});
		const codes = await send('a', people(6), 3, { maxTries: 3 });
		expect(codes).toEqual(['queued', 'queued', 'queued', ...OVER]);
		expect(sandbox.a.state.sent).toHaveLength(3);
	});

	test.each(['a', 'b'] as const)(
		'a refused row keeps its failure in the next try of Retry On Fail, although a later row has its place (%s)',
		async (node) => {
			const rows = [{ email: 'nobody.@acme.example' }, ...people(2), ...people(1)];
			const settings = { onError: 'continueRegularOutput', maxTries: 2 } as const;
			sandbox[node].settings.errors = 'contract';
			const codes = await send(node, rows, 1, settings);
			expect(codes[0]).toBe('invalidEmail');
			expect(codes.slice(2)).toEqual(['overLimit', 'duplicate']);
			expect(sandbox[node].state.sent).toHaveLength(1);
		},
	);

	const random = randomFrom(SEED);
	const below = (end: number) => Math.floor(random() * end);

	/** Rows of few people in any order; each is fine, refused, or its response is lost. */
	const cases = Array.from({ length: 12 }, (_, i) => ({
		most: 1 + below(6),
		node: i % 2 === 0 ? ('a' as const) : ('b' as const),
		rows: Array.from({ length: 3 + below(12) }, () => {
			const fate = ['fine', 'fine', 'nobody', 'lost'][below(4)];
			return { email: `${fate}${below(6)}${fate === 'nobody' ? '.' : ''}@acme.example` };
		}),
	}));

	test.each(cases)(
		`sends no more than $most of $rows.length rows in any order of fates, and as many if there are, seed ${SEED}`,
		async ({ most, node, rows }) => {
			const kind: FaultKind = { status: 503 };
			const when = ({ rawBody, method }: { rawBody: string; method: string }) =>
				method === 'POST' && rawBody.includes('"lost');
			sandbox[node].faults.add({ when, kind, times: Infinity });
			const codes = await onItsOwnClock(async () => await send(node, rows, most));
			const count = (pattern: RegExp) => codes.filter((code) => pattern.test(code)).length;
			const used = count(/^(queued|SENT|maybeSent|unavailable)$/);
			expect(used).toBeLessThanOrEqual(most);
			if (count(/^overLimit$/) > 0) expect(used).toBe(most);
			expect(sandbox[node].state.sent.length).toBeLessThanOrEqual(most);
		},
	);
});
