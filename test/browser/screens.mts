// `npm run screens`: takes the pictures in examples/pictures and docs/screens from a real n8n.
// Arguments choose a part: examples, nodes, or one example.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';

import { startSandbox, type Sandbox } from '../../sandbox/index.ts';
import { builtPackage } from '../../scripts/build.mts';
import { atEnd, ROOT, runMain, say } from '../../scripts/processes.mts';
import { EXAMPLES, pictureSource, readExample } from '../support/examples.mts';
import {
	example,
	rowsInto,
	startHost,
	type Host,
	type WorkflowInput,
	type WorkflowNode,
} from '../support/n8n.mts';
import { findChromium, signIn, startBrowser } from './chromium.mts';

interface Stage {
	browser: Browser;
	host: Host;
	sandbox: Sandbox;
}

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** The window of an opened node in a viewport of 1600 by 1000. */
const WINDOW: Box = { x: 25, y: 25, width: 1550, height: 950 };

/** The canvas without what surrounds it. */
const CANVAS: Box = { x: 45, y: 90, width: 1555, height: 870 };

/** The editor's own buttons, which would cover nodes. */
const WITHOUT_BUTTONS = `
	[data-test-id=canvas-controls], [class*=executionButtons], [data-test-id=node-creator-plus-button],
	[data-test-id=command-bar-button], [data-test-id=add-sticky-button], [data-test-id=toggle-focus-panel-button] {
		opacity: 0 !important;
	}
`;

async function save(path: string, page: Page, box: Box, scale: number): Promise<void> {
	const file = join(ROOT, path);
	mkdirSync(dirname(file), { recursive: true });
	const session = await page.context().newCDPSession(page);
	const clip = { ...box, scale };
	const picture = { format: 'webp', quality: 60, clip } as const;
	const { data } = await session.send('Page.captureScreenshot', picture);
	await session.detach();
	writeFileSync(file, Buffer.from(data, 'base64'));
	say(path);
}

async function openWorkflow(page: Page, host: Host, workflow: WorkflowInput): Promise<string> {
	const id = await host.n8n.createWorkflow(workflow);
	await page.goto(`${host.n8n.url}/workflow/${id}`, { waitUntil: 'domcontentloaded' });
	await page.getByTestId('canvas-node').first().waitFor();
	return id;
}

const SOURCES = join(ROOT, 'examples/pictures/sources.json');

/** Draws examples, and notes what each picture shows. */
async function examples({ browser, host }: Stage, names: string[]): Promise<void> {
	const page = await signIn(browser, host.n8n.url);
	const sources = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(SOURCES, 'utf8')));
	for (const name of names) {
		await openWorkflow(page, host, example(name, host));
		await page.addStyleTag({ content: WITHOUT_BUTTONS });
		await page.keyboard.press('1');
		await page.waitForTimeout(1500);
		await save(`examples/pictures/${name}.webp`, page, CANVAS, 0.75);
		sources[name] = pictureSource(readExample(name));
	}
	writeFileSync(SOURCES, `${JSON.stringify(sources, null, '\t')}\n`);
	await page.close();
}

const CRM_ROW = {
	Email: 'nathan@example.com',
	'First Name': 'Nathan',
	'Last Name': 'Smith',
	Company: 'Acme',
	Plan: 'Team',
	Seats: 12,
	Renewal: '2027-03-04',
};

function shown({ host: { credentials } }: Stage): Record<string, WorkflowInput> {
	const { surveyAApi, surveyBApi } = credentials;
	const columns = { mappingMode: 'autoMapInputData', value: null, schema: [] };
	const campaign = { __rl: true, mode: 'list', value: '64a000000000000000000003' };
	const named = { ...campaign, cachedResultName: 'After purchase (NPS, EMAIL)' };
	const send: WorkflowNode = {
		name: 'Survey A',
		type: 'n8n-nodes-surveys.surveyA',
		parameters: { resource: 'survey', operation: 'send', campaign: named, columns },
		credentials: { surveyAApi },
	};
	const read: WorkflowNode = {
		name: 'Survey B',
		type: 'n8n-nodes-surveys.surveyB',
		parameters: { resource: 'feedback', operation: 'getAll', limit: 5 },
		credentials: { surveyBApi },
	};
	const triggerA: WorkflowNode = {
		name: 'Survey A Trigger',
		type: 'n8n-nodes-surveys.surveyATrigger',
		parameters: { events: ['feedback.created'] },
		credentials: { surveyAApi },
	};
	const triggerB: WorkflowNode = {
		name: 'Survey B Trigger',
		type: 'n8n-nodes-surveys.surveyBTrigger',
		typeVersion: 1.1,
		webhookId: 'a1b2c3d4-0000-4000-8000-000000000009',
		parameters: { events: ['feedback.added_or_changed'], routeBy: 'scoreType' },
		credentials: { surveyBApi },
	};
	const fed = (node: WorkflowNode, row: object): WorkflowInput => {
		const workflow = {
			...rowsInto({ ...node, name: 'Tested' }, [row]),
			pinData: { Rows: [{ json: row }] },
		};
		return JSON.parse(JSON.stringify(workflow).replaceAll('"Tested"', JSON.stringify(node.name)));
	};
	const alone = (node: WorkflowNode) => ({ name: node.name, nodes: [node], connections: {} });
	return {
		'survey-a': fed(send, CRM_ROW),
		'survey-b': fed(read, {}),
		'survey-a-trigger': alone(triggerA),
		'survey-b-trigger': alone(triggerB),
	};
}

/** The four nodes after a run, in light and dark. */
async function nodes(stage: Stage): Promise<void> {
	const { browser, host, sandbox } = stage;
	sandbox.b.answer({ email: 'ada@acme.example', campaignId: 101, score: 3, comment: 'Too slow' });
	for (const colorScheme of ['light', 'dark'] as const) {
		const page = await signIn(browser, host.n8n.url, { colorScheme });
		for (const [name, workflow] of Object.entries(shown(stage))) {
			await openWorkflow(page, host, workflow);
			await page.getByTestId('canvas-node').last().dblclick();
			const run = '[data-test-id=node-execute-button], [data-test-id=trigger-execute-button]';
			await page.locator(run).first().click();
			const output = page.getByTestId('output-panel').or(page.getByTestId('ndv-output-panel'));
			await output.first().getByText('@').first().waitFor();
			await page.waitForTimeout(1500);
			await save(`docs/screens/${name}-${colorScheme}.webp`, page, WINDOW, 0.6);
		}
		await page.close();
	}
}

const PARTS: Record<string, (stage: Stage) => Promise<void>> = {
	examples: async (stage) => await examples(stage, EXAMPLES),
	nodes,
};

async function main(): Promise<number> {
	const { executable, missing } = findChromium(say);
	if (!executable) throw new Error(missing);
	process.env.SURVEYS_TARBALL ??= await builtPackage();
	const sandbox = await startSandbox();
	atEnd(async () => await sandbox.close());
	const host = await startHost(sandbox);
	atEnd(async () => await host.end());
	const browser = await startBrowser(executable);
	atEnd(async () => await browser.close());
	const wanted = process.argv.slice(2);
	const single = wanted.filter((name) => EXAMPLES.includes(name));
	if (single.length > 0) await examples({ browser, host, sandbox }, single);
	for (const [name, make] of Object.entries(PARTS)) {
		if (wanted.length === 0 || wanted.includes(name)) await make({ browser, host, sandbox });
	}
	return 0;
}

await runMain(main);
