import { chain, type N8n } from '../../host/index.mts';

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

/** Sets columns of all rows of a data table. */
export async function updateRows(n8n: N8n, table: string, value: Row): Promise<void> {
	const columns = { mappingMode: 'defineBelow', value, schema: [] };
	await recordsOf(n8n, table, { operation: 'update', columns });
}

/** Deletes all rows of a data table. */
export async function deleteRows(n8n: N8n, table: string): Promise<void> {
	await recordsOf(n8n, table, { operation: 'deleteRows' });
}
