import type { Response } from 'playwright-core';

import type { StoredWorkflow } from '../../host/index.mts';
import { deleteWorkflows, host, rowsInto } from '../support/n8n.mts';
import { keepPicture } from './chromium.mts';
import { executeButton, nodeA, nodeB, nodes, openNode, openPage, page } from './editor';

// Opening the panel of a node with mapped columns.

/** Columns as an agent maps them: IDs of our own, names that it guessed, and a column that the account does not have yet. */
const MAPPED = {
	email: '={{ $json.email }}',
	first_name: '={{ $json.first }}',
	companyName: 'Acme',
	'property:Deal Stage': 'won',
	'attribute:Deal Stage': '={{ $json.stage }}',
};

const only = (...ids: Array<keyof typeof MAPPED>) =>
	Object.fromEntries(ids.map((id) => [id, MAPPED[id]]));

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

async function closesAndSaves(): Promise<void> {
	await page.getByTestId('ndv-close-button').click();
	await executeButton().waitFor({ state: 'hidden' });
	const isSave = (response: Response) =>
		/\/workflows\/\w+$/.test(response.url()) && response.request().method() === 'PATCH';
	const saved = page.waitForResponse(isSave, { timeout: 10_000 }).catch(() => undefined);
	await page.keyboard.press('ControlOrMeta+s');
	await saved;
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

	test.each([
		[
			'Survey A',
			() => nodeA({ resource: 'customer', operation: 'upsert' }),
			only('email', 'first_name', 'companyName', 'property:Deal Stage'),
		],
		[
			'Survey B',
			() => nodeB({ resource: 'contact', operation: 'upsert' }),
			only('email', 'first_name', 'attribute:Deal Stage'),
		],
	])(
		'opening, closing and saving a node of %s that an agent built without a schema keeps every mapped column',
		async (_, node, value) => {
			const { parameters, ...others } = node();
			const columns = { mappingMode: 'defineBelow', value };
			// The editor adds Options to every node that it opens.
			const built = { ...others, parameters: { ...parameters, columns, options: {} } };
			// The item that the editor shows has neither `first` nor `stage`.
			const rows = [{ email: 'a@acme.example' }];
			const pinData = { Rows: rows.map((json) => ({ json })) };
			const id = await host.n8n.createWorkflow({ ...rowsInto(built, rows), pinData });
			const before = await host.n8n.workflow(id);
			await openPage(`workflow/${id}`);
			await nodes().first().waitFor();
			await columnsAreFetched(async () => await openNode('Tested'));
			await keepPicture(page, 'built-by-an-agent');
			await closesAndSaves();
			const after = await host.n8n.workflow(id);
			// The editor adds the schema, and nothing else.
			expect(withoutSchema(after)).toEqual(withoutSchema(before));
			expect(withoutSchema(after).at(-1)?.columns).toEqual(columns);
		},
	);
}
