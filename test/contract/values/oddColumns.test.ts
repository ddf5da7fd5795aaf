import type { IDataObject } from 'n8n-workflow';

import { automatic } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { errorOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// Column names that JavaScript reserves, very long names, and very many columns.

const sandbox = useSandbox();

const NODES = [
	['surveyA', 'customer'],
	['surveyB', 'contact'],
] as const;

async function upsert(node: 'surveyA' | 'surveyB', resource: string, rows: IDataObject[]) {
	const service = node === 'surveyA' ? sandbox.a : sandbox.b;
	const result = await runOperation(service, `${resource}.upsert`, automatic(), {
		input: rows,
		onError: 'continueRegularOutput',
	});
	expect(result.error).toBeUndefined();
	return {
		...result,
		errors: result.items.map(errorOf),
		sent: service.requests.map(({ rawBody }) => rawBody).join('\n'),
	};
}

/** Parses a row from JSON, where `__proto__` is an ordinary column. */
const row = (json: string): IDataObject => JSON.parse(`{"email":"a@example.com",${json}}`);

describe.each(NODES)('%s', (node, resource) => {
	test('a column named `__proto__` is refused [proto]', async () => {
		const name = '__proto__';
		const others = [{ email: 'b@example.com', plan: 'team' }];
		const { errors, sent } = await upsert(node, resource, [row(`"${name}":"x"`), ...others]);
		expect(errors).toEqual([
			expect.stringContaining(`Column '${name}' is a name that cannot be sent`),
			undefined,
		]);
		expect(sent).toContain('b@example.com');
		expect(sent).not.toContain('a@example.com');
	});

	test.each([
		'constructor',
		'prototype',
		'toString',
		'hasOwnProperty',
		'valueOf',
		'length',
		'then',
		'toJSON',
	])('sends a column named %s like any other', async (name) => {
		const { errors, sent } = await upsert(node, resource, [row(`"${name}":"x"`)]);
		expect(errors).toEqual([undefined]);
		expect(sent).toContain(`"${name}"`);
	});

	test.each(['{"polluted":true}', '[{"polluted":true}]'])(
		'does not pollute prototypes by __proto__ with %s',
		async (value) => {
			const { errors, sent, hints } = await upsert(node, resource, [row(`"__proto__":${value}`)]);
			expect(errors).toEqual([undefined]);
			expect(sent).not.toContain('polluted');
			expect(hints).toEqual([expect.stringContaining('__proto__')]);
			expect({}).not.toHaveProperty('polluted');
		},
	);

	test('keeps messages short with 10,000 columns and a column name of 1 MB', async () => {
		const many = Array.from({ length: 10_000 }, (_, i): [string, object] => [`column ${i}`, {}]);
		const { errors, hints } = await upsert(node, resource, [
			Object.fromEntries(many),
			{
				email: 'b@example.com',
				['x'.repeat(1_000_000)]: { nested: 1 },
				...Object.fromEntries(many),
			},
		]);
		expect(errors[0]?.length).toBeLessThan(2_500);
		expect(hints).toHaveLength(1);
		expect(hints[0]?.length).toBeLessThan(1_100);
	});
});
