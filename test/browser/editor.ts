import type { Browser, Locator, Page } from 'playwright-core';

import { until } from '../../host/until.mts';
import { WITH_EDITOR } from '../support/freshN8n.mts';
import { closeHost, host, openHost, rowsInto } from '../support/n8n.mts';
import type { WorkflowInput, WorkflowNode } from '../support/n8n.mts';
import { sayPastJest } from '../support/sayPastJest.mts';
import { findChromium, signIn, startBrowser } from './chromium.mts';

/** The editor, signed in. */
export let page: Page;

/**
 * Notes on the page when n8n's push connection is open. Until then, the editor refuses to run a node, and after that it
 * misses no message about the run.
 */
const NOTE_PUSH = `
	window.WebSocket = class extends WebSocket {
		constructor(...given) {
			super(...given);
			this.addEventListener('open', () => (document.documentElement.dataset.push = 'open'));
		}
	};
`;

/**
 * A block of tests in the editor, with an n8n, both services and a browser. Its tests continue on the page of the test before.
 * They are skipped, and the reason is printed, on a machine without Chromium.
 */
export function describeInEditor(tests: () => void): void {
	const { executable, missing } = findChromium(sayPastJest);
	if (missing) sayPastJest(`n8n's editor is not tested here: ${missing}.`);
	// A minute is not enough for two actions that each take as long as the browser may wait.
	jest.setTimeout(180_000);
	(executable ? describe : describe.skip)('in the editor', () => {
		withEditor(executable ?? '');
		tests();
	});
}

function withEditor(executable: string): void {
	let browser: Browser | undefined;

	beforeAll(async () => {
		await openHost(WITH_EDITOR);
		browser = await startBrowser(executable);
		page = await signIn(browser, host.n8n.url);
		await page.addInitScript({ content: NOTE_PUSH });
	}, 180_000);

	afterAll(async () => {
		await browser?.close();
		await closeHost();
	}, 60_000);
}

/** A row as a CRM gives it, with columns of every kind. */
export const CRM_ROW = {
	Email: 'nathan@example.com',
	'First Name': 'Nathan',
	last_name: 'Smith',
	Company: 'Acme',
	Tags: 'vip, renewal',
	Plan: 'Team',
	Seats: 12,
	Renewal: '2026-11-21',
	Beta: true,
	Region: 'EU',
};

type Tested = Pick<WorkflowNode, 'type' | 'parameters'> & Partial<WorkflowNode>;

/** A node of Survey A, with the credential of the sandbox. */
export function nodeA(parameters: Record<string, unknown>): Tested {
	const { surveyAApi } = host.credentials;
	return { type: 'n8n-nodes-surveys.surveyA', parameters, credentials: { surveyAApi } };
}

/** Opens a node whose input is one row of the CRM. */
export async function openWithRow(node: Tested, row: object = CRM_ROW): Promise<void> {
	const pinData = { Rows: [{ json: row }] };
	await openWorkflow({ ...rowsInto(node, [row]), pinData });
	await openNode('Tested');
}

/** Shows a workflow on the canvas. */
export async function openWorkflow(workflow: WorkflowInput): Promise<void> {
	const id = await host.n8n.createWorkflow(workflow);
	await openPage(`workflow/${id}`);
	await nodes().first().waitFor();
}

/** Opens a page of the editor that has a canvas, and waits until a node can be run there. */
export async function openPage(path: string): Promise<void> {
	await page.goto(`${host.n8n.url}/${path}`, { waitUntil: 'domcontentloaded' });
	await page.locator('html[data-push=open]').waitFor();
}

/** The nodes on the canvas. */
export function nodes(): Locator {
	return page.getByTestId('canvas-node');
}

/** Opens a node by a double click. */
export async function openNode(name: string): Promise<void> {
	// A node may have the name of another one on one of its outputs.
	const node = nodes().and(page.locator(`[data-node-name="${name}"]`));
	await untilVisible(executeButton(), async () => await node.dblclick(BRIEFLY));
}

const BRIEFLY = { timeout: 15_000 };

/**
 * Opens something: acts until it is visible, since n8n's editor can lose a click while it loads. What is already visible
 * is not acted on, because a second click on a menu closes it, and a window that has opened covers what was clicked.
 */
export async function untilVisible(shown: Locator, act: () => Promise<void>): Promise<void> {
	const isShown = async () => {
		if (await shown.isVisible()) return true;
		const appears = act().then(async () => await shown.waitFor(BRIEFLY));
		return await appears.then(
			() => true,
			() => false,
		);
	};
	await until(isShown, Boolean, { what: String(shown), timeoutMs: 100_000 });
}

/** The button that runs the opened node, or listens with it. */
export function executeButton(): Locator {
	return page
		.locator('[data-test-id=node-execute-button], [data-test-id=trigger-execute-button]')
		.first();
}

/** The output of the opened node. */
export function outputPanel(): Locator {
	return page.getByTestId('output-panel').or(page.getByTestId('ndv-output-panel')).first();
}

/** The field of the opened node by its parameter's name. */
export function field(name: string): Locator {
	return page.getByTestId(`parameter-input-${name}`).first();
}

/** The choices of the drop-down that is open. */
export function choices(): Locator {
	return page.locator('.el-select-dropdown__item:visible');
}
