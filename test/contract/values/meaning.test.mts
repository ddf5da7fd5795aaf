import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { fileText } from '../../support/files.mts';
import { runOperation } from '../../support/runOperation';
import { runs, SEED } from '../../support/random.mts';
import { errorOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// A property test on meaning: every value that a row, a mapping or an option says is in the row's request, or the row failed
// or was skipped with a reason, or docs/values.md lists it as left out. It knows the contract and that page, and nothing of
// the code. SURVEYS_RUNS=30 npx jest test/contract/values/meaning runs more; SURVEYS_SEED=7 runs others.

const RUNS = runs(600).numRuns ?? 600;

const OF_N8N = [...fileText('docs/values.md').matchAll(/^- .*`row_number`.*$/gm)]
	.flatMap(([line]) => [...line.matchAll(/`(\w+)`/g)])
	.map(([, name]) => name);

/** The fields of every person, by the names that docs/values.md gives them, in the form in which names are compared. */
const NAMES_OF_PERSON = { firstname: 'first_name', lastname: 'last_name' };
const FIELDS = {
	surveyA: new Map(
		Object.entries({
			...NAMES_OF_PERSON,
			company: 'company',
			companyname: 'company',
			tags: 'tags',
		}),
	),
	surveyB: new Map(Object.entries(NAMES_OF_PERSON)),
};

/** What the account has beside them: the label, and the type in the editor. */
const ACCOUNT = { Plan: 'string', Seats: 'number', Renewal: 'dateTime' } as const;

const EMAIL = 'row@example.com';

const keyOf = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');
const isBlank = (cell: unknown) =>
	cell === null || cell === undefined || String(cell).trim() === '';
const isNested = (cell: unknown) =>
	typeof cell === 'object' &&
	cell !== null &&
	(!Array.isArray(cell) || cell.some((entry) => typeof entry === 'object'));

const NAMES = [
	...['first_name', 'First Name', 'lastName', 'company', 'companyName', 'Company'],
	...['tags', 'Tags', 'Plan', 'plan', 'Seats', 'Renewal', 'Fresh', 'constructor'],
	...['Unsubscribed', 'row_number', 'error'],
];
const cell = fc.oneof(
	fc.constantFrom<unknown>('Ann', 'Team', 'x y', '12', '007', '', ' ', null, 12, 1.5, true, false),
	fc.constantFrom<unknown>('2027-03-04', 'yes', ['a', 'b'], [1, true], { city: 'Bonn' }),
	fc.constantFrom<unknown>('"VIP","Blog EU, Asia"', "['a', 'b']", 'a, b', '["a","b"]'),
);

interface Plan {
	node: 'surveyA' | 'surveyB';
	operation: 'upsert' | 'send';
	row: Record<string, unknown>;
	/** The record of the service, or another one, that the row was made from. */
	record: 'none' | 'own' | 'feedback';
	mapping: 'name' | 'hand';
	schema: 'none' | 'stored' | 'stale' | 'invented';
	options: Record<string, unknown>;
}

const NO_VALUE = '={{ $json.nothing }}';

const plans: fc.Arbitrary<Plan> = fc.record({
	node: fc.constantFrom('surveyA' as const, 'surveyB' as const),
	operation: fc.constantFrom('upsert' as const, 'send' as const),
	row: fc.dictionary(fc.constantFrom(...NAMES), cell, { maxKeys: 4 }),
	record: fc.oneof(
		{ weight: 4, arbitrary: fc.constant('none' as const) },
		fc.constantFrom('own' as const, 'feedback' as const),
	),
	mapping: fc.constantFrom('name' as const, 'hand' as const),
	schema: fc.constantFrom(
		'none' as const,
		'stored' as const,
		'stale' as const,
		'invented' as const,
	),
	options: fc.oneof(
		{ weight: 3, arbitrary: fc.constant({}) },
		fc.constantFrom<Plan['options']>(
			{ dryRun: true },
			{ dryRun: NO_VALUE },
			{ ineligible: NO_VALUE },
			{ sendAtMost: '' },
			{ ignoredColumns: NO_VALUE },
			{ ignoredColumns: 'Plan' },
			{ extraColumns: 'ignore' },
			{ extraColumns: NO_VALUE },
			{ additionalProperties: '{ "Plan": "Gold", "Region": "EU" }' },
		),
	),
});

const sandbox = useSandbox();

function recordOf({ node, record }: Plan): IDataObject {
	if (record === 'none') return {};
	if (node === 'surveyA') {
		const id = '64b1f0c2a9d3e4f5a6b7c8d9';
		const createdDate = '2026-01-01T00:00:00.000Z';
		const properties = [{ label: 'Plan', name: 'plan', type: 'text', value: 'Old' }];
		return record === 'own' ? { id, createdDate, properties } : { id, createdDate, score: 9 };
	}
	return record === 'own'
		? { id: 1, first_name: 'Old', attributes: { Plan: 'Old' } }
		: {
				id: 7,
				score: 9,
				score_type: 'promoter',
				attributes: { contact: { tier: 'x' }, survey: {} },
			};
}

/** Returns the columns that the node stored. */
function schemaOf({ schema, row }: Plan, prefix: string) {
	const column = (id: string, type: string) => ({ id, displayName: id, type, display: true });
	const known = Object.entries(ACCOUNT).map(([name, type]) => column(`${prefix}:${name}`, type));
	if (schema === 'none') return [];
	if (schema === 'stored') return [column('email', 'string'), ...known];
	if (schema === 'stale') return [column('email', 'string'), ...known.slice(0, 1)];
	return ['email', ...Object.keys(row)].map((name) => column(name, 'string'));
}

async function run(plan: Plan) {
	const { node, operation, mapping, options } = plan;
	const service = node === 'surveyA' ? sandbox.a : sandbox.b;
	service.reset();
	const [resource, prefix] =
		node === 'surveyA' ? ['customer', 'property'] : ['contact', 'attribute'];
	if (node === 'surveyA') {
		const [ada] = sandbox.a.state.customers.values();
		const types = { Plan: ['string', 'x'], Seats: ['integer', 1], Renewal: ['date', '2026-01-01'] };
		for (const [label, [type = '', value = '']] of Object.entries(types)) {
			ada?.properties?.push({ label, name: label.toLowerCase(), type: String(type), value });
		}
	} else {
		const [ada] = sandbox.b.state.contacts.values();
		if (ada) ada.attributes = { Plan: 'x', Seats: 1, Renewal: '2026-01-01' };
	}
	const row: IDataObject = JSON.parse(
		JSON.stringify({ ...recordOf(plan), ...plan.row, email: EMAIL }),
	);
	if (mapping === 'hand') row.cells = JSON.parse(JSON.stringify(Object.values(plan.row)));
	const byHand: INodeParameters = { email: EMAIL };
	for (const [index, name] of Object.keys(plan.row).entries()) {
		// n8n keeps no parameter of this name, and no expression may contain it.
		const id = name === 'constructor' ? `${prefix}:${name}` : name;
		byHand[id] = `={{ $json.cells[${index}] }}`;
	}
	const schema = schemaOf(plan, prefix ?? '');
	const columns =
		mapping === 'hand'
			? { mappingMode: 'defineBelow', value: byHand, schema }
			: { mappingMode: 'autoMapInputData', value: null, schema };
	const campaign = { campaign: String(sandbox.a.state.campaigns[0]?.id), campaignId: '101' };
	const parameters: INodeParameters = JSON.parse(JSON.stringify({ ...campaign, columns, options }));
	const name = operation === 'send' ? 'survey.send' : `${resource}.upsert`;
	const onError = 'continueRegularOutput';
	const { items } = await runOperation(service, name, parameters, { input: [row], onError });
	const body = service.requests.find(({ method }) => method === 'POST')?.rawBody;
	return { row, item: items[0] ?? {}, body: body && JSON.parse(body) };
}

/** Returns the fields and the further columns of the person in a request. */
function personIn(body: IDataObject) {
	const person: IDataObject = Object([body.subscribers ?? body.contact ?? body].flat()[0]);
	const properties = [person.properties ?? []].flat().map((one): [string, unknown] => {
		const { label, value } = Object(one);
		return [String(label), value];
	});
	return { person, further: [...properties, ...Object.entries(Object(person.attributes))] };
}

/** Returns whether a sent value says what the cell says. */
function says(given: unknown, sent: unknown): boolean {
	const text = String(given).trim();
	if (typeof sent === 'boolean') return sent === ['true', 'yes', '1'].includes(text.toLowerCase());
	if (typeof sent === 'number') return Number(text) === sent;
	if (Array.isArray(sent)) return sameList(given, sent);
	if (typeof sent === 'object') return JSON.stringify(sent) === JSON.stringify(given);
	return String(sent).trim() === text || String(sent).startsWith(`${text}T00:00:00`);
}

function sameList(given: unknown, sent: unknown[]): boolean {
	const lists: Record<string, string[]> = {
		'"VIP","Blog EU, Asia"': ['VIP', 'Blog EU, Asia'],
		"['a', 'b']": [],
		'a, b': ['a', 'b'],
		'["a","b"]': ['a', 'b'],
	};
	const entries = typeof given === 'string' ? (lists[given] ?? [given.trim()]) : [given].flat();
	return JSON.stringify(entries.map(String)) === JSON.stringify(sent.map(String));
}

/** Returns what a run did against what the plan says; empty if it did that. */
async function violationsOf(plan: Plan): Promise<string[]> {
	const { item, body, row } = await run(plan);
	const { node, options, mapping, operation } = plan;
	const error = errorOf(item);
	const isOffered = (name: string) =>
		(operation === 'send' || !['sendAtMost', 'ineligible'].includes(name)) &&
		(mapping === 'name' || !['ignoredColumns', 'extraColumns'].includes(name));
	const hasEmptyOption = Object.entries(options).some(
		([name, value]) => isOffered(name) && (value === NO_VALUE || value === ''),
	);
	if (hasEmptyOption) return body || !error ? ['an option without a value is off'] : [];
	if (options.dryRun) return body ? ['a dry run writes'] : [];
	if (body === undefined) {
		const isSkipped = item.status === 'skipped' && item.reason;
		return error || isSkipped ? [] : ['a row that was not sent has no reason'];
	}
	const { person, further } = personIn(body);
	const found: string[] = [];
	const cells = Object.entries(mapping === 'hand' ? plan.row : row).filter(
		([name, value]) => name !== 'email' && !isBlank(value),
	);
	for (const [name, value] of cells) {
		const key = keyOf(name);
		const isLeftOut =
			(mapping === 'name' && (OF_N8N.includes(name) || isNested(value))) ||
			(mapping === 'name' && plan.record === 'own' && ['id', 'createdDate'].includes(name)) ||
			(mapping === 'name' && options.ignoredColumns === name) ||
			(mapping === 'name' && options.ignoredColumns && key === 'plan') ||
			(mapping === 'name' && options.extraColumns === 'ignore' && !isShown(plan, key)) ||
			(key === 'unsubscribed' && says(value, false));
		if (isLeftOut || name === 'properties' || name === 'attributes') continue;
		const field = FIELDS[node].get(key);
		const sent = field
			? [person[field]]
			: further.filter(([one]) => keyOf(one) === key).map(([, one]) => one);
		if (key === 'unsubscribed' && sent.length === 0) sent.push(person.unsubscribed);
		const isList = key === 'tags' && node === 'surveyA';
		if (isList && !sent.some((one) => Array.isArray(one) && sameList(value, one))) {
			found.push(`a list is another one: ${mapping}`);
		} else if (!sent.some((one) => says(value, one))) {
			found.push(`a value is not sent: ${mapping}, ${field ? 'field' : 'further column'}`);
		}
	}
	const added = Object.entries(JSON.parse(String(options.additionalProperties ?? '{}')));
	for (const [name, value] of added) {
		const isColumn = cells.some(([one]) => keyOf(one) === keyOf(name));
		const isSent = further.some(([one, sent]) => keyOf(one) === keyOf(name) && says(value, sent));
		if (!isColumn && !isSent) found.push('an Additional Property is not sent');
	}
	const isStranger = ([name]: [string, unknown]) => ['contact', 'survey'].includes(name);
	if (further.some(isStranger)) found.push('a record of another kind was taken for a person');
	return found;
}

function isShown({ schema, node }: Plan, key: string): boolean {
	if (FIELDS[node].get(key) || key === 'unsubscribed') return true;
	const known = Object.keys(ACCOUNT).map(keyOf);
	if (schema === 'none') return known.includes(key);
	return schema !== 'invented' && (schema === 'stored' ? known : known.slice(0, 1)).includes(key);
}

test(
	'every value that a row, a mapping or an option says is sent, or its row fails or is skipped with a reason, or docs/values.md lists it',
	async () => {
		const counts = new Map<string, number>();
		const examples = new Map<string, Plan>();
		for (const plan of fc.sample(plans, { numRuns: RUNS, seed: SEED })) {
			for (const violation of await violationsOf(plan)) {
				counts.set(violation, (counts.get(violation) ?? 0) + 1);
				examples.set(violation, examples.get(violation) ?? plan);
			}
		}
		const found = [...counts].map(([what, count]) => ({ what, count, plan: examples.get(what) }));
		expect(found).toEqual([]);
	},
	RUNS * 1000,
);
