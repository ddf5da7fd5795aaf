import type { Locator } from 'playwright-core';

import { until } from '../../host/until.mts';
import { automatic } from '../support/columns';
import { rowsInto, sandbox } from '../support/n8n.mts';
import { keepPicture } from './chromium.mts';
import { columnsAreFetched } from './columns';
import {
	choices,
	CRM_ROW,
	found,
	nodeA,
	nodeB,
	openNode,
	openWithRow,
	openWorkflow,
	outputPanel,
	page,
} from './editor';
import { Person } from './person';

/** A row whose columns the account of the sandbox knows under the same or nearly the same names. */
const TEN_COLUMNS = {
	'Email Address': 'by-hand@example.com',
	'First Name': 'Nathan',
	last_name: 'Smith',
	Company: 'Acme',
	Tags: 'vip',
	Plan: 'Team',
	Seats: 12,
	Renewal: '2026-11-21',
	Beta: true,
	Lang: 'EN',
};

/** Columns of that row and the columns of the node that they are dragged to, in the order of the panel. */
const MAPPED = [
	['Email Address', 'Email'],
	['First Name', 'First Name'],
	['last_name', 'Last Name'],
	['Company', 'Company'],
	['Tags', 'Tags'],
	['Beta', 'Beta Tester'],
	['Lang', 'Language'],
	['Plan', 'Plan'],
	['Renewal', 'Renewal Date'],
	['Seats', 'Seats'],
] as const;

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
	test('a survey with ten columns mapped by hand takes 21 clicks, 10 drags and no key', async () => {
		await openWithRow(nodeA({ resource: 'survey', operation: 'send' }), TEN_COLUMNS);
		const person = new Person();
		await choosesCampaign(person);
		const inputs = page.getByTestId('mapping-fields-container').getByTestId('parameter-input');
		for (const [, label] of MAPPED.slice(1)) {
			await person.clicks(page.getByTestId('add-fields-select').first());
			await person.clicks(page.getByRole('menuitem', { name: label, exact: true }));
		}
		await inputs.nth(MAPPED.length - 1).waitFor();
		// From the last to the first, since the preview of a value covers the field below it.
		for (const [i, [column]] of [...MAPPED.entries()].reverse()) {
			await person.drags(inputColumn(column), inputs.nth(i));
		}
		await person.executes();
		expect(person.effort).toEqual({ clicks: 21, keys: 0, drags: 10 });
		const customer = await until(
			async () => sandbox.a.state.customers.get(TEN_COLUMNS['Email Address']),
			(one) => one !== undefined,
		);
		expect(customer).toMatchObject({
			firstName: 'Nathan',
			lastName: 'Smith',
			companyName: 'Acme',
			properties: expect.arrayContaining([
				expect.objectContaining({ label: 'Seats', value: 12 }),
				expect.objectContaining({ label: 'Language', value: 'EN' }),
			]),
		});
	});

	test('a survey by Map Automatically takes five clicks when the column is called Email Address', async () => {
		const { Email, ...others } = CRM_ROW;
		const row = { 'Email Address': `automatic-${Email}`, ...others };
		await openWithRow(nodeA({ resource: 'survey', operation: 'send' }), row);
		const person = new Person();
		await choosesCampaign(person);
		await person.chooses(page.getByTestId('mapping-mode-select').first(), 'Map Automatically');
		await person.executes();
		await outputPanel().getByText('queued').first().waitFor();
		expect(person.effort).toEqual({ clicks: 5, keys: 0, drags: 0 });
	});

	test('Dry Run is added switched on: two clicks, and the run sends nothing', async () => {
		const parameters = { resource: 'customer', operation: 'upsert', ...automatic() };
		await openWithRow(nodeA(parameters), { Email: 'dry@example.com' });
		const person = new Person();
		await person.clicks(page.getByTestId('collection-parameter-add').first());
		const option = page.getByTestId('collection-parameter-option');
		await person.clicks(option.filter({ hasText: 'Dry Run' }));
		expect(person.effort).toEqual({ clicks: 2, keys: 0, drags: 0 });
		await new Person().executes();
		await outputPanel().getByText('dry@example.com').first().waitFor();
		expect(sandbox.a.state.customers.has('dry@example.com')).toBe(false);
	});

	test("Add column offers the account's own attribute", async () => {
		const contact = sandbox.b.state.contacts.get('ada@acme.example');
		if (contact) contact.attributes = { plan: 'pro' };
		await openWithRow(nodeB({ resource: 'contact', operation: 'upsert' }));
		await page.getByTestId('add-fields-select').first().click();
		await page.getByRole('menuitem', { name: 'plan', exact: true }).click();
	});

	test.each([
		[
			'campaign of Survey A',
			() => nodeA({ resource: 'survey', operation: 'send' }),
			'campaign',
			'ticket',
			'After support ticket (CSAT, EMAIL)',
		],
		[
			'contact',
			() => nodeB({ resource: 'contact', operation: 'get' }),
			'contactId',
			'grace@acme.example',
			'grace@acme.example Grace Hopper',
		],
	])('the list finds a %s by its name or email', async (_, node, name, typed, shown) => {
		await openWithRow(node());
		expect(await found(name, typed)).toEqual([expect.stringContaining(shown)]);
		await keepPicture(page, `found-${name}`);
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

	test('a chosen campaign keeps its ID when the field is switched to By ID', async () => {
		await openWithRow(nodeA({ resource: 'survey', operation: 'send' }));
		await choosesCampaign(new Person());
		const campaign = page.getByTestId('resource-locator-campaign');
		await campaign.getByTestId('rlc-mode-selector').click();
		await choices().filter({ hasText: 'By ID' }).first().click();
		await until(
			async () => await campaign.getByTestId('rlc-input').inputValue(),
			(text) => sandbox.a.state.campaigns.some(({ id }) => id === text),
			{ what: 'The ID of the campaign' },
		);
	});
}
