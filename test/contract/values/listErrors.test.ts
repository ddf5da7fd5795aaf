import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// Errors of lists name their row by its filters and by the item number.

const sandbox = useSandbox();

const CAMPAIGN = '64a00000000000000000000';

async function errorsOf(
	node: 'surveyA' | 'surveyB',
	name: string,
	parameters: INodeParameters,
	input: IDataObject[],
) {
	const service = node === 'surveyA' ? sandbox.a : sandbox.b;
	const { output } = await runOperation(service, name, parameters, {
		input,
		onError: 'continueErrorOutput',
	});
	return (output[1] ?? []).map(({ json }) => json);
}

const refuse = (service: Sandbox['a'] | Sandbox['b'], message: string, status = 400) =>
	service.faults.add({ times: Infinity, kind: { status, body: { message } } });

test('a list error names the row once', async () => {
	refuse(sandbox.a, 'Not yours');
	const filters = { campaignId: '={{ $json.campaign }}' };
	const input = [{ campaign: `${CAMPAIGN}1` }, { campaign: `${CAMPAIGN}2` }];
	const errors = await errorsOf('surveyA', 'feedback.getAll', { filters }, input);
	const told = (row: number) =>
		`Not yours (HTTP 400) [item ${row}]. Correct the value that the message names`;
	expect(errors.map(({ error }) => error)).toEqual([told(0), told(1)]);
});

test('the error of a single row has no item number', async () => {
	refuse(sandbox.b, 'Not yours');
	const filters = { email: 'ada@acme.example' };
	const [error] = await errorsOf('surveyB', 'feedback.getAll', { filters }, [{}]);
	expect(error?.error).toMatch(/^Not yours \(HTTP 400\)\. /);
});

test('an error of a row without an address names the row', async () => {
	const unread = { gone: true };
	const input = [{ email: 'ada@acme.example' }, {}, { email: ' ' }, { email: { a: 1 } }, unread];
	const email = "={{ $json.gone ? $('Gone').first() : $json.email }}";
	const errors = await errorsOf('surveyB', 'contact.delete', { email }, input);
	expect(errors.map(({ error }) => String(error).replace(/\. .*/, ''))).toEqual([
		"'Email' is missing [item 1]",
		"'Email' is missing [item 2]",
		`'Email' must be text: {"a":1} [item 3]`,
		"Referenced node doesn't exist [item 4]",
	]);
});

test('an error of a list says how many rows were read', async () => {
	sandbox.b.faults.add({ skip: 1, kind: { status: 400, body: { message: 'No' } } });
	const input = [{ score: 1 }, { score: 2 }];
	const filters = { score: '={{ $json.score }}' };
	const { error } = await runOperation(sandbox.b, 'feedback.getAll', { filters }, { input });
	expect(error?.message).toMatch(/^No \(HTTP 400\) \[item [01]\]\. 1 of 2 rows were read$/);
});
