import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodeTypeDescription } from 'n8n-workflow';

import type { WorkflowNode } from '../../host/index.mts';
import { SurveyA } from '../../nodes/SurveyA/SurveyA.node';
import { SurveyATrigger } from '../../nodes/SurveyA/SurveyATrigger.node';
import { SurveyB } from '../../nodes/SurveyB/SurveyB.node';
import { SurveyBTrigger } from '../../nodes/SurveyB/SurveyBTrigger.node';
import { isAtLeast, minimumN8n } from '../support/pinnedRun.mts';
import { nodeOf } from '../support/engine';
import { EXAMPLES, emptyFields, fillIn, pictureSource, readExample } from '../support/examples.mts';
import { fileText } from '../support/files.mts';

/** The box of a node in the editor's units. Its name and subtitle are centered below it, and wider than the node. */
const NODE = { left: 48, width: 192, height: 145, longName: 24, nameLine: 20 };
const AGENT_WIDTH = 256;

/** IDs and addresses of the sandbox. */
const SANDBOX_VALUES = /"64a0{10,}\w*"|[":]10[1-4]\b|agent@example\.com|team@example\.com/;

interface Box {
	name: string;
	x: number;
	y: number;
	width: number;
	height: number;
}

function boxOf({ name, type, position = [0, 0], parameters = {} }: WorkflowNode): Box {
	const [x, y] = position;
	if (type.endsWith('.agent')) return { name, x, y, width: AGENT_WIDTH, height: NODE.height };
	if (!isNote({ type })) {
		const height = NODE.height + (name.length > NODE.longName ? NODE.nameLine : 0);
		return { name, x: x - NODE.left, y, width: NODE.width, height };
	}
	return { name, x, y, width: Number(parameters.width), height: Number(parameters.height) };
}

function overlap(one: Box, other: Box): boolean {
	return (
		one.x < other.x + other.width &&
		other.x < one.x + one.width &&
		one.y < other.y + other.height &&
		other.y < one.y + one.height
	);
}

const isNote = ({ type }: Pick<WorkflowNode, 'type'>) => type.endsWith('stickyNote');

const TYPES: INodeTypeDescription[] = [
	...['n8n-nodes-base', '@n8n/n8n-nodes-langchain'].flatMap((name) =>
		JSON.parse(fileText(`host/node_modules/${name}/dist/types/nodes.json`)),
	),
	...[new SurveyA(), new SurveyATrigger(), new SurveyB(), new SurveyBTrigger()].map(
		({ description }) => description,
	),
];

function descriptionOf({ type, typeVersion = 1 }: WorkflowNode): INodeTypeDescription {
	const name = type.replace(/^.*\.|(Hitl)?Tool$/g, '');
	const found = TYPES.find(
		(one) => one.name === name && [one.version].flat().includes(typeVersion),
	);
	if (!found) throw new Error(`n8n has no version ${typeVersion} of ${type}`);
	return { ...found, name: type.replace(/^.*\./, '') };
}

/** Parameters that n8n adds to tools and to polling triggers. */
const ADDED = ['descriptionType', 'toolDescription', 'pollTimes'];

/** Returns the parameters that n8n keeps: those that the node's description has and shows. */
function keptParameters(node: WorkflowNode): INodeParameters | null {
	const description = descriptionOf(node);
	const given: INodeParameters = JSON.parse(JSON.stringify(node.parameters));
	const whole = { ...nodeOf(node.name, node.type, given), typeVersion: node.typeVersion ?? 1 };
	return NodeHelpers.getNodeParameters(
		description.properties,
		given,
		true,
		false,
		whole,
		description,
	);
}

describe.each(EXAMPLES)('%s', (name) => {
	const workflow = readExample(name);
	const nodes = workflow.nodes.filter((node) => !isNote(node));
	const notes = workflow.nodes.filter(isNote).map(({ parameters }) => String(parameters?.content));

	test('has no overlapping nodes and notes', () => {
		const boxes = workflow.nodes.map(boxOf);
		const covered = boxes.flatMap((one, i) =>
			boxes
				.slice(i + 1)
				.filter((other) => overlap(one, other))
				.map((other) => `${one.name} and ${other.name}`),
		);
		expect(covered).toEqual([]);
	});

	test('has a note that says first what to set, and then what ends unseen', () => {
		expect(notes).not.toEqual([]);
		for (const note of notes) {
			// The heading, what to set, what it does, and what nobody hears of.
			expect(note).toMatch(/^## .+\n\*\*Change:\*\* /);
			expect(note).toMatch(/\n\*\*What ends unseen:\*\* /);
		}
	});

	test('names every node with an empty field in a note', () => {
		const unnamed = nodes
			.filter(({ parameters = {} }) => emptyFields(parameters).length > 0)
			.filter((node) => !notes.some((note) => note.includes(`*${node.name}*`)));
		expect(unnamed.map((node) => node.name)).toEqual([]);
	});

	test('has nodes with descriptive names and without credentials', () => {
		for (const { name, credentials = {} } of nodes) {
			expect(name).not.toMatch(/\d$|^(Survey [AB]|HTTP Request)$/);
			for (const { id } of Object.values(credentials)) expect(id).toBe('');
		}
	});

	test('has no webhook ID at its triggers, so that n8n publishes a second import, too', () => {
		// The editor gives the trigger of a form a new one.
		const triggers = nodes.filter(({ type }) => /(?<!\.form)Trigger$/.test(type));
		for (const trigger of triggers) expect(trigger).not.toHaveProperty('webhookId');
	});

	test('has no value of the sandbox in its parameters and pinned data', () => {
		const given = [nodes.map(({ parameters }) => parameters), workflow.pinData];
		expect(JSON.stringify(given)).not.toMatch(SANDBOX_VALUES);
	});

	test('states in its first note and in examples/README.md the oldest n8n that has its node versions', () => {
		const minimum = minimumN8n(workflow);
		expect(notes[0]).toContain(`Needs n8n ${minimum} or newer.`);
		const row = fileText('examples/README.md')
			.split('\n')
			.find((line) => line.includes(`(${name}.json)`));
		expect(row).toContain(`| ${minimum} |`);
	});

	test.each(nodes.map((node) => [node.name, node] as const))(
		'sets only parameters that n8n shows: %s',
		(_, node) => {
			const given = Object.entries(node.parameters ?? {}).filter(([key]) => !ADDED.includes(key));
			expect(keptParameters(node)).toMatchObject(Object.fromEntries(given));
		},
	);

	test('needs no data table, and no node of its own that stops the run: Retry goes on at the node that failed', () => {
		const types = nodes.map(({ type }) => type.replace(/^.*\./, ''));
		expect(types).not.toContain('dataTable');
		expect(types).not.toContain('stopAndError');
	});

	test('keeps the dots in the names of columns that Edit Fields restores', () => {
		const restoring = nodes.filter(({ parameters }) =>
			/JSON\.parse|fromEntries/.test(String(parameters?.jsonOutput)),
		);
		for (const { parameters } of restoring) {
			expect(parameters?.options).toEqual({ dotNotation: false });
		}
	});

	test('pins every node that needs an account or calls a URL', () => {
		// A Wait node has a credential only for a webhook that resumes it.
		const needsPin = (node: WorkflowNode) =>
			descriptionOf(node).credentials !== undefined && !node.type.endsWith('.wait');
		const isSubnode = ({ name }: WorkflowNode) =>
			Object.keys(workflow.connections[name] ?? {}).some((type) => type.startsWith('ai_'));
		const outside = nodes.filter((node) => needsPin(node) && !isSubnode(node));
		const agents = nodes.filter(({ type }) => /\.(agent|informationExtractor)$/.test(type));
		const needed = [...outside, ...agents].map((node) => node.name);
		expect(Object.keys(workflow.pinData ?? {})).toEqual(expect.arrayContaining(needed));
		// n8n refuses to run a workflow with an unknown credential.
		expect(nodes.filter(({ credentials }) => credentials)).toEqual([]);
	});

	test('is listed with its picture in examples/README.md', () => {
		expect(fileText('examples/README.md')).toContain(`(${name}.json)`);
		expect(fileText('examples/README.md')).toContain(`(pictures/${name}.webp)`);
		expect(fileText(`examples/pictures/${name}.webp`)).not.toBe('');
	});

	test('has a picture of its current state (npm run screens -- examples)', () => {
		const sources = JSON.parse(fileText('examples/pictures/sources.json'));
		expect(sources[name]).toBe(pictureSource(workflow));
	});
});

test.each([
	['2.20.12', '2.3', true],
	['2.3.6', '2.6', false],
	['1.123.81', '1.123', true],
	['1.123.81', '2.3', false],
])('n8n %s is at least %s: %s', (n8n, minimum, expected) => {
	expect(isAtLeast(n8n, minimum)).toBe(expected);
});

test('fillIn fills in empty campaigns, members and URLs, and leaves other values alone', () => {
	const { nodes } = fillIn(readExample('route-detractors'), {}, 'http://receiver.example');
	const parameters = (name: string) => nodes.find((node) => node.name === name)?.parameters;
	expect(parameters('Reply')).toMatchObject({ fromUser: 'agent@example.com' });
	expect(parameters('Open Ticket')).toMatchObject({ url: 'http://receiver.example/open-ticket' });
	expect(parameters('Close Feedback')).toMatchObject({ status: 'CLOSED' });
});

test('a webhook of an example asks for a secret header', () => {
	const webhooks = EXAMPLES.flatMap((name) =>
		readExample(name).nodes.filter(({ type }) => type.endsWith('.webhook')),
	);
	expect(webhooks).toHaveLength(2);
	for (const { parameters } of webhooks) expect(parameters?.authentication).toBe('headerAuth');
});
