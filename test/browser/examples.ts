import type { Browser, Page } from 'playwright-core';

import { filesIn } from '../support/files.mts';
import { example, host, withHost } from '../support/n8n.mts';
import { findChromium, keepPicture, signIn, startBrowser } from './chromium.mts';

// What the editor shows of each example. With PICTURES=folder the pictures are kept.

const NAMES = filesIn('examples')
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.replace('.json', ''));

const executable = findChromium();
const inBrowser = executable ? describe : describe.skip;

inBrowser('in the editor', () => {
	withHost();

	let browser: Browser;
	let page: Page;

	beforeAll(async () => {
		browser = await startBrowser(executable ?? '');
		page = await signIn(browser, host.n8n.url);
	}, 120_000);

	afterAll(async () => await browser?.close());

	test.each(NAMES)('%s: every node stands for itself, and none covers another', async (name) => {
		const workflow = example(name, host);
		const id = await host.n8n.createWorkflow(workflow);
		await page.goto(`${host.n8n.url}/workflow/${id}`);
		const nodes = page.locator('[data-test-id=canvas-node]');
		await nodes.first().waitFor();
		const drawn = workflow.nodes.filter(({ type }) => !type.endsWith('stickyNote'));
		expect(await nodes.count()).toBe(drawn.length);
		await page.keyboard.press('1');
		await page.waitForTimeout(1000);
		const boxes = await Promise.all(
			(await nodes.all()).map(async (node) => await node.boundingBox()),
		);
		const covered = boxes.flatMap((one, i) =>
			boxes.slice(i + 1).filter((other) => one && other && overlap(one, other)),
		);
		await keepPicture(page, name);
		expect(covered).toEqual([]);
		expect(await page.locator('text=/unknown node|install this node/i').count()).toBe(0);
	});
});

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

function overlap(one: Box, other: Box): boolean {
	return (
		one.x < other.x + other.width &&
		other.x < one.x + one.width &&
		one.y < other.y + other.height &&
		other.y < one.y + one.height
	);
}
