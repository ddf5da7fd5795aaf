import type { IDataObject } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox';
import type { Sandbox } from '../../../sandbox';
import { runNode } from '../../support/engine';
import { errorOf } from '../../support/samples';

// Rows as no CRM should have them: names that mean something to JavaScript, and more of them, or longer
// ones, than a message can hold.

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

beforeEach(() => {
	sandbox.a.reset();
	sandbox.b.reset();
});

afterAll(async () => await sandbox.close());

const NODES = [
	['surveyA', 'customer'],
	['surveyB', 'contact'],
] as const;

async function upsert(node: 'surveyA' | 'surveyB', resource: string, rows: IDataObject[]) {
	const service = node === 'surveyA' ? sandbox.a : sandbox.b;
	const result = await runNode({
		node,
		parameters: { resource, operation: 'upsert', dataMode: 'autoMapInputData' },
		input: rows,
		credential: { baseUrl: service.url, apiKey: service.apiKey },
		onError: 'continueRegularOutput',
	});
	expect(result.error).toBeUndefined();
	return {
		...result,
		errors: (result.output[0] ?? []).map(({ json }) => errorOf(json)),
		sent: service.requests.map(({ rawBody }) => rawBody).join('\n'),
	};
}

/** A row as JSON gives it: its `__proto__` is a column like any other. */
const row = (json: string): IDataObject => JSON.parse(`{"email":"a@example.com",${json}}`);

describe.each(NODES)('%s', (node, resource) => {
	test.each(['__proto__', 'constructor', 'prototype'])(
		'a column named %s is refused in words, and the others go out',
		async (name) => {
			const others = [{ email: 'b@example.com', plan: 'team' }];
			const { errors, sent } = await upsert(node, resource, [row(`"${name}":"x"`), ...others]);
			expect(errors).toEqual([
				expect.stringContaining(`Column '${name}' is a name that cannot be sent`),
				undefined,
			]);
			expect(sent).toContain('b@example.com');
			expect(sent).not.toContain('a@example.com');
		},
	);

	test.each(['toString', 'hasOwnProperty', 'valueOf', 'length', 'then', 'toJSON'])(
		'a column named %s goes out like any other',
		async (name) => {
			const { errors, sent } = await upsert(node, resource, [row(`"${name}":"x"`)]);
			expect(errors).toEqual([undefined]);
			expect(sent).toContain(`"${name}"`);
		},
	);

	test.each(['{"polluted":true}', '[{"polluted":true}]'])(
		'__proto__ with %s reaches nothing',
		async (value) => {
			const { errors, sent, hints } = await upsert(node, resource, [row(`"__proto__":${value}`)]);
			expect(errors).toEqual([undefined]);
			expect(sent).not.toContain('polluted');
			expect(hints.map(({ message }) => message)).toEqual([expect.stringContaining('__proto__')]);
			expect({}).not.toHaveProperty('polluted');
		},
	);

	test('ten thousand columns without an email, and a name of a megabyte, make no long message', async () => {
		const many = Array.from({ length: 10_000 }, (_, i): [string, object] => [`column ${i}`, {}]);
		const { output, hints } = await upsert(node, resource, [
			Object.fromEntries(many),
			{
				email: 'b@example.com',
				['x'.repeat(1_000_000)]: { nested: 1 },
				...Object.fromEntries(many),
			},
		]);
		expect(errorOf(output[0]?.[0]?.json ?? {})?.length).toBeLessThan(2_500);
		expect(hints).toHaveLength(1);
		expect(hints[0]?.message.length).toBeLessThan(1_100);
	});
});
