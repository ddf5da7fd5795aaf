import { NodeHelpers } from 'n8n-workflow';
import type { INode, INodeParameters, INodeTypeDescription } from 'n8n-workflow';

import type { WorkflowNode } from '../../host/index.mts';
import { SurveyA } from '../../nodes/SurveyA/SurveyA.node';
import { SurveyATrigger } from '../../nodes/SurveyA/SurveyATrigger.node';
import { SurveyB } from '../../nodes/SurveyB/SurveyB.node';
import { SurveyBTrigger } from '../../nodes/SurveyB/SurveyBTrigger.node';
import { EXAMPLES, emptyFields, fillIn, pictureSource, readExample } from '../support/examples.mts';
import { fileText } from '../support/files.mts';

/** A node and its name below it, in the editor's units. */
const NODE = { width: 160, height: 140 };

/** The sandbox's campaigns and member, whose values could be real ones in a user's account. */
const SANDBOX_VALUES = /"64a0{10,}\w*"|"101"|agent@example\.com|team@example\.com/;

interface Box {
	name: string;
	x: number;
	y: number;
	width: number;
	height: number;
}

function boxOf({ name, type, position = [0, 0], parameters = {} }: WorkflowNode): Box {
	const [x, y] = position;
	if (!isNote({ type })) return { name, x, y, ...NODE };
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

/** The nodes of n8n's own packages and of this one. */
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

/** What n8n adds to a node when it makes a tool of it; and a trigger to a node that polls. */
const ADDED = ['descriptionType', 'toolDescription', 'pollTimes'];

/** Returns the parameters that n8n keeps of a node: those that its description knows and shows. */
function keptParameters(node: WorkflowNode): INodeParameters | null {
	const description = descriptionOf(node);
	const given: INodeParameters = JSON.parse(JSON.stringify(node.parameters));
	const whole: INode = {
		id: '',
		name: node.name,
		type: node.type,
		typeVersion: node.typeVersion ?? 1,
		position: [0, 0],
		parameters: given,
	};
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

	test('no node or note covers another one', () => {
		const boxes = workflow.nodes.map(boxOf);
		const covered = boxes.flatMap((one, i) =>
			boxes
				.slice(i + 1)
				.filter((other) => overlap(one, other))
				.map((other) => `${one.name} and ${other.name}`),
		);
		expect(covered).toEqual([]);
	});

	test('every note says what to change', () => {
		expect(notes).not.toEqual([]);
		for (const note of notes) expect(note).toContain('**Change:**');
	});

	test('the notes name every node with an empty field', () => {
		const unnamed = nodes
			.filter(({ parameters = {} }) => emptyFields(parameters).length > 0)
			.filter((node) => !notes.some((note) => note.includes(`*${node.name}*`)));
		expect(unnamed.map((node) => node.name)).toEqual([]);
	});

	test('each node is named for what it does, and has no credential', () => {
		for (const { name, credentials = {} } of nodes) {
			expect(name).not.toMatch(/\d$|^(Survey [AB]|HTTP Request)$/);
			for (const { id } of Object.values(credentials)) expect(id).toBe('');
		}
	});

	test('no parameter has a value of the sandbox', () => {
		expect(JSON.stringify(nodes.map(({ parameters }) => parameters))).not.toMatch(SANDBOX_VALUES);
	});

	test.each(nodes.map((node) => [node.name, node] as const))(
		'%s: n8n shows every parameter that is set',
		(_, node) => {
			const given = Object.entries(node.parameters ?? {}).filter(([key]) => !ADDED.includes(key));
			expect(keptParameters(node)).toMatchObject(Object.fromEntries(given));
		},
	);

	test('with sample data, every node that needs an account is pinned and names no credential', () => {
		const { pinData } = workflow;
		if (!pinData) return;
		const needsAccount = (node: WorkflowNode) => descriptionOf(node).credentials !== undefined;
		const accounts = nodes.filter(needsAccount);
		expect(Object.keys(pinData)).toEqual(expect.arrayContaining(accounts.map((node) => node.name)));
		// n8n runs no workflow with an unknown credential.
		expect(nodes.filter(({ credentials }) => credentials)).toEqual([]);
	});

	test('examples/README.md lists it with its picture', () => {
		expect(fileText('examples/README.md')).toContain(`(${name}.json)`);
		expect(fileText('examples/README.md')).toContain(`(pictures/${name}.webp)`);
		expect(fileText(`examples/pictures/${name}.webp`)).not.toBe('');
	});

	test('its picture shows it as it is now (npm run screens -- examples)', () => {
		const sources = JSON.parse(fileText('examples/pictures/sources.json'));
		expect(sources[name]).toBe(pictureSource(workflow));
	});
});

test('eight examples have pinned sample data', () => {
	const pinned = EXAMPLES.filter((name) => readExample(name).pinData);
	expect(pinned).toHaveLength(8);
});

test('fillIn fills in empty campaigns, members and URLs, and leaves other values alone', () => {
	const { nodes } = fillIn(readExample('route-detractors'), {}, 'http://office.example');
	const parameters = (name: string) => nodes.find((node) => node.name === name)?.parameters;
	expect(parameters('Reply')).toMatchObject({ fromUser: 'agent@example.com' });
	expect(parameters('Open Ticket')).toMatchObject({ url: 'http://office.example/open-ticket' });
	expect(parameters('Close Feedback')).toMatchObject({ status: 'CLOSED' });
});
