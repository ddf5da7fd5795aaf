// `npm run screens`: takes the pictures in examples/pictures and docs/screens from a real n8n.
// Arguments choose a part: examples, nodes, surveyA, surveyB (all panels of a service on one sheet), or one example.
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

/** The column with the parameters of an opened node. */
const PARAMETERS = { x: 591, y: 66, width: 420 };

/** The editor's own buttons, which would cover nodes. */
const WITHOUT_BUTTONS = `
	[data-test-id=canvas-controls], [class*=executionButtons], [data-test-id=node-creator-plus-button],
	[data-test-id=command-bar-button], [data-test-id=add-sticky-button], [data-test-id=toggle-focus-panel-button] {
		opacity: 0 !important;
	}
`;

async function capture(page: Page, box: Box, scale: number, quality = 60): Promise<string> {
	const session = await page.context().newCDPSession(page);
	const clip = { ...box, scale };
	const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality, clip });
	await session.detach();
	return data;
}

async function save(path: string, page: Page, box: Box, scale: number): Promise<void> {
	const file = join(ROOT, path);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, Buffer.from(await capture(page, box, scale), 'base64'));
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

const propertySchema = z.object({
	name: z.string(),
	type: z.string(),
	default: z.unknown(),
	options: z
		.array(z.object({ name: z.string(), value: z.unknown(), default: z.unknown() }))
		.optional(),
	displayOptions: z
		.object({ show: z.record(z.string(), z.array(z.unknown())).optional() })
		.optional(),
});

type Property = z.infer<typeof propertySchema>;

const titled = (name: string) => name.replace(/(?=[A-Z])/g, ' ').toLowerCase();

/** Returns one node for each operation, with every optional field added. */
function panelNodes(
	type: string,
	properties: Property[],
	credentials: WorkflowNode['credentials'],
): WorkflowNode[] {
	const isFor = ({ displayOptions }: Property, name: string, value: unknown) =>
		displayOptions?.show?.[name]?.includes(value) === true;
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap((selector) => {
			const [resource] = selector.displayOptions?.show?.resource ?? [];
			// n8n adds an operation of its own, which has no panel.
			const own = (selector.options ?? []).filter(({ value }) => !String(value).startsWith('__'));
			return own.map(({ value: operation }): WorkflowNode => {
				const collections = properties.filter(
					(one) =>
						one.type === 'collection' &&
						isFor(one, 'resource', resource) &&
						isFor(one, 'operation', operation),
				);
				const name = `${titled(String(resource))}: ${titled(String(operation))}`;
				const added = Object.fromEntries(collections.map((one) => [one.name, allOf(one)]));
				return { name, type, parameters: { resource, operation, ...added }, credentials };
			});
		});
}

function allOf({ options = [] }: Property) {
	return Object.fromEntries(options.map((option) => [option.name, option.default]));
}

/** Every panel of a service, with every option added, on one sheet. */
async function panels({ browser, host }: Stage, service: 'A' | 'B'): Promise<void> {
	const type = `n8n-nodes-surveys.survey${service}`;
	const credentials = { [`survey${service}Api`]: host.credentials[`survey${service}Api`] };
	const read = async (name: string, version?: number) =>
		z.array(propertySchema).parse((await host.n8n.nodeType(name, version)).properties);
	const version = service === 'B' ? 1.1 : 1;
	const trigger = (await read(`${type}Trigger`, version)).filter(
		({ type: kind }) => kind === 'collection',
	);
	const all: WorkflowNode[] = [
		...panelNodes(type, await read(type), credentials),
		{
			name: 'trigger',
			type: `${type}Trigger`,
			typeVersion: version,
			parameters: Object.fromEntries(trigger.map((one) => [one.name, allOf(one)])),
			credentials,
		},
	];
	const placed = all.map((node, i) => ({ ...node, id: `panel-${i}` }));
	const page = await signIn(browser, host.n8n.url, { viewport: { width: 1600, height: 2000 } });
	const id = await openWorkflow(page, host, {
		name: `Panels of Survey ${service}`,
		nodes: placed,
		connections: {},
	});
	const figures: string[] = [];
	for (const node of placed) {
		// The editor's router opens a node sooner than a reload of the editor.
		await page.evaluate((path) => {
			history.pushState(history.state, '', path);
			dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
		}, `/workflow/${id}/${node.id}`);
		const header = page.getByTestId('node-title-container').or(page.getByTestId('ndv-header'));
		await header.filter({ hasText: node.name }).first().waitFor();
		const items = page.getByTestId('parameter-item');
		await items.first().waitFor();
		await page.waitForTimeout(500);
		const bottoms = await items.evaluateAll((found) =>
			found.map((one) => one.getBoundingClientRect().bottom),
		);
		const height = Math.min(1900, Math.max(...bottoms) - PARAMETERS.y + 50);
		const data = await capture(page, { ...PARAMETERS, height }, 0.6, 80);
		figures.push(
			`<figure><figcaption>${node.name}</figcaption><img src="data:image/webp;base64,${data}"></figure>`,
		);
	}
	await page.setViewportSize({ width: 1600, height: 1000 });
	await page.setContent(
		`<!doctype html><style>body{margin:8px;columns:6;column-gap:8px;font:bold 12px sans-serif}figure{margin:0 0 12px;break-inside:avoid}img{width:100%}</style>${figures.join('')}`,
	);
	await page.waitForFunction(() => Array.from(document.images).every(({ complete }) => complete));
	const height = await page.evaluate(() => document.documentElement.scrollHeight);
	await page.setViewportSize({ width: 1600, height });
	const sheet = { x: 0, y: 0, width: 1600, height };
	await save(`docs/screens/panels-survey-${service.toLowerCase()}.webp`, page, sheet, 1);
	await page.close();
}

const PARTS: Record<string, (stage: Stage) => Promise<void>> = {
	examples: async (stage) => await examples(stage, EXAMPLES),
	nodes,
	surveyA: async (stage) => await panels(stage, 'A'),
	surveyB: async (stage) => await panels(stage, 'B'),
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
