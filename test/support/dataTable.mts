import { chain, type N8n } from '../../host/index.mts';
import { rowsInto } from './n8n.mts';

type Row = Record<string, unknown>;

/** Runs one operation on all rows of a data table, like a user in n8n, and returns the rows. */
export async function recordsOf(
	n8n: N8n,
	table: string,
	parameters: object = { operation: 'get', returnAll: true },
): Promise<Row[]> {
	const id = await n8n.createWorkflow({
		name: 'Data table',
		nodes: [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
			{
				name: 'Rows',
				type: 'n8n-nodes-base.dataTable',
				typeVersion: 1.1,
				parameters: {
					resource: 'row',
					dataTableId: { __rl: true, mode: 'name', value: table },
					matchType: 'allConditions',
					filters: { conditions: [{ keyName: 'id', condition: 'gt', keyValue: 0 }] },
					options: {},
					...parameters,
				},
			},
		],
		connections: chain('Start', 'Rows'),
	});
	const run = await n8n.run(id);
	if (run.status !== 'success') throw new Error(`${table}: ${run.error?.message}`);
	return run.items('Rows').map(({ json }) => json);
}

/** Sets columns of all rows of a data table, or of the row with an ID. */
export async function updateRows(n8n: N8n, table: string, value: Row, id?: unknown): Promise<void> {
	const columns = { mappingMode: 'defineBelow', value, schema: [] };
	const one = { conditions: [{ keyName: 'id', condition: 'eq', keyValue: id }] };
	await recordsOf(n8n, table, {
		...{ operation: 'update', columns },
		...(id === undefined ? {} : { filters: one }),
	});
}

/** Creates a data table with these rows. */
export async function createTable(
	n8n: N8n,
	table: string,
	column: Array<{ name: string; type: string }>,
	rows: Row[] = [],
): Promise<void> {
	const create = { resource: 'table', operation: 'create', tableName: table, columns: { column } };
	await recordsOf(n8n, table, create);
	if (rows.length === 0) return;
	const insert = {
		type: 'n8n-nodes-base.dataTable',
		typeVersion: 1.1,
		parameters: {
			...{ resource: 'row', operation: 'insert', options: {} },
			dataTableId: { __rl: true, mode: 'name', value: table },
			columns: { mappingMode: 'autoMapInputData', value: null, schema: [] },
		},
	};
	const run = await n8n.run(await n8n.createWorkflow(rowsInto(insert, rows)));
	if (run.status !== 'success') throw new Error(`${table}: ${run.error?.message}`);
}
