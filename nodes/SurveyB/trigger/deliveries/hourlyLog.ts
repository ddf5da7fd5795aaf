import type { IWebhookFunctions } from 'n8n-workflow';

import type { WorkflowMemory } from '../state/memory';

/**
 * Logs problems of a node, each once an hour. Some show only in deliveries, because n8n does not ask the trigger about its
 * webhooks while a workflow is published.
 */
export class HourlyLog {
	constructor(
		private readonly context: IWebhookFunctions,
		private readonly memory: WorkflowMemory,
		/** The node's key in the memory. */
		private readonly key: string,
	) {}

	warn(subject: string, message: string): void {
		if (!this.isDue(subject)) return;
		const workflowId = this.context.getWorkflow().id;
		this.context.logger.warn(message, { workflowId, nodeName: this.context.getNode().name });
	}

	/** Returns true at most once an hour for each subject. */
	isDue(subject: string): boolean {
		return this.memory.isDue(`${this.key} ${subject}`);
	}
}
