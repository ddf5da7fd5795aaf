import { DateTime } from 'luxon';

import type { WorkflowInput, WorkflowNode } from '../../host/types.mts';
import type { FlowItem, FlowTables } from './flowTables.mts';

// Runs a workflow of n8n's own nodes in this process: as much of n8n as the examples with data tables use, in the same
// order. A simulation runs thousands of hours with it, and a unit test runs the text of one Code node.

type Outputs = FlowItem[][];
type Parameters = Record<string, unknown>;

/** Carries out a node that calls a service, and returns the items of its first output. */
type FlowService = (
	node: WorkflowNode,
	items: FlowItem[],
	parametersOf: (item: FlowItem) => Parameters,
) => Promise<FlowItem[]>;

interface FlowOptions {
	tables: FlowTables;
	service: FlowService;
	/** Awaited before each node, so that a test can interleave two runs or stop one. */
	step: () => Promise<void>;
	executionId: string;
}

interface Target {
	node: string;
}

/** A Stop and Error node's message. */
export class FlowError extends Error {}

/** One execution of a workflow. */
export class Flow {
	private readonly runs = new Map<string, Outputs>();

	/** The items that each Split in Batches node has left. */
	private readonly batches = new Map<string, FlowItem[]>();

	constructor(
		private readonly workflow: WorkflowInput,
		private readonly options: FlowOptions,
	) {}

	/** Runs the nodes after a trigger, one branch after the other, the upper one first. */
	async run(trigger: string, items: FlowItem[] = [{ json: {} }]): Promise<void> {
		this.runs.set(trigger, [items]);
		const waiting = this.targetsOf(trigger, [items]);
		for (let next = waiting.shift(); next; next = waiting.shift()) {
			await this.options.step();
			const outputs = await this.outputsOf(next.node, next.items);
			this.runs.set(next.node.name, outputs);
			waiting.unshift(...this.targetsOf(next.node.name, outputs));
		}
	}

	items(name: string, output = 0): FlowItem[] {
		return this.runs.get(name)?.[output] ?? [];
	}

	private targetsOf(name: string, outputs: Outputs) {
		const connections: Array<Target[] | null> = Object(this.workflow.connections[name]).main ?? [];
		return connections.flatMap((targets, output) => {
			const items = outputs[output] ?? [];
			if (items.length === 0) return [];
			const nodes = (targets ?? []).map((target) => this.nodeNamed(target.node));
			const byPlace = (node: WorkflowNode) => node.position ?? [0, 0];
			nodes.sort((a, b) => byPlace(a)[1] - byPlace(b)[1] || byPlace(a)[0] - byPlace(b)[0]);
			return nodes.map((node) => ({ node, items }));
		});
	}

	private nodeNamed(name: string): WorkflowNode {
		const node = this.workflow.nodes.find((one) => one.name === name);
		if (!node) throw new Error(`The workflow has no node ${name}`);
		return node;
	}

	private async outputsOf(node: WorkflowNode, given: FlowItem[]): Promise<Outputs> {
		if (node.disabled === true) return [given];
		const items = node.executeOnce === true ? given.slice(0, 1) : given;
		const outputs = await this.carryOut(node, items);
		const isEmpty = outputs.every((output) => output.length === 0);
		return isEmpty && node.alwaysOutputData === true ? [[{ json: {} }]] : outputs;
	}

	private async carryOut(node: WorkflowNode, items: FlowItem[]): Promise<Outputs> {
		const parametersOf = (item: FlowItem) =>
			Object(this.evaluated(node.parameters, item)) as Parameters;
		const { service, tables } = this.options;
		switch (node.type.replace('n8n-nodes-base.', '')) {
			case 'code':
				return [this.runCode(String(node.parameters?.jsCode), items)];
			case 'dataTable':
				return [items.flatMap((item) => tables.carryOut(parametersOf(item), item))];
			case 'set':
				return [items.map((item) => ({ json: fieldsOf(parametersOf(item), item) }))];
			case 'if':
				return split(items, (item) => conditionsHold(parametersOf(item)));
			case 'noOp':
				return [items];
			case 'splitInBatches':
				return this.nextBatch(node.name, items);
			case 'stopAndError':
				throw new FlowError(String(parametersOf(items[0] ?? { json: {} }).errorMessage));
			default:
				return [await service(node, items, parametersOf)];
		}
	}

	private nextBatch(name: string, items: FlowItem[]): Outputs {
		const left = this.batches.get(name) ?? [...items];
		const next = left.splice(0, 1);
		this.batches.set(name, left);
		return next.length > 0 ? [[], next] : [items, []];
	}

	private runCode(text: string, items: FlowItem[]): FlowItem[] {
		const values = { $input: accessTo([items]), $: this.access, DateTime };
		return evaluate(text, values) as FlowItem[];
	}

	private readonly access = (name: string) => {
		const outputs = this.runs.get(name);
		return outputs ? accessTo(outputs) : { isExecuted: false };
	};

	private evaluated(value: unknown, item: FlowItem): unknown {
		if (typeof value === 'string') return value.startsWith('=') ? this.text(value, item) : value;
		if (typeof value !== 'object' || value === null) return value;
		if (Array.isArray(value)) return value.map((one) => this.evaluated(one, item));
		// The schema of a mapper has no expressions.
		const entries = Object.entries(value).filter(([key]) => key !== 'schema');
		return Object.fromEntries(entries.map(([key, one]) => [key, this.evaluated(one, item)]));
	}

	/** Returns the value of `={{ … }}`, or a text with the values of all `{{ … }}` in it. */
	private text(text: string, item: FlowItem): unknown {
		const [, whole] = /^=\{\{((?:(?!\}\}).)*)\}\}$/s.exec(text) ?? [];
		if (whole !== undefined) return this.expression(whole, item);
		return text
			.slice(1)
			.replace(/\{\{(.*?)\}\}/gs, (_, inside) => String(this.expression(inside, item)));
	}

	private expression(text: string, { json }: FlowItem): unknown {
		const { executionId } = this.options;
		return evaluate(`return (${text})`, {
			$json: json,
			$: this.access,
			$now: DateTime.now(),
			$execution: { id: executionId },
		});
	}
}

/** Runs the text of a Code node alone, with the items of other nodes by name: of each, the one at the same position. */
export function runCodeNode(
	node: WorkflowNode | undefined,
	items: object[],
	others: Record<string, object[] | object[][]> = {},
): Array<Record<string, unknown>> {
	const toItems = (list: object[]) => list.map((json) => ({ json: { ...json } }));
	const run = (values: object, position = 0) => {
		const $ = (name: string) => {
			const given = others[name];
			if (!given) return { isExecuted: false };
			const outputs = (Array.isArray(given[0]) ? (given as object[][]) : [given]).map(toItems);
			return { ...accessTo(outputs), item: outputs.flat()[position] };
		};
		const results = evaluate(String(node?.parameters?.jsCode), { ...values, $, DateTime });
		return [results as FlowItem | FlowItem[]].flat().map(({ json }) => json);
	};
	const given = toItems(items);
	if (node?.parameters?.mode !== 'runOnceForEachItem') return run({ $input: accessTo([given]) });
	return given.flatMap((item, i) => run({ $input: { item }, $json: item.json }, i));
}

function accessTo(outputs: Outputs) {
	// n8n takes the output that leads to the node that asks: here, the one that has items.
	const connected = outputs.find((items) => items.length > 0) ?? [];
	return {
		isExecuted: true,
		all: (output?: number) => (output === undefined ? connected : (outputs[output] ?? [])),
		first: () => connected[0],
	};
}

const compiled = new Map<string, (...values: unknown[]) => unknown>();

/** Evaluates the body of a function, whose text comes from an example. */
function evaluate(body: string, values: Record<string, unknown>): unknown {
	const names = Object.keys(values);
	const key = `${names.join()} ${body}`;
	const known = compiled.get(key) ?? new Function(...names, body);
	compiled.set(key, known as (...values: unknown[]) => unknown);
	return known(...Object.values(values));
}

function split(items: FlowItem[], holds: (item: FlowItem) => boolean): Outputs {
	const yes = items.map(holds);
	return [items.filter((_, i) => yes[i]), items.filter((_, i) => !yes[i])];
}

function conditionsHold({ conditions }: Parameters): boolean {
	const list: Array<{ leftValue: unknown; rightValue: unknown; operator: { operation: string } }> =
		Object(conditions).conditions;
	return list.every(({ leftValue, rightValue, operator }) =>
		operator.operation === 'true' ? leftValue === true : leftValue === rightValue,
	);
}

/** Returns the fields that an Edit Fields node sets. A dot in a name makes an object. */
function fieldsOf(parameters: Parameters, { json }: FlowItem): Record<string, unknown> {
	if (parameters.mode === 'raw') return Object(parameters.jsonOutput);
	const fields: Record<string, unknown> = parameters.includeOtherFields === true ? { ...json } : {};
	for (const { name, value, type } of Object(parameters.assignments).assignments) {
		const [outer, inner] = String(name).split('.');
		const given = type === 'array' && typeof value === 'string' ? JSON.parse(value) : value;
		if (outer === undefined) continue;
		fields[outer] = inner === undefined ? given : { ...Object(fields[outer]), [inner]: given };
	}
	return fields;
}
