import type { IDataObject } from 'n8n-workflow';

import { COLUMNS_OF_N8N } from '../../../nodes/shared/mapping/byName';
import { automatic } from '../../support/columns';
import { fileText } from '../../support/files.mts';
import { runOperation } from '../../support/runOperation';
import { errorOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// Sends each cell of the table in docs/values.md and compares what the services receive.

const TYPES = {
	Text: 'string',
	Number: 'number',
	Boolean: 'boolean',
	Date: 'dateTime',
	List: 'array',
} as const;

const ROWS = fileText('docs/values.md')
	.split('\n')
	.filter((line) => line.startsWith('| `'))
	.map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
	.map(([cell = '', type = '', a = '', b = '']) => ({ cell: JSON.parse(bare(cell)), type, a, b }));

function bare(cell: string): string {
	return cell.replace(/^`|`$/g, '');
}

const sandbox = useSandbox();

/** Returns what a service receives for a cell, as the table writes it. */
async function received(
	node: 'surveyA' | 'surveyB',
	{ cell, type }: (typeof ROWS)[number],
): Promise<string> {
	const [service, resource, prefix] =
		node === 'surveyA'
			? ([sandbox.a, 'customer', 'property'] as const)
			: ([sandbox.b, 'contact', 'attribute'] as const);
	service.reset();
	const stored = Object.entries(TYPES).find(([name]) => name === type)?.[1];
	const schema = [{ id: `${prefix}:x`, displayName: 'x', type: stored }];
	const { output } = await runOperation(service, `${resource}.upsert`, automatic(schema), {
		input: [{ email: 'ada@acme.example', x: cell }],
		onError: 'continueRegularOutput',
		timezone: 'Europe/Berlin',
	});
	const failure = errorOf(output[0]?.[0]?.json ?? {});
	if (failure !== undefined) return `✗ ${failure}`;
	const body: IDataObject = JSON.parse(service.requests[0]?.rawBody ?? '{}');
	const [customer = body] = [body.subscribers ?? []].flat();
	const { attributes, properties } = Object(customer);
	const sent: unknown = attributes?.x ?? properties?.[0]?.value;
	return sent === undefined ? 'left out' : `\`${JSON.stringify(sent)}\``;
}

test('docs/values.md names each column of n8n that is left out', () => {
	const [line = ''] = fileText('docs/values.md').match(/^- What n8n .*?;/m) ?? [];
	const names = [...line.matchAll(/`(\w+)`/g)].map(([, name]) => name);
	expect(names).toEqual(COLUMNS_OF_N8N);
});

test('docs/values.md has a table of about 15 values', () => {
	expect(ROWS.length).toBeGreaterThanOrEqual(15);
});

test.each(ROWS)('docs/values.md says what arrives for $cell in a column of $type', async (row) => {
	for (const [node, wanted] of [
		['surveyA', row.a],
		['surveyB', row.b],
	] as const) {
		const sent = await received(node, row);
		if (wanted.startsWith('✗')) {
			expect(sent).toContain(`✗ ada@acme.example: Column 'x' ${wanted.slice(2)}`);
		} else expect(sent).toBe(wanted);
	}
});
