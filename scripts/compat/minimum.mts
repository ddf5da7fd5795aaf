import type { WorkflowInput } from '../../host/index.mts';

/** The oldest n8n that the package is tried on. */
const OLDEST = '1.123';

/** The node versions of the examples that a newer n8n has, with the first that has them. `npm run compat` finds others. */
const SINCE: Record<string, string> = {
	// The resource Table came with version 1.1.
	'n8n-nodes-base.dataTable 1.1': '2.3',
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
