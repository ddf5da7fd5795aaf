import type { WorkflowInput } from '../../host/index.mts';

/** The oldest n8n that the package is tried on. */
const OLDEST = '1.123';

/** The versions of n8n's nodes that the examples use, with the first n8n that has them and what the examples use of them. */
const SINCE: Record<string, Record<string, string>> = {
	'@n8n/n8n-nodes-langchain.agent': { 3: OLDEST },
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': { 1.3: OLDEST },
	'n8n-nodes-base.code': { 2: OLDEST },
	'n8n-nodes-base.convertToFile': { 1.1: OLDEST },
	// The resource Table came with version 1.1.
	'n8n-nodes-base.dataTable': { 1: OLDEST, 1.1: '2.3' },
	'n8n-nodes-base.emailSend': { 2.1: OLDEST },
	// A human review step between an agent and its tools.
	'n8n-nodes-base.emailSendHitlTool': { 2.1: '2.6' },
	'n8n-nodes-base.executeWorkflowTrigger': { 1.1: OLDEST },
	'n8n-nodes-base.extractFromFile': { 1: OLDEST },
	'n8n-nodes-base.filter': { 2.2: OLDEST },
	'n8n-nodes-base.formTrigger': { 2.2: OLDEST, 2.6: '2.25' },
	'n8n-nodes-base.googleSheets': { 4.7: OLDEST },
	'n8n-nodes-base.httpRequest': { 4.2: OLDEST },
	'n8n-nodes-base.hubspot': { 2.2: OLDEST },
	'n8n-nodes-base.hubspotTrigger': { 1: OLDEST },
	'n8n-nodes-base.if': { 2.2: OLDEST },
	'n8n-nodes-base.manualTrigger': { 1: OLDEST },
	'n8n-nodes-base.merge': { 3: OLDEST },
	'n8n-nodes-base.noOp': { 1: OLDEST },
	'n8n-nodes-base.postgres': { 2.5: OLDEST, 2.6: OLDEST },
	'n8n-nodes-base.removeDuplicates': { 2: OLDEST },
	'n8n-nodes-base.salesforce': { 1: OLDEST },
	'n8n-nodes-base.salesforceTrigger': { 1: OLDEST },
	'n8n-nodes-base.scheduleTrigger': { 1.2: OLDEST },
	'n8n-nodes-base.set': { 3.4: OLDEST },
	'n8n-nodes-base.slack': { 2.3: OLDEST, 2.7: '2.35' },
	'n8n-nodes-base.sort': { 1: OLDEST },
	'n8n-nodes-base.splitInBatches': { 3: OLDEST },
	'n8n-nodes-base.splitOut': { 1: OLDEST },
	'n8n-nodes-base.stickyNote': { 1: OLDEST },
	'n8n-nodes-base.summarize': { 1.1: OLDEST },
	'n8n-nodes-base.webhook': { 2: OLDEST },
	'n8n-nodes-base.zendesk': { 1: OLDEST },
};

/**
 * Returns the oldest n8n that has all node versions of a workflow, such as `2.3`.
 *
 * @throws if a node version is not in the table
 */
export function minimumN8n({ nodes }: Pick<WorkflowInput, 'nodes'>): string {
	const needed = nodes
		.filter(({ type }) => !type.startsWith('n8n-nodes-surveys.'))
		.map(({ type, typeVersion = 1 }) => {
			const since = SINCE[type]?.[typeVersion];
			if (!since) throw new Error(`scripts/compat/minimum.mts has no ${type} ${typeVersion}`);
			return since;
		});
	return needed.reduce((one, other) => (isAtLeast(one, other) ? one : other), OLDEST);
}

/** Returns true if an n8n such as `2.20.12` is `minimum` or newer. */
export function isAtLeast(n8n: string, minimum: string): boolean {
	const [major = 0, minor = 0] = n8n.split('.').map(Number);
	const [majorNeeded = 0, minorNeeded = 0] = minimum.split('.').map(Number);
	return major > majorNeeded || (major === majorNeeded && minor >= minorNeeded);
}
