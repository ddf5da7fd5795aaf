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

const RUN_OPTIONS: Array<[label: string, option: string, values: GenericValue[]]> = [
	['Send at Most', 'sendAtMost', [1, 2]],
	['Dry Run', 'dryRun', [true, false]],
	['Contacts That Cannot Be Surveyed', 'ineligible', ['error', 'skip']],
	['Quiet Period (Days)', 'quietPeriod', [1, 2]],
	['Date Order', 'dateOrder', ['dayFirst', 'monthFirst']],
];

describe.each<OnError>(['stopWorkflow', 'continueRegularOutput'])(
	'with On Error = %s',
	(onError) => {
		test.each(RUN_OPTIONS)(
			'%s with another value for each row fails before a survey is sent, and the error names no row',
			async (label, option, values) => {
				const { error, items } = await send(option, values, onError);
				const message = error?.message ?? items.map((item) => String(item.error)).join();
				expect(message.startsWith(`'${label}' differs between the rows`)).toBe(true);
				expect(error?.description ?? '').not.toContain('Continue');
				expect(items).toHaveLength(onError === 'stopWorkflow' ? 0 : 2);
				expect(runner.service.requests).toEqual([]);
			},
		);
	},
);

test('an option of the run may be an expression that has one value for all rows', async () => {
	const { items } = await send('dryRun', [true, true]);
	expect(items).toMatchObject([{ dryRun: true }, { dryRun: true }]);
});
