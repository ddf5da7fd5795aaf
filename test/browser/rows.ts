import type { Locator } from 'playwright-core';

import { until } from '../../host/until.mts';
import { automatic } from '../support/columns';
import { rowsInto, sandbox } from '../support/n8n.mts';
import { keepPicture } from './chromium.mts';
import { columnsAreFetched } from './columns';
import { CRM_ROW, nodeA, openNode, openWithRow, openWorkflow, outputPanel, page } from './editor';
import { Person } from './person';

/** A column in the input panel. */
export function inputColumn(name: string): Locator {
	return page.getByTestId('ndv-input-panel').getByText(name, { exact: true }).first();
}

export async function choosesCampaign(person: Person): Promise<void> {
	const campaign = page.getByTestId('resource-locator-campaign');
	await person.clicks(campaign.getByTestId('rlc-input'));
	await person.clicks(page.getByTestId('rlc-item').first());
}

/** Mapping and sending the rows of a CRM. */
export function rowTests(): void {
	test('a survey by Map Automatically takes five clicks when the column is called Email Address', async () => {
		const { Email, ...others } = CRM_ROW;
		const row = { 'Email Address': `automatic-${Email}`, ...others };
		await openWithRow(nodeA({ resource: 'survey', operation: 'send' }), row);
		const person = new Person();
		await choosesCampaign(person);
		await person.chooses(page.getByTestId('mapping-mode-select').first(), 'Map Automatically');
		await person.executes();
		await outputPanel().getByText('queued').first().waitFor();
		expect(person.effort).toEqual({ clicks: 5, keys: 0 });
	});

	test('Dry Run is added switched on: two clicks, and the run sends nothing', async () => {
		const parameters = { resource: 'customer', operation: 'upsert', ...automatic() };
		await openWithRow(nodeA(parameters), { Email: 'dry@example.com' });
		const person = new Person();
		await person.clicks(page.getByTestId('collection-parameter-add').first());
		const option = page.getByTestId('collection-parameter-option');
		await person.clicks(option.filter({ hasText: 'Dry Run' }));
		expect(person.effort).toEqual({ clicks: 2, keys: 0 });
		await new Person().executes();
		await outputPanel().getByText('dry@example.com').first().waitFor();
		expect(sandbox.a.state.customers.has('dry@example.com')).toBe(false);
	});

	test('a node that opens before its credential is known lists the columns of every account, and those of this one after Refresh Column List', async () => {
		const { type, parameters } = nodeA({ resource: 'survey', operation: 'send' });
		const isList = (url: URL) => url.pathname.endsWith('/credentials/for-workflow');
		const mapping = page.getByTestId('mapping-fields-container');
		const email = mapping.getByText('Email', { exact: true }).first();
		// As if the credential had been created elsewhere after the canvas was opened.
		await page.route(isList, async (route) => await route.fulfill({ json: { data: [] } }));
		await openWorkflow(rowsInto({ type, parameters }, [CRM_ROW]));
		await page.unroute(isList);
		await page.route(isList, async (route) => {
			await email.waitFor();
			await route.continue();
		});
		await openNode('Tested');
		const credential = page.getByTestId('node-credentials-select').locator('input').first();
		const chosen = async () => await credential.inputValue();
		await until(chosen, (name) => name === 'A', { what: 'The chosen credential' });
		await email.waitFor();
		await keepPicture(page, 'columns-before-the-credential');
		expect(await page.getByText('Retry', { exact: true }).count()).toBe(0);
		await mapping.getByTestId('action-toggle').first().click();
		await columnsAreFetched(async () => await page.getByText('Refresh column list').click());
		await page.getByTestId('add-fields-select').first().click();
		await page.getByRole('menuitem', { name: 'Seats', exact: true }).waitFor();
		await page.unroute(isList);
	});
}
