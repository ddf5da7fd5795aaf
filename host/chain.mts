import type { WorkflowInput } from './types.mts';

/** Returns the connections of nodes that follow one another. */
export function chain(...names: string[]): WorkflowInput['connections'] {
	return Object.fromEntries(
		names.slice(1).map((node, i) => [names[i], { main: [[{ node, type: 'main', index: 0 }]] }]),
	);
}
