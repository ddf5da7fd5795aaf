import { EXAMPLES } from '../support/examples.mts';
import { example, host } from '../support/n8n.mts';
import { CANVAS, keepPicture } from './chromium.mts';
import { nodes, openWorkflow, page } from './editor';

/** Opens each example in the editor. */
export function exampleTests(): void {
	test.each(EXAMPLES)(
		'%s: the editor knows every node, and no node covers another',
		async (name) => {
			const workflow = example(name, host);
			await openWorkflow(workflow);
			const drawn = workflow.nodes.filter(({ type }) => !type.endsWith('stickyNote'));
			expect(await nodes().count()).toBe(drawn.length);
			await page.keyboard.press('1');
			await page.waitForTimeout(1000);
			const boxes = await Promise.all(
				(await nodes().all()).map(async (node) => await node.boundingBox()),
			);
			const covered = boxes.flatMap((one, i) =>
				boxes.slice(i + 1).filter((other) => one && other && overlap(one, other)),
			);
			await keepPicture(page, name, CANVAS);
			expect(covered).toEqual([]);
			expect(await page.locator('text=/unknown node|install this node/i').count()).toBe(0);
		},
	);
}

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
