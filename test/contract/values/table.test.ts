import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox';
import type { Sandbox } from '../../../sandbox';
import { mapped } from '../../support/columns';
import { runNode } from '../../support/engine';
import { expectFile } from '../../support/files.mts';
import { errorOf } from '../../support/samples';

// Sends every kind of value in every kind of field, in three time zones, and compares the results with docs/values.md.

const ZONES = ['UTC', 'Europe/Berlin', 'America/Los_Angeles'];

type Kind = [name: string, row: IDataObject];

/** Evaluates to a Luxon or JavaScript date if the row names one, else to the value itself. */
const VALUE =
	'={{ $json.luxon ? DateTime.fromISO($json.luxon, { setZone: true }) : $json.js ? new Date($json.js) : $json.value }}';

const text = (value: string): Kind => [JSON.stringify(value), { value }];
const json = (value: IDataObject[string]): Kind => [JSON.stringify(value), { value }];

const DATES: Kind[] = [
	...['2025-03-04', '20250304', '2025-W10-2', '2025-063', '2025/03/04', '2025-3-4'].map(text),
	...['3/4/2025', '03/04/2025', '4.3.2025', '04.03.2025', '12/31/2024', '31/12/2024'].map(text),
	...['2025-03-04T00:00:00', '2025-03-04T10:30', '2025-03-04 10:30:00', '20250304T103000'].map(
		text,
	),
	...['3/4/2025 10:30', '3/4/2025 10:30 PM', '4.3.2025 10:30'].map(text),
	...['2025-03-04T10:30:00Z', '2025-03-04T10:30:00.123Z', '2025-03-04T10:30:00+01:00'].map(text),
	...['20250304T103000Z', 'Tue, 04 Mar 2025 10:30:00 +0100'].map(text),
	['a Luxon date of 2025-03-04T10:30+01:00', { luxon: '2025-03-04T10:30:00+01:00' }],
	["a Luxon day, as `$today` in the workflow's zone", { luxon: '2025-03-04' }],
	['a JavaScript date of 2025-03-04T10:30Z', { js: '2025-03-04T10:30:00Z' }],
	...[1741084200, 1741084200000, 20250304].map(json),
	...['1741084200', '1741084200000'].map(text),
	...['2025-03-30T02:30', '2025-02-30', '2/30/2025', '2025-13-01'].map(text),
	...['3/4/25', '04.03.25', '10-11-12', '10-11-2012', '2025', '2025-03'].map(text),
	json(45720),
	...['45720', '-5', '12:30', 'tomorrow', 'March 4'].map(text),
	json(0),
	json(true),
	json(false),
	json([]),
	json({ a: 1 }),
	json(null),
	['not in the row', {}],
	text(''),
	text('  '),
];

const VALUES: Kind[] = [
	text('pro'),
	text('  pro '),
	text('a, b,, c'),
	text('42'),
	json(42),
	json(0),
	text('0'),
	text('007'),
	text('1.5'),
	json(1.5),
	text('10.000'),
	text('1,5'),
	text('-3'),
	text('1e3'),
	json(2 ** 53),
	text('9007199254740993'),
	json(true),
	json(false),
	...['true', 'FALSE', 'yes', 'no', '1', 'perhaps'].map(text),
	text('2025-03-04'),
	text('10-11-12'),
	text('15 % & $'),
	json(['a', 'b']),
	json([]),
	json({ a: 1 }),
	json(null),
	['not in the row', {}],
	text(''),
	text('  '),
];

interface Field {
	name: string;
	node: 'surveyA' | 'surveyB';
	parameters: INodeParameters;
	/** Returns the value that was sent, from the row's body or query. */
	sent(request: { body: IDataObject; query: URLSearchParams }): unknown;
}

type Schema = Parameters<typeof mapped>[1];
type FieldType = 'string' | 'number' | 'boolean' | 'dateTime' | 'array';

const EMAIL = '={{ $json.email }}';

const at = (body: unknown, ...path: string[]): unknown =>
	path.reduce<unknown>(
		(value, name) =>
			typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined,
		body,
	);

function customer(
	name: string,
	columns: INodeParameters,
	sent: Field['sent'],
	options = {},
	schema: Schema = [],
): Field {
	const parameters = {
		resource: 'customer',
		operation: 'upsert',
		...mapped({ email: EMAIL, ...columns }, schema),
		options,
	};
	return { name, node: 'surveyA', parameters, sent };
}

function property(name: string, type: FieldType, options = {}): Field {
	return customer(
		name,
		{ 'property:Test': VALUE },
		({ body }) => at(body, 'properties', '0', 'value'),
		options,
		[{ id: 'property:Test', displayName: 'Test', type }],
	);
}

function contact(
	name: string,
	columns: INodeParameters,
	path: string[],
	options = {},
	schema: Schema = [],
): Field {
	const parameters = {
		resource: 'contact',
		operation: 'upsert',
		...mapped({ email: EMAIL, ...columns }, schema),
		options,
	};
	return { name, node: 'surveyB', parameters, sent: ({ body }) => at(body, ...path) };
}

function attribute(name: string, type: FieldType, options = {}): Field {
	const schema = [{ id: 'attribute:test', displayName: 'test', type }];
	return contact(name, { 'attribute:test': VALUE }, ['attributes', 'test'], options, schema);
}

const feedbackFilter = (name: string, filter: string): Field => ({
	name,
	node: 'surveyA',
	parameters: {
		resource: 'feedback',
		operation: 'getAll',
		filters: { email: EMAIL, [filter]: VALUE },
	},
	sent: ({ query }) => {
		const seconds = query.get(filter);
		return seconds === null
			? undefined
			: `${seconds}, ${new Date(Number(seconds) * 1000).toISOString()}`;
	},
});

const postedFilter: Field = {
	name: 'Feedback › Filters › Posted After',
	node: 'surveyB',
	parameters: {
		resource: 'feedback',
		operation: 'getAll',
		filters: { email: EMAIL, postedAfter: VALUE },
	},
	sent: ({ query }) => query.get('posted_date_0') ?? undefined,
};

const DAY_FIRST = { dateOrder: 'dayFirst' };
const CLEAR = { emptyValues: 'clear' };

const DATE_FIELDS: Field[] = [
	property('Survey A: a property of type Date', 'dateTime'),
	property('Survey A: a property of type Date, Date Format = Month/Day/Year', 'dateTime', {
		dateFormat: 'monthDayYear',
	}),
	feedbackFilter('Survey A: Feedback › Get Many › Start Date', 'startDate'),
	feedbackFilter('Survey A: Feedback › Get Many › End Date', 'endDate'),
	attribute('Survey B: an attribute of type Date', 'dateTime'),
	{ ...postedFilter, name: 'Survey B: Feedback › Get Many › Posted After' },
];

const ORDER_FIELDS: Field[] = [
	property('A: property', 'dateTime', DAY_FIRST),
	attribute('B: attribute', 'dateTime', DAY_FIRST),
];

const A_FIELDS: Field[] = [
	customer('First Name', { firstName: VALUE }, ({ body }) => body.first_name),
	customer(
		'First Name, Empty Values = Clear',
		{ firstName: VALUE },
		({ body }) => body.first_name,
		CLEAR,
	),
	customer('Tags', { tags: VALUE }, ({ body }) => body.tags),
	property('Property: Text', 'string'),
	property('Text, Empty Values = Clear', 'string', CLEAR),
	property('Integer', 'number'),
	property('Boolean', 'boolean'),
	property('Collection', 'array'),
];

const B_FIELDS: Field[] = [
	contact('First Name', { firstName: VALUE }, ['first_name']),
	contact('Unsubscribed', { unsubscribed: VALUE }, ['unsubscribed']),
	attribute('Attribute: Text', 'string'),
	attribute('Text, Empty Values = Clear', 'string', CLEAR),
	attribute('Number', 'number'),
	attribute('Boolean', 'boolean'),
	{
		name: 'Create Feedback: Score',
		node: 'surveyB',
		parameters: {
			resource: 'feedback',
			operation: 'create',
			campaignId: '101',
			email: EMAIL,
			score: VALUE,
		},
		sent: ({ body }) => body.score,
	},
];

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

afterAll(async () => await sandbox.close());

const emailOf = (index: number) => `row${index}@example.com`;

/** Returns the rows of a request with their addresses. */
function rowsIn(field: Field, { url, rawBody }: { url: string; rawBody: string }) {
	const query = new URL(url, 'http://sandbox').searchParams;
	const read: IDataObject = rawBody === '' ? {} : JSON.parse(rawBody);
	const bodies = Array.isArray(read.subscribers) ? read.subscribers : [read];
	return bodies.map((body: IDataObject) => ({
		email: String(body.email ?? query.get('email') ?? query.get('survey__contact__email')),
		sent: field.sent({ body, query }),
	}));
}

/** Returns a field's cells for each kind of value in one time zone. */
async function cellsOf(field: Field, kinds: Kind[], timezone: string): Promise<string[]> {
	const service = field.node === 'surveyA' ? sandbox.a : sandbox.b;
	service.reset();
	const { output, error } = await runNode({
		node: field.node,
		parameters: field.parameters,
		input: kinds.map(([, row], index) => ({ ...row, email: emailOf(index) })),
		credential: { baseUrl: service.url, apiKey: service.apiKey },
		onError: 'continueRegularOutput',
		timezone,
	});
	expect(error).toBeUndefined();
	const sent = new Map(
		service.requests
			.flatMap((request) => rowsIn(field, request))
			.map((row) => [row.email, row.sent]),
	);
	const said = new Map(
		(output[0] ?? []).map((item) => [itemOf(item.pairedItem), errorOf(item.json)]),
	);
	return kinds.map((_, index) =>
		cell(sent.has(emailOf(index)), sent.get(emailOf(index)), said.get(index)),
	);
}

function itemOf(pairedItem: unknown): number {
	return Number(at(pairedItem, 'item'));
}

/** Returns the value that was sent, `left out`, or the error. Fails if there is a value and an error, or neither. */
function cell(isSent: boolean, value: unknown, errorText: string | undefined): string {
	expect([isSent, errorText === undefined]).toEqual([isSent, isSent]);
	if (errorText !== undefined) return `✗ ${reasonIn(errorText)}`;
	return value === undefined ? 'left out' : `\`${JSON.stringify(value)}\``;
}

/** Returns the message without the address, field and value that all messages have. */
function reasonIn(errorText: string): string {
	const [, reason = errorText] =
		errorText.match(/^(?:row\d+@example\.com: )?(?:Column )?'[^']+' (.*)$/s) ?? [];
	return reason.replace(/: .*$/s, '').replace(/\. (Correct|Write|Use|Set|Enter) .*$/s, '');
}

const line = (cells: string[]) => `| ${cells.join(' | ').replaceAll('\n', ' ')} |`;

function table(heads: string[], kinds: Kind[], columns: string[][]): string {
	const rows = kinds.map(([name], index) => [
		name.replaceAll('|', '\\|'),
		...columns.map((cells) => cells[index] ?? ''),
	]);
	return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Returns the table of a date field, with a column for each time zone, or one column if they are equal. */
async function dateTable(field: Field): Promise<string> {
	const columns: string[][] = [];
	for (const zone of ZONES) columns.push(await cellsOf(field, DATES, zone));
	return `### ${field.name}\n\n${table(['Value', ...ZONES], DATES, columns)}\n`;
}

/** Returns the table of fields that ignore the time zone, and checks that they do. */
async function fieldTable(fields: Field[], kinds: Kind[]): Promise<string> {
	const columns: string[][] = [];
	for (const field of fields) {
		const first = await cellsOf(field, kinds, 'UTC');
		for (const zone of ZONES.slice(1)) expect(await cellsOf(field, kinds, zone)).toEqual(first);
		columns.push(first);
	}
	return table(['Value', ...fields.map(({ name }) => name)], kinds, columns);
}

const LEGEND = `# How values are sent

For workflow authors who wonder what the service receives for a value. These tables are evidence:
\`test/contract/values/table.test.ts\` writes them, in three time zones, and every test run compares them.

A cell shows what the service gets. \`left out\`: the request does not have the field, so that it stays as
it is. ✗: the row is not sent, and its error says why; the message also names the row's email, the field,
the value, and what to do.

- A date without a time is that day, whatever the time zone. A time without a time zone is in the workflow's.
- \`3/4/2025\` is March 4, or April 3 with Date Order = Day First. With dots the day always comes first.
- Blank values are left out, or sent as an empty text with Empty Values = Clear. A value that the row does
  not have at all is never cleared.
- Emails, IDs, tags and names of attributes and properties are trimmed. Every other text is sent as it is.
- Fractions of a second are cut after milliseconds; attributes and UNIX time have none.
- The hint "New in Survey A" (or B) compares with the columns that the Columns field stored in the workflow. It repeats for
  a column that earlier runs created, until you choose Refresh Column List in that field.
`;

test('docs/values.md shows what the services receive', async () => {
	const parts = [LEGEND, '## Dates\n'];
	for (const field of DATE_FIELDS) parts.push(await dateTable(field));
	const slashes: Kind[] = ['3/4/2025', '31/12/2024', '12/31/2024', '4.3.2025', '2025-03-04'].map(
		text,
	);
	parts.push(`### With Date Order = Day First\n\n${await fieldTable(ORDER_FIELDS, slashes)}\n`);
	parts.push(`## Survey A: other values\n\n${await fieldTable(A_FIELDS, VALUES)}\n`);
	parts.push(`## Survey B: other values\n\n${await fieldTable(B_FIELDS, VALUES)}\n`);
	expectFile('docs/values.md', parts.join('\n'));
}, 300_000);
