import { readdirSync } from 'node:fs';

import type { WorkflowInput, WorkflowNode } from '../../host/index.mts';
import { fileText } from '../support/files.mts';

// What a reader sees of an example: nothing covers anything, notes say what to change, names say what is done.

const FILES = readdirSync('examples').filter((file) => file.endsWith('.json'));

/** A node and its name below it, in the editor's units. */
const NODE = { width: 160, height: 140 };

interface Box {
	name: string;
	x: number;
	y: number;
	width: number;
	height: number;
}

function boxOf({ name, type, position = [0, 0], parameters = {} }: WorkflowNode): Box {
	const [x, y] = position;
	if (!type.endsWith('stickyNote')) return { name, x, y, ...NODE };
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

describe.each(FILES)('%s', (file) => {
	const workflow: WorkflowInput = JSON.parse(fileText(`examples/${file}`));

	test('covers nothing with anything', () => {
		const boxes = workflow.nodes.map(boxOf);
		const covered = boxes.flatMap((one, i) =>
			boxes
				.slice(i + 1)
				.filter((other) => overlap(one, other))
				.map((other) => `${one.name} and ${other.name}`),
		);
		expect(covered).toEqual([]);
	});

	test('has notes that name what to change', () => {
		const notes = workflow.nodes
			.filter(({ type }) => type.endsWith('stickyNote'))
			.map(({ parameters }) => String(parameters?.content));
		expect(notes).not.toEqual([]);
		for (const note of notes) expect(note).toContain('**Change:**');
	});

	test('names each node for what it does, and holds no credential', () => {
		for (const { name, type, credentials = {} } of workflow.nodes) {
			if (!type.endsWith('stickyNote'))
				expect(name).not.toMatch(/\d$|^(Survey [AB]|HTTP Request)$/);
			for (const { id } of Object.values(credentials)) expect(id).toBe('');
		}
	});

	test('is told of in examples/README.md', () => {
		expect(fileText('examples/README.md')).toContain(`(${file})`);
	});
});
