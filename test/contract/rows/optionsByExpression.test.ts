import type { GenericValue, OnError } from 'n8n-workflow';

import { EMAIL_FROM_ROW, people } from '../../support/columns';
import { useRunner } from '../surveyA/runner';

const runner = useRunner();

/** Sends a survey to a person for each value, which an option takes from the row. */
const send = async (option: string, values: GenericValue[], onError?: OnError) =>
	await runner.run(
		'survey.send',
		{
			campaign: runner.campaign('After purchase'),
			...EMAIL_FROM_ROW,
			options: { [option]: '={{ $json.value }}' },
		},
		{ input: people(2).map((person, item) => ({ ...person, value: values[item] })), onError },
	);

test('an error does not count a row with Dry Run by expression as sent', async () => {
	runner.respond(400, { code: 400, message: 'No' });
	const { error } = await send('dryRun', [true, false]);
	expect(error?.message).toMatch(/No \(HTTP 400\) \[item 1\]. Nothing was sent before it$/);
});

test('Ineligible by expression skips only the rows that ask for it', async () => {
	runner.service.faults.add({
		times: Infinity,
		when: ({ method }) => method === 'POST',
		kind: { status: 400, body: { code: 400, message: 'Customer has unsubscribed', data: null } },
	});
	const { items } = await send('ineligible', ['error', 'skip'], 'continueRegularOutput');
	expect(items).toMatchObject([
		{ error: expect.stringContaining('has unsubscribed') },
		{ status: 'skipped', reason: expect.stringContaining('has unsubscribed') },
	]);
});

const RUN_OPTIONS: Array<[label: string, option: string, values: GenericValue[]]> = [
	['Send at Most', 'sendAtMost', [1, 2]],
];

describe.each<OnError>(['stopWorkflow', 'continueRegularOutput'])(
	'with On Error = %s',
	(onError) => {
		test.each(RUN_OPTIONS)(
			'%s fails with an expression before a survey is sent, and the error names no row',
			async (label, option, values) => {
				const { error, items } = await send(option, values, onError);
				const message = error?.message ?? items.map((item) => String(item.error)).join();
				expect(message.startsWith(`'${label}' must be `)).toBe(true);
				expect(error?.description ?? '').not.toContain('Continue');
				expect(items).toHaveLength(onError === 'stopWorkflow' ? 0 : 2);
				expect(runner.service.requests).toEqual([]);
			},
		);
	},
);
