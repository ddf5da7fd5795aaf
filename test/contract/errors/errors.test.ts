import { onItsOwnClock } from '../../support/clock.mts';
import { expectFile } from '../../support/files.mts';
import { casesOfA, casesOfB } from './cases';
import type { ErrorCase } from './cases';
import { runOperation } from '../../support/runOperation';
import { serviceOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// Every error of both contracts, with On Error set to Stop and to Continue.

const sandbox = useSandbox();

const ONE_ROW = [{ email: 'ada@acme.example' }];

const run = async (one: ErrorCase, onError: 'stopWorkflow' | 'continueRegularOutput') => {
	const service = serviceOf(sandbox, one.node);
	sandbox.a.reset();
	sandbox.b.reset();
	one.given?.(sandbox);
	const { operation, parameters, input = ONE_ROW, apiKey } = one;
	const work = () => runOperation(service, operation, parameters, { input, apiKey, onError });
	// Only cases with retries wait.
	const result = await ((one.requests ?? 1) > 2 ? onItsOwnClock(work) : work());
	return { ...result, requests: service.requests.length };
};

const cell = (text: string) => text.replace(/\|/g, '\\|');

/** Checks a case and returns its message, without the status, and what the user can do. */
async function messageOf(one: ErrorCase): Promise<{ happened: string; fix: string }> {
	const { error, requests } = await run(one, 'stopWorkflow');
	const { message = '', description } = error ?? {};
	const { says, advises, input = ONE_ROW } = one;
	expect(message).toContain(says);
	expect({ says, description }).toEqual({ says, description: expect.stringContaining(advises) });
	expect({ says, requests }).toEqual({ says, requests: one.requests ?? 1 });
	const isOfAccount = message.includes('(HTTP 401)');
	expect({ says, isNumbered: /\[item \d\]/.test(message) }).toEqual({
		says,
		isNumbered: !isOfAccount,
	});
	const { items } = await run(one, 'continueRegularOutput');
	const failed = items.find((json) => 'error' in json);
	const happened = message.replace(
		/( \[item \d\])?(\. Nothing was|\. \d+ of \d+ rows).*| \[item \d\]$/,
		'',
	);
	expect(failed?.error).toContain(happened);
	expect(failed?.error).toContain(isOfAccount || input.length === 1 ? '' : '[item 1]');
	const [field, value] = one.field ?? [];
	if (field) expect(failed?.details).toMatchObject({ field, ...(value && { value }) });
	const fix = (description ?? '').replace(/\. To go on with the other rows, .*/, '');
	return { happened: happened.replace(/ \(HTTP \d+\)$/, ''), fix };
}

/** Returns a table with a row for each fix, and checks every case. */
async function tableOf(cases: ErrorCase[]): Promise<string> {
	const messages = new Map<string, Set<string>>();
	for (const one of cases) {
		const { happened, fix } = await messageOf(one);
		// Errors that the node finds without a request are no errors of a service.
		if (one.requests !== 0) messages.set(fix, (messages.get(fix) ?? new Set()).add(happened));
	}
	const rows = [...messages].map(
		([fix, happened]) => `| ${[...happened].map(cell).join('<br>')} | ${cell(fix)} |`,
	);
	return ['| Message | Fix |', '| --- | --- |', ...rows].join('\n');
}

test('docs/errors.md has the message and the fix for every error of both contracts', async () => {
	const tables = [await tableOf(casesOfA(sandbox)), await tableOf(casesOfB(sandbox))];
	expectFile(
		'docs/errors.md',
		`# Error messages

For users who look up an error of a service. This page is evidence, written by \`npm run update\`.

A message begins with the row's email or ID, if it is about a row, and ends with the HTTP status. \`[item 1]\` at its end is the second row: n8n counts from 0.

## Survey A

${tables[0]}

## Survey B

${tables[1]}
`,
	);
});
