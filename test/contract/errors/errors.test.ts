import { onItsOwnClock } from '../../support/clock.mts';
import { runNode } from '../../support/engine';
import { expectFile } from '../../support/files.mts';
import { casesOfA, casesOfB } from './cases';
import type { ErrorCase } from './cases';
import { useSandbox } from '../../support/sandbox';

// Every error of both contracts, with On Error set to Stop and to Continue.

const sandbox = useSandbox();

const run = async (one: ErrorCase, onError: 'stopWorkflow' | 'continueRegularOutput') => {
	const service = one.node === 'surveyA' ? sandbox.a : sandbox.b;
	sandbox.a.reset();
	sandbox.b.reset();
	one.given?.(sandbox);
	const [resource = '', operation = ''] = one.operation.split('.');
	const work = async () =>
		await runNode({
			node: one.node,
			parameters: { resource, operation, ...one.parameters },
			input: one.input,
			credential: { baseUrl: service.url, apiKey: one.apiKey ?? service.apiKey },
			onError,
		});
	// Only cases with retries wait.
	const result = await ((one.requests ?? 1) > 2 ? onItsOwnClock(work) : work());
	return { ...result, requests: service.requests.length };
};

const cell = (text = '') => text.replace(/\|/g, '\\|');

/** Checks a case and returns its row of the table. */
async function lineOf(one: ErrorCase): Promise<string> {
	const { error, requests } = await run(one, 'stopWorkflow');
	const { message = '', description } = error ?? {};
	const { cause, says, advises, input = [{}] } = one;
	expect({ cause, message }).toEqual({ cause, message: expect.stringContaining(says) });
	expect({ cause, description }).toEqual({ cause, description: expect.stringContaining(advises) });
	expect({ cause, requests }).toEqual({ cause, requests: one.requests ?? 1 });
	const isOfAccount = message.includes('(HTTP 401)');
	expect({ cause, isNumbered: /\[item \d\]/.test(message) }).toEqual({
		cause,
		isNumbered: !isOfAccount,
	});
	const { output } = await run(one, 'continueRegularOutput');
	const failed = output[0]?.find(({ json }) => 'error' in json)?.json;
	const happened = message.replace(
		/( \[item \d\])?(\. Nothing was|\. \d+ of \d+ rows).*| \[item \d\]$/,
		'',
	);
	expect(failed?.error).toContain(happened);
	expect(failed?.error).toContain(isOfAccount || input.length === 1 ? '' : '[item 1]');
	const [field, value] = one.field ?? [];
	if (field) expect(failed?.details).toMatchObject({ field, ...(value && { value }) });
	const fix = (description ?? '').replace(/\. To go on with the other rows, .*/, '');
	return `| ${[happened, cause, fix].map(cell).join(' | ')} |`;
}

const HEAD = `| Message | Cause | Fix |\n| --- | --- | --- |`;

test('docs/errors.md has the message and the fix for every error of both contracts', async () => {
	const tables: string[] = [];
	for (const [name, cases] of [
		['Survey A', casesOfA(sandbox)],
		['Survey B', casesOfB(sandbox)],
	] as const) {
		const lines = new Map<string, string>();
		for (const one of cases) {
			const line = await lineOf(one);
			// Two operations can have the same message.
			lines.set(line.split(' | ', 1).join(), line);
		}
		tables.push(`## ${name}\n\n${[HEAD, ...lines.values()].join('\n')}\n`);
	}
	expectFile(
		'docs/errors.md',
		`# Error messages

For users who look up an error of a service. This page is evidence, written by \`npm run update\`.

A message begins with the row's email or ID and contains the service's own text. \`[item 1]\` at its end is the second row: n8n counts from 0. An error about the account names no row.

${tables.join('\n')}`,
	);
});
