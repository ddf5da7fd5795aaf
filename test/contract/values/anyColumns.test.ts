import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { automatic } from '../../support/columns';
import { runs } from '../../support/random.mts';
import { runOperation } from '../../support/runOperation';
import { errorOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// Property tests of Map Automatically: in each run, a column has one name and one type, and each value is the cell's.

const NAMES = ['Plan', 'plan', 'Plan Name', 'plan_name', 'Seats', 'seats ', 'Renewal'];
const value = fc.oneof(
	fc.constantFrom<unknown>('a', '', ' ', '12', '007', '1.5', 'yes', 'true', 'n/a', null),
	fc.constantFrom<unknown>(0, 1, 12, 1.5, 1741084200, true, false),
	fc.constantFrom<unknown>('2026-11-21', '2026-11-21T10:00:00Z', '4/3/2027', '2025-02-30'),
	fc.constantFrom<unknown>(['a', 'b'], ['a'], '["a","b"]', 'a, b', [1], { a: 1 }, [{ a: 1 }]),
);
const row = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 5 });
const shown = fc.dictionary(
	fc.constantFrom('Plan', 'Plan Name', 'Seats', 'Renewal'),
	fc.constantFrom('string', 'number', 'boolean', 'dateTime', 'array'),
	{ maxKeys: 3 },
);

type Types = Record<string, 'string' | 'number' | 'boolean' | 'dateTime' | 'array'>;

const keyOf = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');
const isBlank = (cell: unknown) => cell === null || String(cell).trim() === '';
const isNested = (cell: unknown) =>
	[cell].flat().some((entry) => typeof entry === 'object' && entry !== null);

const sandbox = useSandbox();

/** Sends rows; returns what was sent by row, as [name, type, value], the names that stayed behind, and the rows that failed. */
async function send(node: 'surveyA' | 'surveyB', rows: IDataObject[], types: Types) {
	const [service, resource, prefix] =
		node === 'surveyA'
			? ([sandbox.a, 'customer', 'property'] as const)
			: ([sandbox.b, 'contact', 'attribute'] as const);
	service.reset();
	sandbox.a.state.customers.clear();
	const schema = Object.entries(types).map(([name, type]) => ({
		id: `${prefix}:${name}`,
		displayName: name,
		type,
	}));
	const { items, error } = await runOperation(
		service,
		`${resource}.upsert`,
		automatic([{ id: 'email', type: 'string' }, ...schema]),
		{
			input: rows.map((one, index) => ({ ...one, email: `row${index}@example.com` })),
			onError: 'continueRegularOutput',
		},
	);
	expect(error).toBeUndefined();
	const sent = new Map<number, Array<[name: string, type: string, value: unknown]>>();
	for (const { rawBody } of service.requests.filter(({ method }) => method === 'POST')) {
		const body: IDataObject = JSON.parse(rawBody);
		for (const customer of [body.subscribers ?? body].flat().map(Object)) {
			const properties: IDataObject[] = customer.properties ?? [];
			const attributes = Object.entries<unknown>(customer.attributes ?? {});
			sent.set(Number(String(customer.email).match(/\d+/)?.[0]), [
				...properties.map(({ label, type, value }): [string, string, unknown] => {
					return [String(label), String(type), value];
				}),
				...attributes.map(([name, value]): [string, string, unknown] => {
					return [name, Array.isArray(value) ? 'array' : typeof value, value];
				}),
			]);
		}
	}
	const failed = items.flatMap((json, index) => (errorOf(json) ? [index] : []));
	const skipped = items.map(({ skippedAttributes }) =>
		[skippedAttributes ?? []].flat().map(String),
	);
	return { sent, skipped, failed };
}

/** Returns whether a sent value says the same as the cell. */
function isSame(cell: unknown, sent: unknown): boolean {
	const text = String(cell).trim();
	const word = text.toLowerCase();
	if (typeof sent === 'boolean') return sent === ['true', 'yes', '1'].includes(word);
	if (typeof sent === 'number') return Number(text) === sent && !/^0\d/.test(text);
	if (Array.isArray(sent)) {
		const isText = typeof cell === 'string' && !text.startsWith('[');
		const entries: unknown = isText
			? text.split(', ')
			: Array.isArray(cell)
				? cell
				: JSON.parse(text);
		return JSON.stringify(sent.map(String)) === JSON.stringify([entries].flat().map(String));
	}
	if (String(cell) === sent) return true;
	const millis = typeof cell === 'number' ? cell * 1000 : Date.parse(text);
	return /^\d{4}-\d\d-\d\d/.test(String(sent)) && Date.parse(String(sent)) === millis;
}

test.each(['surveyA', 'surveyB'] as const)(
	'a value arrives as it is in the row, or the row fails and says why: random columns of %s [values]',
	async (node) => {
		const property = fc.asyncProperty(
			fc.array(row, { minLength: 1, maxLength: 8 }),
			shown,
			async (given, types) => {
				const rows: IDataObject[] = JSON.parse(JSON.stringify(given));
				const { sent, skipped, failed } = await send(node, rows, Object(types));
				const columns = new Map<string, string>();
				for (const [index, entries] of sent) {
					expect(failed).not.toContain(index);
					for (const [name, type, value] of entries) {
						const known = columns.get(keyOf(name)) ?? `${name}: ${type}`;
						columns.set(keyOf(name), known);
						expect(`${name}: ${type}`).toBe(known);
						const cells = Object.entries(rows[index] ?? {}).filter(
							([column, cell]) => keyOf(column) === keyOf(name) && !isBlank(cell),
						);
						expect([name, value, cells.some(([, cell]) => isSame(cell, value))]).toEqual([
							...[name, value, true],
						]);
					}
				}
				rows.forEach((cells, index) => {
					if (failed.includes(index)) return;
					const arrived = sent.get(index)?.map(([name]) => name) ?? [];
					const names = new Set([...arrived, ...(skipped[index] ?? [])].map(keyOf));
					const filled = Object.entries(cells).filter(
						([, cell]) => !isBlank(cell) && !isNested(cell) && !Array.isArray(cell),
					);
					for (const [name] of filled) expect(names).toContain(keyOf(name));
				});
			},
		);
		await fc.assert(property, runs(40));
	},
	120_000,
);
