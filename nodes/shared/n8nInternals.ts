import { WebhookPathTakenError } from 'n8n-workflow';
import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IExecuteData,
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeProperties,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

// Everything here relies on n8n code that no documentation promises. Each entry names the versions in which it was read
// or run. Tests fail when n8n changes it: test/contract/n8nInternals.test.ts,
// test/contract/rows/credentialByExpression.test.ts, test/n8n/n8nInternals.test.mts, test/n8n/nodeTypes.test.mts, and in
// test/unit/shared: agentTool, earlierTries, failure.

/**
 * How long n8n takes to publish, in ms (read in 2.41.1; since 2.40). After each try that failed, it calls `delete`.
 */
export const PUBLISH_MS = {
	/** n8n cancels the publish. */
	deadline: 84_000,
	/** Between the tries: all, and the longest. */
	pauses: 15_000,
	longestPause: 8_000,
	/** Our limit for all tries, so that the publish with a service that is down ends within a minute. */
	tries: 40_000,
};
/** How often n8n tries to publish. */
export const PUBLISH_TRIES = 5;

/**
 * The last webhook of a trigger, which nobody calls. n8n stores each one before it calls `create` for it. After n8n ended during a
 * publish, it calls `create` again only if one of them is not stored (read and run in 2.41.1; since 2.40).
 */
export const END_OF_PUBLISH = { name: 'setup', httpMethod: 'HEAD' } as const;

/**
 * Sends a request in a credential test. n8n 1.123 to 2.41 give a test function no helper but the old `request`. The
 * declarative test of a credential needs none, but it waits five minutes for a response, shows a lost connection as
 * `ECONNREFUSED`, cannot say where a redirect leads, and knows nothing of Requests per Minute.
 */
export async function credentialTestRequest(
	{ helpers }: Pick<ICredentialTestFunctions, 'helpers'>,
	request: IHttpRequestOptions,
): Promise<unknown> {
	const { request: send } = helpers;
	const response: unknown = await send({
		...request,
		json: true,
		useStream: true,
		resolveWithFullResponse: true,
		simple: false,
		followRedirect: false,
	});
	return response;
}

/**
 * n8n 1.123 to 2.41 evaluates the expressions of a credential for any index: for an item that does not exist, secrets and
 * variables have the same value, and values of items do not.
 */
export async function takesValuesOfItems(
	context: IAllExecuteFunctions,
	type: string,
	data: ICredentialDataDecryptedObject,
): Promise<boolean> {
	const items: unknown = 'getInputData' in context ? context.getInputData() : [];
	if (!Array.isArray(items) || items.length < 2) return false;
	const other = await context.getCredentials(type, items.length).catch(() => undefined);
	return JSON.stringify(other) !== JSON.stringify(data);
}

/**
 * Calls a function when n8n takes the items that a poll is about to return. n8n drops them if the workflow is published
 * again during the poll. n8n 1.123 to 2.41 calls `__emit` of the poll's context with the items that it takes.
 */
export function whenEmitted(context: IPollFunctions, done: () => void): void {
	const emit = context.__emit;
	context.__emit = (...items) => {
		context.__emit = emit;
		done();
		emit.apply(context, items);
	};
}

/**
 * Stores what a poll without items remembers. n8n's durable scheduler does it itself, except for the poll that publishes a
 * workflow (run in 2.41.1): its first scheduled poll would begin anew after a restart.
 */
export async function storeCursor(context: IPollFunctions): Promise<void> {
	await context.__commitCursor?.();
}

/** How long n8n lets a poll take if it sets no budget, in ms. */
const DEFAULT_BUDGET = 300_000;

/** Only n8n's durable scheduler (seen in 2.41.1) sets a budget, in ms. */
export function pollBudget(context: IPollFunctions): number {
	return 'getPollBudgetMs' in context ? context.getPollBudgetMs() : DEFAULT_BUDGET;
}

/** n8n's durable scheduler creates a context for each poll; otherwise all polls since an activation share one. */
export function isDurable(context: IPollFunctions): boolean {
	return pollBudget(context) < DEFAULT_BUDGET;
}

/** True if a workflow is activated without a user: n8n starts, or another n8n process takes over. */
export function isUnattended(context: IPollFunctions | IHookFunctions): boolean {
	return ['init', 'leadershipChange'].includes(context.getActivationMode());
}

/**
 * After this error, n8n does not try again to publish. n8n 2.40 to 2.41 try again after every other one; earlier versions
 * never do.
 */
export function notTriedAgain({ name }: INode, message: string): Error {
	return Object.assign(new WebhookPathTakenError(name), { message });
}

/** Describes the process of n8n (read in 1.123.81 to 2.41.1). */
export function processOf(context: IHookFunctions | IWebhookFunctions) {
	const settings: unknown = 'instanceSettings' in context ? context.instanceSettings : undefined;
	const { instanceType, isMultiMain, isFollower } = Object(settings);
	return {
		/** True for a main process that does not lead. Before 2.40, it may unpublish a workflow that the leading one publishes. */
		isFollower: isFollower === true,
		/** True if no other process takes deliveries: there are no webhook processors, and one main process. */
		isOnlyReceiver: instanceType !== 'webhook' && isMultiMain !== true,
	};
}

/**
 * Marks an item as failed, so that n8n moves it to the error output, whatever its JSON and binary data hold.
 *
 * n8n 1.123 to 2.41 moves each item with a truthy `error`, puts the columns of its input item under its JSON, and
 * copies its enumerable properties. Later it replaces the JSON of each item that still has an `error` by the
 * message alone; the copy has none, because this `error` is not enumerable.
 */
export function markAsFailed(item: INodeExecutionData, message: string): INodeExecutionData {
	return Object.defineProperty(item, 'error', { value: { message }, enumerable: false });
}

/** n8n makes a node type of its own for an AI agent's tool (seen in 1.123.81 to 2.41.1). */
export function isAgentTool(context: IExecuteFunctions): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * True if an agent itself runs the node. Agents from version 3 on leave their tools to n8n's engine. n8n 1.123 to 2.1 has no
 * `isToolExecution`, and no such agents.
 */
function runsAsTool(context: IExecuteFunctions): boolean {
	if (typeof context.isToolExecution === 'function') return context.isToolExecution();
	return isAgentTool(context);
}

/**
 * The model does not see an error that is thrown, and would try again. An error is thrown if the user wants it to stop the
 * workflow, or n8n to retry the node.
 */
export function returnsErrorsToAgent(context: IExecuteFunctions): boolean {
	const { onError, retryOnFail } = context.getNode();
	return runsAsTool(context) && onError !== 'stopWorkflow' && retryOnFail !== true;
}

/**
 * Leaves a field out of the types that n8n prints for agents that build workflows. n8n 2.41 leaves out a field that is
 * disabled wherever it is shown, and looks at one condition at a time for that. In the panel both conditions would have to
 * hold, and the second one never does. Versions that print no types, or look at both, show the field to both readers.
 *
 * @param resource the only one for which the field is shown
 */
export function hiddenFromBuilders(field: INodeProperties, resource: string): INodeProperties {
	return { ...field, disabledOptions: { show: { resource: [resource], operation: [''] } } };
}

/**
 * All tries of a node with Retry On Fail share an object (seen in 1.123.81 to 2.41.1). An agent's calls of a tool share it too
 * but are not retries: undefined for them.
 */
export function executionOfTries(context: IExecuteFunctions): IExecuteData | undefined {
	return runsAsTool(context) ? undefined : context.getExecuteData();
}

/**
 * All nodes of one execution share an object, and so do all calls of an agent's tool: n8n keeps the data of the execution in
 * its contexts (run in 2.41.1). Without it, a tool only forgets its earlier calls.
 */
export function executionData(context: IExecuteFunctions): object | undefined {
	const data: unknown = 'runExecutionData' in context ? context.runExecutionData : undefined;
	return typeof data === 'object' && data !== null ? data : undefined;
}
