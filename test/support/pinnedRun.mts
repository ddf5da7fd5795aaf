import { z } from 'zod';

import type { Execution, N8n, WorkflowInput, WorkflowNode } from '../../host/index.mts';
import { readExample } from './examples.mts';

const outputsSchema = z.record(z.array(z.array(z.object({ node: z.string() })).nullable()));

/** The oldest n8n that the package is tried on. */
const OLDEST = '1.123';

/** The node versions of the examples that a newer n8n has, with the first that has them. */
const SINCE: Record<string, string> = {
	// A human review step between an agent and its tools.
	'n8n-nodes-base.emailSendHitlTool 2.1': '2.6',
	'n8n-nodes-base.formTrigger 2.6': '2.25',
	'n8n-nodes-base.slack 2.7': '2.35',
};

/** Returns the oldest n8n that has all node versions of a workflow, such as `2.3`. */
export function minimumN8n({ nodes }: Pick<WorkflowInput, 'nodes'>): string {
	const needed = nodes.map(
		({ type, typeVersion = 1 }) => SINCE[`${type} ${typeVersion}`] ?? OLDEST,
	);
	return needed.reduce((one, other) => (isAtLeast(one, other) ? one : other), OLDEST);
}

/** Returns true if an n8n such as `2.20.12` is `minimum` or newer. */
export function isAtLeast(n8n: string, minimum: string): boolean {
	return n8n.localeCompare(minimum, 'en', { numeric: true }) >= 0;
}

/**
 * Imports an example as it is and executes it from each of its triggers with its pinned data.
 *
 * @throws unless each execution succeeds and every node that the sample data leads to outputs items
 */
export async function runPinned(n8n: N8n, name: string): Promise<void> {
	const workflow = readExample(name);
	const id = await n8n.createWorkflow(workflow);
	for (const trigger of workflow.nodes.filter(isTrigger)) {
		const run = await n8n.run(id, { trigger: trigger.name });
		const where = `${name}, from ${trigger.name}`;
		if (run.status !== 'success') {
			throw new Error(`${where}: ${run.status} at ${run.lastNode}: ${run.error?.message}`);
		}
		const silent = reached(workflow, trigger.name, run).filter((node) => isSilent(run, node));
		if (silent.length > 0) throw new Error(`${where}: no items at ${silent.join(', ')}`);
	}
}

const isTrigger = ({ type }: WorkflowNode) => /trigger$|\.(webhook|emailReadImap)$/i.test(type);
const outputsOf = (run: Execution, node: string) =>
	(run.nodes[node] ?? []).map(({ outputs }) => outputs);
const isSilent = (run: Execution, node: string) => outputsOf(run, node).flat(2).length === 0;

/** Returns the names of the nodes that a trigger leads to: by each output that items came out of. */
function reached({ connections }: WorkflowInput, trigger: string, run: Execution): string[] {
	const names = new Set([trigger]);
	for (const name of names) {
		const { main = [] } = outputsSchema.parse(connections[name] ?? {});
		const hasItems = (output: number) =>
			outputsOf(run, name).some((outputs) => (outputs[output] ?? []).length > 0);
		const targets = main.filter((_, output) => hasItems(output)).flatMap((list) => list ?? []);
		for (const { node } of targets) names.add(node);
	}
	return [...names];
}
