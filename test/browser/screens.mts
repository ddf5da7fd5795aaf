// `npm run screens`: takes the pictures in examples/pictures and docs/screens from a real n8n.
// Arguments choose a part: examples, nodes, or one example.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { z } from 'zod';

import { startSandbox, type Sandbox } from '../../sandbox/index.ts';
import { builtPackage } from '../../scripts/build.mts';
import { atEnd, ROOT, runMain, say } from '../../scripts/processes.mts';
import { CREDENTIALS, EXAMPLES, pictureSource, readExample } from '../support/examples.mts';
import {
	example,
	rowsInto,
	startHost,
	type Host,
	type Made,
	type WorkflowInput,
	type WorkflowNode,
} from '../support/n8n.mts';
import { WITH_EDITOR } from '../support/freshN8n.mts';
import { findChromium, signIn, startBrowser } from './chromium.mts';

/** Pictures of workflows have two pixels for each of the page's. */
const SHARP = { deviceScaleFactor: 2 };

/** The viewport in which a whole example has letters that can be read in its picture. */
const TALL = { width: 1600, height: 2400 };

/** The viewport in which the nodes of the README are as large as they are shown there. */
const SMALL = { width: 1300, height: 800 };

interface Setup {
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

/** No picture is larger, in bytes. */
const MAX_SIZE = 200_000;

/** The space around the nodes of a picture, in pixels of the page. */
const MARGIN = 12;

/** The examples that the README shows, without their notes. */
const IN_README = ['crm-event-to-survey', 'route-detractors'];

const SCHEMES = ['light', 'dark'] as const;

/** Hides the editor's own buttons, which would count as parts of the picture. */
const WITHOUT_BUTTONS = `
	[data-test-id=canvas-controls], [class*=executionButtons], [data-test-id=node-creator-plus-button],
	[data-test-id=command-bar-button], [data-test-id=add-sticky-button], [data-test-id=toggle-focus-panel-button],
	[data-test-id=canvas-handle-plus] {
		display: none !important;
	}
`;

async function save(path: string, page: Page, box: Box, scale: number): Promise<void> {
	const file = join(ROOT, path);
	mkdirSync(dirname(file), { recursive: true });
	const session = await page.context().newCDPSession(page);
	const clip = { ...box, scale };
	const taken = async (quality: number): Promise<Buffer> => {
		const picture = { format: 'webp', quality, clip } as const;
		const { data } = await session.send('Page.captureScreenshot', picture);
		const bytes = Buffer.from(data, 'base64');
		return bytes.length <= MAX_SIZE || quality <= 10 ? bytes : await taken(quality - 10);
	};
	writeFileSync(file, await taken(60));
	await session.detach();
	say(path);
}

/** Saves a picture of a workflow, without what surrounds its nodes. */
async function saveCanvas(path: string, page: Page, host: Host, workflow: WorkflowInput) {
	await openWorkflow(page, host, workflow);
	await page.addStyleTag({ content: WITHOUT_BUTTONS });
	await page.keyboard.press('1');
	await page.waitForTimeout(1500);
	// A label may be wider than its node, and a connection may lead around nodes.
	const drawn = page.locator('.vue-flow__node, .vue-flow__node *, .vue-flow__edge-path');
	const box = await drawn.evaluateAll((elements, margin) => {
		// Left of the canvas is n8n's menu.
		const start = document.querySelector('.vue-flow')?.getBoundingClientRect().left ?? 0;
		const boxes = elements.map((element) => element.getBoundingClientRect());
		const seen = boxes.filter(({ width, height }) => width > 0 && height > 0);
		const x = Math.max(start, Math.min(...seen.map(({ left }) => left)) - margin);
		const y = Math.max(0, Math.min(...seen.map(({ top }) => top)) - margin);
		const right = Math.max(...seen.map((one) => one.right)) + margin;
		const bottom = Math.max(...seen.map((one) => one.bottom)) + margin;
		return {
			...{ x, y },
			width: Math.min(innerWidth, right) - x,
			height: Math.min(innerHeight, bottom) - y,
		};
	}, MARGIN);
	await save(path, page, box, SHARP.deviceScaleFactor);
}

async function openWorkflow(page: Page, host: Host, workflow: WorkflowInput): Promise<string> {
	const id = await host.n8n.createWorkflow(workflow);
	await page.goto(`${host.n8n.url}/workflow/${id}`, { waitUntil: 'domcontentloaded' });
	await page.getByTestId('canvas-node').first().waitFor();
	return id;
}

const SOURCES = join(ROOT, 'examples/pictures/sources.json');

/** Draws examples and what the README shows of them, and notes what each picture shows. */
async function examples({ browser, host }: Setup, names: string[]): Promise<void> {
	const page = await signIn(browser, host.n8n.url, SHARP);
	const credentials = await allCredentials(host);
	const sources = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(SOURCES, 'utf8')));
	for (const name of names) {
		const workflow = example(name, { credentials }, 'https://team.example.com');
		await page.setViewportSize(TALL);
		await saveCanvas(`examples/pictures/${name}.webp`, page, host, workflow);
		if (IN_README.includes(name)) {
			const nodes = workflow.nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
			await inBothSchemes(browser, host, name, { ...workflow, nodes });
		}
		sources[name] = pictureSource(readExample(name));
	}
	writeFileSync(SOURCES, `${JSON.stringify(sources, null, '\t')}\n`);
	await page.close();
}

/** Draws a workflow for readers of the README in light and dark. */
async function inBothSchemes(browser: Browser, host: Host, name: string, workflow: WorkflowInput) {
	for (const colorScheme of SCHEMES) {
		const page = await signIn(browser, host.n8n.url, { ...SHARP, colorScheme });
		await page.setViewportSize(SMALL);
		await saveCanvas(`docs/screens/${name}-${colorScheme}.webp`, page, host, workflow);
		await page.close();
	}
}

/** Creates a credential of every type that the examples have, because n8n marks a node without one in red. */
async function allCredentials(host: Host): Promise<Record<string, Made>> {
	const made: Record<string, Made> = { ...host.credentials };
	for (const type of new Set(Object.values(CREDENTIALS))) {
		made[type] ??= await host.n8n.createCredential(type, type, {});
	}
	return made;
}

/** Survey A knows its properties: after a run that creates one, n8n marks the output as old. */
const CRM_ROW = {
	Email: 'nathan@example.com',
	'First Name': 'Nathan',
	'Last Name': 'Smith',
	Company: 'Acme',
	Plan: 'Team',
	Seats: 12,
	'Renewal Date': '2027-03-04',
};

/** A node after a run, and a text of its output. */
interface Shown {
	workflow: WorkflowInput;
	output: string;
}

function shown({ host: { credentials } }: Setup): Record<string, Shown> {
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
	const fed = (row: object): WorkflowInput => {
		const workflow = {
			...rowsInto({ ...send, name: 'Tested' }, [row]),
			pinData: { Rows: [{ json: row }] },
		};
		return JSON.parse(JSON.stringify(workflow).replaceAll('"Tested"', JSON.stringify(send.name)));
	};
	const alone = (node: WorkflowNode) => ({ name: node.name, nodes: [node], connections: {} });
	return {
		'survey-a': { workflow: fed(CRM_ROW), output: 'queued' },
		'survey-a-skipped': { workflow: fed({ ...CRM_ROW, 'Opted Out': 'yes' }), output: 'skipped' },
		'survey-a-error': { workflow: fed({ ...CRM_ROW, Email: 'nathan' }), output: 'nathan' },
		'survey-b': { workflow: alone(read), output: '@' },
		'survey-a-trigger': { workflow: alone(triggerA), output: '@' },
		'survey-b-trigger': { workflow: alone(triggerB), output: '@' },
	};
}

/** n8n's message about a run, and the tooltip that it opens over the output of a trigger. */
const ABOVE_THE_NODE = '.el-notification, [data-reka-popper-content-wrapper]';

/** The four nodes after a run, in light and dark. */
async function nodes(setup: Setup): Promise<void> {
	const { browser, host, sandbox } = setup;
	for (const colorScheme of SCHEMES) {
		// The second picture begins with the same records as the first.
		sandbox.a.reset();
		sandbox.b.reset();
		sandbox.b.answer({ email: 'ada@acme.example', campaignId: 101, score: 3, comment: 'Too slow' });
		const page = await signIn(browser, host.n8n.url, { colorScheme });
		for (const [name, { workflow, output }] of Object.entries(shown(setup))) {
			await openWorkflow(page, host, workflow);
			// The editor stores the columns in an opened node: after a run, it would mark the output as old.
			const hasColumns = workflow.nodes.some(({ parameters = {} }) => 'columns' in parameters);
			const columns = hasColumns ? page.waitForResponse(/resource-mapper-fields/) : undefined;
			await page.getByTestId('canvas-node').last().dblclick();
			await columns;
			const run = '[data-test-id=node-execute-button], [data-test-id=trigger-execute-button]';
			await page.locator(run).first().click();
			const panel = page.getByTestId('output-panel').or(page.getByTestId('ndv-output-panel'));
			await panel.first().getByText(output).first().waitFor();
			await page.waitForTimeout(1500);
			await page.addStyleTag({ content: `${ABOVE_THE_NODE} { display: none !important; }` });
			await save(`docs/screens/${name}-${colorScheme}.webp`, page, WINDOW, 0.6);
		}
		await page.close();
	}
}

const PARTS: Record<string, (setup: Setup) => Promise<void>> = {
	examples: async (setup) => await examples(setup, EXAMPLES),
	nodes,
};

async function main(): Promise<number> {
	const { executable, missing } = findChromium(say);
	if (!executable) throw new Error(missing);
	process.env.SURVEYS_TARBALL ??= await builtPackage();
	const sandbox = await startSandbox();
	atEnd(async () => await sandbox.close());
	const host = await startHost(sandbox, WITH_EDITOR);
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
