import type { Locator, Response } from 'playwright-core';

import type { StoredWorkflow } from '../../host/index.mts';
import { until } from '../../host/until.mts';
import { deleteWorkflows, host, rowsInto } from '../support/n8n.mts';
import { keepPicture } from './chromium.mts';
import { executeButton, nodeA, nodes, openNode, openPage, page, untilVisible } from './editor';
import { names, search } from './nodePanel';

// Opening the panel of a node with mapped columns.

/** Columns as an agent maps them: IDs of our own, names that it guessed, and a column that the account does not have yet. */
const MAPPED = {
	email: '={{ $json.email }}',
	first_name: '={{ $json.first }}',
	companyName: 'Acme',
	'property:Deal Stage': 'won',
};

/** Waits until the editor has fetched the columns, by which it changes a mapping. */
export async function columnsAreFetched(act: () => Promise<void>): Promise<void> {
	const isColumns = (response: Response) => response.url().includes('resource-mapper');
	await Promise.all([page.waitForResponse(isColumns), act()]);
	await page
		.getByTestId('mapping-fields-container')
		.getByTestId('parameter-input')
		.first()
		.waitFor();
}

/** Closes the opened node and saves. Returns the workflow once the schema is stored that the editor adds to a mapping. */
async function closesAndSaves(id: string): Promise<StoredWorkflow> {
	await page.getByTestId('ndv-close-button').click();
	await executeButton().waitFor({ state: 'hidden' });
	await page.keyboard.press('ControlOrMeta+s');
	return await until(
		async () => await host.n8n.workflow(id),
		({ nodes }) => JSON.stringify(nodes).includes('"schema"'),
		{ what: 'The saved workflow' },
	);
}

/** Returns the nodes as they are stored, without what the editor always adds to a mapping. */
function withoutSchema({ nodes }: StoredWorkflow) {
	return nodes.map(({ parameters: { columns, ...parameters } = {}, name, credentials }) => {
		const { mappingMode, value }: { mappingMode?: unknown; value?: unknown } = {
			...Object(columns),
		};
		return { name, credentials, parameters, columns: { mappingMode, value } };
	});
}

/** Opening the panel of mapped operations. */
export function columnTests(): void {
	afterEach(async () => await deleteWorkflows(host.n8n), 60_000);

	test('opening, closing and saving a node that an agent built without a schema keeps every mapped column', async () => {
		const { parameters, ...others } = nodeA({ resource: 'customer', operation: 'upsert' });
		const columns = { mappingMode: 'defineBelow', value: MAPPED };
		// The editor adds Options to every node that it opens.
		const built = { ...others, parameters: { ...parameters, columns, options: {} } };
		// The item that the editor shows has no `first`.
		const rows = [{ email: 'a@acme.example' }];
		const pinData = { Rows: rows.map((json) => ({ json })) };
		const id = await host.n8n.createWorkflow({ ...rowsInto(built, rows), pinData });
		const before = await host.n8n.workflow(id);
		await openPage(`workflow/${id}`);
		await nodes().first().waitFor();
		await columnsAreFetched(async () => await openNode('Tested'));
		await keepPicture(page, 'built-by-an-agent');
		const after = await closesAndSaves(id);
		// The editor adds the schema, and nothing else.
		expect(withoutSchema(after)).toEqual(withoutSchema(before));
		expect(withoutSchema(after).at(-1)?.columns).toEqual(columns);
	});

	test('a mapped operation that is added to a new workflow shows its columns and no error', async () => {
		await openPage('workflow/new');
		const entry = (text: string) => names().filter({ hasText: text }).first();
		const opens = async (plus: Locator) =>
			await untilVisible(names().first(), async () => await plus.click());
		await opens(page.getByTestId('canvas-add-button'));
		await entry('Trigger manually').click();
		await names().first().waitFor({ state: 'hidden' });
		await opens(page.getByTestId('canvas-handle-plus').first());
		await (await search('survey a', 'Survey A')).click();
		await entry('Send survey').waitFor();
		await columnsAreFetched(async () => await entry('Send survey').click());
		const mapping = page.getByTestId('mapping-fields-container');
		await mapping.getByText('Email', { exact: true }).first().waitFor();
		await keepPicture(page, 'columns-in-a-new-workflow');
		expect(await page.getByText('Retry', { exact: true }).count()).toBe(0);
	});
}
