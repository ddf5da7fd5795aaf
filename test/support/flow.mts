import { createHash } from 'node:crypto';

import { DateTime } from 'luxon';

import type { WorkflowInput, WorkflowNode } from '../../host/types.mts';
import type { FlowItem, FlowTables } from './flowTables.mts';

// Runs a workflow of n8n's own nodes in this process: as much of n8n as the examples with data tables use, in the same
// order. A simulation runs thousands of hours with it, and a unit test runs the text of one Code node.

type Outputs = FlowItem[][];
type Parameters = Record<string, unknown>;

/** The items that an item was made from, by the node that they came out of. */
const lineage = new WeakMap<FlowItem, ReadonlyMap<string, FlowItem>>();

/** Carries out a node that calls a service for one item, and returns the items of its response. */
type FlowService = (node: WorkflowNode, parameters: Parameters, item: FlowItem) => FlowItem[];

interface FlowOptions {
	tables: FlowTables;
	service: FlowService;
	/** Awaited before each node, so that a test can interleave two runs or stop one. */
	step: () => Promise<void>;
}

interface Target {
	node: string;
}

/** One execution of a workflow. */
export class Flow {
	private readonly runs = new Map<string, Outputs>();

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
			const outputs = this.outputsOf(next.node, next.items);
			this.runs.set(next.node.name, outputs);
			waiting.unshift(...this.targetsOf(next.node.name, outputs));
		}
	}

	private targetsOf(name: string, outputs: Outputs) {
		const connections: Array<Target[] | null> = Object(this.workflow.connections[name]).main ?? [];
		const found = connections.flatMap((targets, output) => {
			const items = outputs[output] ?? [];
			if (items.length === 0) return [];
			return (targets ?? []).map((target) => ({ node: this.nodeNamed(target.node), items }));
		});
		const placeOf = ({ node }: (typeof found)[number]) => node.position ?? [0, 0];
		return found.sort((a, b) => placeOf(a)[1] - placeOf(b)[1] || placeOf(a)[0] - placeOf(b)[0]);
	}

	private nodeNamed(name: string): WorkflowNode {
		const node = this.workflow.nodes.find((one) => one.name === name);
		if (!node) throw new Error(`The workflow has no node ${name}`);
		return node;
	}

	private outputsOf(node: WorkflowNode, given: FlowItem[]): Outputs {
		if (node.disabled === true) return [given];
		const items = node.executeOnce === true ? given.slice(0, 1) : given;
		const outputs = this.carryOut(node, items);
		const isEmpty = outputs.every((output) => output.length === 0);
		return isEmpty && node.alwaysOutputData === true ? [[{ json: {} }]] : outputs;
	}

	private carryOut(node: WorkflowNode, items: FlowItem[]): Outputs {
		const parametersOf = (item: FlowItem) =>
			Object(this.evaluated(node.parameters, item)) as Parameters;
		const each = (work: (item: FlowItem) => FlowItem[]) =>
			items.flatMap((item) => work(item).map((made) => madeFrom(made, item, node.name)));
		const { service, tables } = this.options;
		switch (node.type.replace('n8n-nodes-base.', '')) {
			case 'code':
				return [this.runCode(node, items)];
			case 'dataTable':
				return [each((item) => tables.carryOut(parametersOf(item), item))];
			case 'set':
				return [each((item) => [{ json: fieldsOf(parametersOf(item), item) }])];
			case 'if':
				return split(items, (item) => (conditionsHold(parametersOf(item)) ? 0 : 1), 2);
			case 'switch':
				return split(items, (item) => ruleThatHolds(parametersOf(item)), 4);
			case 'noOp':
				return [items];
			case 'removeDuplicates':
				// Only a mail comes after it.
				return [[]];
			default:
				return withErrorOutput(
					node,
					items,
					each((item) => service(node, parametersOf(item), item)),
				);
		}
	}

	private runCode({ name, parameters }: WorkflowNode, items: FlowItem[]): FlowItem[] {
		const values = { $input: accessTo([items]), $: this.accessFor(undefined), DateTime };
		const made = evaluate(String(parameters?.jsCode), values) as FlowItem[];
		// n8n pairs the items of equal lists by their place.
		return made.map((one, i) => madeFrom(one, items[made.length === items.length ? i : 0], name));
	}

	/** Returns n8n's `$` for an item. */
	private accessFor(item: FlowItem | undefined) {
		return (name: string) => {
			const outputs = this.runs.get(name);
			if (!outputs) return { isExecuted: false };
			const own = item && lineage.get(item)?.get(name);
			return { ...accessTo(outputs), item: own };
		};
	}

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

	private expression(text: string, item: FlowItem): unknown {
		// n8n adds a method to texts.
		const hash = (value: string) => createHash('sha256').update(value).digest('hex');
		const plain = text.replace(/^(.*)\.hash\('sha256'\)\s*$/s, 'hash($1)');
		return evaluate(`return (${plain})`, {
			$json: item.json,
			$: this.accessFor(item),
			$now: DateTime.now(),
			hash,
		});
	}
}

/** Notes what an item was made from. */
function madeFrom(made: FlowItem, from: FlowItem | undefined, node: string): FlowItem {
	const one = { ...made };
	lineage.set(one, new Map([...(from ? (lineage.get(from) ?? []) : []), [node, one]]));
	return one;
}

/** Moves items that failed to the error output, with the columns of the items that they were made from. */
function withErrorOutput({ onError }: WorkflowNode, items: FlowItem[], made: FlowItem[]): Outputs {
	if (onError !== 'continueErrorOutput') return [made];
	const withColumns = (one: FlowItem, i: number): FlowItem => {
		const moved = { json: { ...items[i]?.json, ...one.json } };
		const own = lineage.get(one);
		if (own) lineage.set(moved, own);
		return moved;
	};
	const all = made.map((one, i) => (one.json.error === undefined ? one : withColumns(one, i)));
	return split(all, ({ json }) => (json.error === undefined ? 0 : 1), 2);
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

/** Sorts items into outputs. */
function split(items: FlowItem[], outputOf: (item: FlowItem) => number, count: number): Outputs {
	const outputs: Outputs = Array.from({ length: count }, () => []);
	for (const item of items) outputs[outputOf(item)]?.push(item);
	return outputs;
}

interface Condition {
	leftValue: unknown;
	rightValue: unknown;
	operator: { operation: string };
}

function conditionsHold({ conditions }: Parameters): boolean {
	const list: Condition[] = Object(conditions).conditions;
	return list.every(({ leftValue, rightValue, operator }) =>
		operator.operation === 'true' ? leftValue === true : leftValue === rightValue,
	);
}

/** Returns the output of a Switch node: of the first rule that holds, or after the last. */
function ruleThatHolds({ rules }: Parameters): number {
	const list: Parameters[] = Object(rules).values;
	const found = list.findIndex(conditionsHold);
	return found < 0 ? list.length : found;
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
