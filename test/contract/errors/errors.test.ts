import type { INodeParameters, OnError } from 'n8n-workflow';

import { CODES, DETAILS } from '../../../nodes/shared/base/codes';
import { OUTCOMES } from '../../../nodes/shared/http/outcome';
import type { ServiceA, ServiceB } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { mapped } from '../../support/columns';
import { expectFile, fileText } from '../../support/files.mts';
import { casesOfA, casesOfB } from './cases';
import type { ErrorCase } from './cases';
import { limitRowsInFlight, restoreLimits } from '../../support/limits';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

afterEach(restoreLimits);

// Every error of both contracts, with On Error set to Stop and to Continue. docs/errors.md has what each one says.

const sandbox = useSandbox();

const UNKNOWN = '5f3c9a2b8d1e4f6a7b0c1d2e';
const ONE_ROW = [{ email: 'ada@acme.example' }];

const run = async (service: ServiceA | ServiceB, one: ErrorCase, onError: OnError) => {
	sandbox.a.reset();
	sandbox.b.reset();
	one.given?.(sandbox);
	const { operation, parameters, input = ONE_ROW, apiKey } = one;
	const work = () => runOperation(service, operation, parameters, { input, apiKey, onError });
	// Only cases with retries wait.
	return await ((one.requests ?? 1) > 2 ? onItsOwnClock(work) : work());
};

const cell = (text: string) => text.replace(/\|/g, '\\|');

/** Checks a case and returns its message, without the status, and what the user can do. */
async function messageOf(service: ServiceA | ServiceB, one: ErrorCase) {
	const { error } = await run(service, one, 'stopWorkflow');
	const message = error?.message ?? '';
	const place = one.input && one.input.length > 1 ? '[item 1]' : '';
	expect({ message, requests: service.requests.length }).toEqual({
		message: expect.stringContaining(/\(HTTP 40[13]\)$/.test(message) ? '' : place),
		requests: one.requests ?? 1,
	});
	const { items } = await run(service, one, 'continueRegularOutput');
	const happened = message.replace(
		/( \[item \d\])?(\. Nothing was|\. \d+ of \d+ rows).*| \[item \d\]$/,
		'',
	);
	const errors = items.map((json) => String(json.error));
	expect(errors).toContainEqual(expect.stringContaining(happened));
	expect(errors.join()).toContain(place);
	const advice = error?.description ?? '';
	const fix = place ? advice.replace(/\. To go on with the other rows, .*/, '') : advice;
	return { happened: happened.replace(/ \(HTTP \d+\)$/, ''), fix };
}

/** Returns a table with a row for each fix, and checks every case. */
async function tableOf(service: ServiceA | ServiceB, cases: ErrorCase[]): Promise<string> {
	const messages = new Map<string, Set<string>>();
	for (const one of cases) {
		const { happened, fix } = await messageOf(service, one);
		messages.set(fix, (messages.get(fix) ?? new Set()).add(happened));
	}
	const rows = [...messages].map(
		([fix, happened]) => `| ${[...happened].map(cell).join('<br>')} | ${cell(fix)} |`,
	);
	return ['| Message | Fix |', '| --- | --- |', ...rows].join('\n');
}

/** The comments of the table in the code: each end of an attempt, and when it comes. */
const ENDS_OF_ATTEMPTS = Array.from(
	fileText('nodes/shared/http/outcome.ts').matchAll(/\/\/ (.+)\.\n\s*(\w+): /g),
	([, when = '', kind = '']) => ({ when, kind }),
);

const AGAIN = {
	never: 'no',
	always: 'yes',
	paced: 'after the pause that the service asks for',
	ifHarmless: 'if that does no harm',
};

const ENDS: Partial<Record<string, string>> = {
	run: 'fails, and so do all others',
	group: 'fails, and so do the others of its campaign',
};

function outcomeTable(): string {
	const texts = new Map(ENDS_OF_ATTEMPTS.map(({ kind, when }) => [kind, when]));
	const rows = Object.entries(OUTCOMES).map(([kind, { repeat, mayBeDone, code, retry }]) => {
		const harmless = ENDS[kind] ?? 'fails';
		const harmful = mayBeDone ? 'may have been processed: `maybeSent`' : harmless;
		const codes = `\`${code}\`${retry ? ', `retry`' : ''}`;
		return `| ${texts.get(kind)} | ${AGAIN[repeat]} | ${harmless} | ${harmful} | ${codes} |`;
	});
	const head =
		'| End of an attempt | Sent again | A row, if a second request is harmless | A row, if it does harm | `details` |';
	return [head, '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

const meanings = (head: string, table: Record<string, string>): string =>
	[
		`| ${head} | Meaning |`,
		'| --- | --- |',
		...Object.entries(table).map(([name, meaning]) => `| \`${name}\` | ${meaning} |`),
	].join('\n');

test('docs/errors.md has the message and the fix for every error of both contracts', async () => {
	// So the same rows have gone out at each failure.
	limitRowsInFlight(1);
	const tables = [
		await tableOf(sandbox.a, casesOfA(sandbox)),
		await tableOf(sandbox.b, casesOfB(sandbox)),
	];
	expectFile(
		'docs/errors.md',
		`# Error messages

For users who look up an error of a service, or ask whether a request is sent again. This page is evidence, written by \`npm run update\`.

## \`details\` of a row

A failed row has \`error\`, the message, and \`details\` with these entries. A skipped one has \`reason\`, and \`details\` with \`code\` only.

${meanings('Entry', DETAILS)}

Workflows branch on \`details.code\`, which is one of these in both nodes, and on \`details.retry\`:

${meanings('Code', CODES)}

## Messages

A message about a row names its email or ID, and ends with the HTTP status. \`[item 1]\` at its end is the second row: n8n counts from 0.

## Is it sent again?

What becomes of a request and of its rows, for every end of an attempt. A request does harm if it is sent twice when it surveys customers of Survey A, replies, forwards, appends or creates.

${outcomeTable()}

A row has the worst end of its requests, in all tries of Retry On Fail. What may have been processed is not sent again, by a later try or by an agent that calls its tool once more.

## Survey A

${tables[0]}

## Survey B

${tables[1]}
`,
	);
});

test.each<['a' | 'b', string, INodeParameters, string]>([
	['a', 'survey.send', { campaign: UNKNOWN, ...mapped({ email: ' ' }) }, "Column 'Email' is empty"],
	['b', 'contact.upsert', mapped({ email: ' ' }), "Column 'Email' is empty"],
	[
		'b',
		'feedback.reply',
		{ feedbackId: '7', fromUser: '={{ "" }}', message: '={{ "" }}' },
		"Feedback 7: 'From User' is missing. 'Message' is missing",
	],
])('Survey %s, %s: an error of a value names the field', async (letter, name, parameters, says) => {
	const onError = 'continueRegularOutput';
	const { items } = await runOperation(sandbox[letter], name, parameters, { onError });
	const [field] = says.match(/(?<=')[^']+/) ?? [];
	expect(items).toMatchObject([{ error: expect.stringMatching(`^${says}`), details: { field } }]);
	expect(sandbox[letter].requests).toEqual([]);
});

test.each([
	[
		'customer.nothing',
		"This node has no operation 'nothing' for 'customer'. There are: upsert, get, getAll, checkSurvey, unsubscribe, delete",
	],
	[
		'nonsense.get',
		"This node has no resource 'nonsense'. There are: survey, customer, feedback, campaign, company, outbox, report, score, template",
	],
])('the error of %s, which does not exist, names those that do', async (name, message) => {
	const { error } = await runOperation(sandbox.a, name);
	expect(error).toMatchObject({
		name: 'NodeOperationError',
		message,
		description: expect.stringContaining('Choose the operation from the list'),
	});
});

test.each([
	['customer.nothing', "no operation 'nothing'", 'continueRegularOutput', 0],
	['nonsense.get', "no resource 'nonsense'", 'continueErrorOutput', 1],
	['={{ $json.kind }}.get', "no resource '{{ $json.kind }}'", 'continueErrorOutput', 1],
] as const)(
	'%s, which does not exist, fails every row also if the run goes on after errors',
	async (name, message, onError, index) => {
		const input = [{ email: 'a@example.com' }, { email: 'b@example.com' }];
		const [resource, operation] = name.split(/\.(?=\w+$)/);
		const parameters = { resource, operation } as INodeParameters;
		const { output } = await runOperation(sandbox.a, name, parameters, { input, onError });
		const failed = { error: expect.stringContaining(message), details: expect.anything() };
		expect(output.flat().map(({ json }) => json)).toEqual(
			input.map((row) => expect.objectContaining({ ...row, ...failed })),
		);
		expect(output[index]).toHaveLength(2);
	},
);
