import type { Locator } from 'playwright-core';

import { until } from '../../host/until.mts';
import { choices, executeButton, field, openWorkflow, page, untilVisible } from './editor';

/** Returns the names in the node panel, in order. */
export function names(): Locator {
	return page.getByTestId('node-creator-item-name');
}

/** Searches for a node until a result contains a text. While the panel opens, it may empty its search bar. */
export async function search(text: string, found: string): Promise<Locator> {
	const inputs = page.locator('input[data-test-id=node-creator-search-bar]');
	const bar = inputs.or(page.getByTestId('node-creator-search-bar').locator('input'));
	const result = names().filter({ hasText: found }).first();
	const searched = async () => {
		if ((await bar.inputValue()) !== text) await bar.fill(text);
		return await result.isVisible();
	};
	await until(searched, Boolean, { what: `The result '${found}' of the search '${text}'` });
	return result;
}

const AGENT = {
	name: 'An agent without tools',
	nodes: [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
		{
			name: 'Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: 3.1,
			parameters: { promptType: 'define', text: 'Find the feedback' },
		},
	],
	connections: { Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] } },
};

/** Opens the node panel and closes it again. A panel that is still loading ignores that a tool is to be added. */
async function loadNodePanel(): Promise<void> {
	const plus = page.getByTestId('node-creator-plus-button');
	await untilVisible(names().first(), async () => await plus.click());
	await page.keyboard.press('Escape');
	await names().first().waitFor({ state: 'hidden' });
}

/** Adds a node as a tool of an agent, which opens its panel. */
async function addTool(name: string): Promise<void> {
	await openWorkflow(AGENT);
	await loadNodePanel();
	const handle = page.locator('[data-handleid="inputs/ai_tool/0"]');
	await handle.getByTestId('canvas-handle-plus').click();
	await (await search(name, name)).click();
	await executeButton().waitFor();
}

async function choose(name: string, label: string): Promise<void> {
	await field(name).click();
	await choices().filter({ hasText: label }).first().click();
}

/** Finding the nodes and their actions. */
export function nodePanelTests(): void {
	beforeAll(async () => {
		await openWorkflow({
			name: 'Nothing yet',
			nodes: [{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' }],
			connections: {},
		});
		const plus = page.getByTestId('node-creator-plus-button');
		await untilVisible(names().first(), async () => await plus.click());
	}, 60_000);

	test.each([
		['send survey', ['Survey A', 'Survey B']],
		['customer feedback', ['Survey A']],
		['reply to feedback', ['Survey B']],
		['contact', ['Survey B']],
	])("a search for '%s' finds %p", async (text, found) => {
		for (const name of found) await search(text, name);
	});

	test.each(['Survey A', 'Survey B'])(
		'%s: the list describes the actions and the trigger, since n8n shows one text for both',
		async (name) => {
			await search(name, name);
			const item = page.getByTestId('item-iterator-item').filter({ hasText: name });
			const text = await item.first().innerText();
			expect(text).toMatch(/Starts the workflow.*sends surveys/s);
		},
	);

	test.each([
		['Survey A', 25],
		['Survey B', 22],
	])('%s: Send survey is the first action, and each action is listed once', async (name, count) => {
		await (await search(name, name)).click();
		// Until the search results have moved out of the panel, both lists are there.
		const listed = async () =>
			(await names().allInnerTexts()).filter((action) => !/^On /.test(action));
		const isListed = (all: string[]) => all[0] === 'Send survey' && !all.includes(name);
		const actions = await until(listed, (all) => isListed(all) && all.length >= count);
		expect(actions).toHaveLength(count);
		expect(new Set(actions).size).toBe(count);
		await page.locator('[class*=backButton]').first().click();
	});
}

/** The nodes as tools of an AI agent. */
export function toolTests(): void {
	test('Survey B Tool: starts with an operation that reads', async () => {
		await addTool('Survey B Tool');
		const inputs = [field('resource'), field('operation')].map((one) =>
			one.locator('input').first(),
		);
		const chosen = await Promise.all(inputs.map(async (one) => await one.inputValue()));
		expect(chosen).toEqual(['Feedback', 'Get Many']);
		expect(await page.getByText('This operation cannot be undone.').count()).toBe(0);
	});

	test('Survey B Tool: Send shows that it cannot be undone, and offers no automatic mapping', async () => {
		await choose('resource', 'Survey');
		await page.getByText('This operation cannot be undone.').waitFor();
		expect(await page.getByTestId('mapping-mode-select').count()).toBe(0);
	});

	test('Survey B Tool: one click lets the model fill in Email', async () => {
		const email = page.getByTestId('parameter-item').filter({ hasText: 'Email' });
		await email.first().waitFor();
		await page.getByTestId('from-ai-override-button').last().click();
		await email.getByText('Defined automatically by the model').first().waitFor();
	});
}
