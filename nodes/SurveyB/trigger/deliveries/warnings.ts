import type { IWebhookFunctions } from 'n8n-workflow';

import type { NodeState } from '../state/nodeState';
import type { WorkflowMemory } from '../state/memory';
import { readAccount, tokenHash } from '../token';

// Problems that show only in deliveries: n8n does not ask the trigger about its webhooks while a workflow is published.

const REPUBLISH = 'unpublish the workflow and publish it again';

const OTHER_ACCOUNT = `The base URL or API key of the credential was changed, and this workflow still receives the events of the earlier Survey B account. To receive those of the new one, ${REPUBLISH}`;

/** Logs problems of a node, each once an hour. */
export class HourlyLog {
	constructor(
		private readonly context: IWebhookFunctions,
		private readonly memory: WorkflowMemory,
	) {}

	/** Logs a delivery with an unknown token: the service may be calling a workflow that rejects its deliveries. */
	unknownToken(event: string, events: string[]): void {
		// Anyone can send an unknown event name, so it is not logged.
		const subject = events.includes(event) ? `A delivery of '${event}'` : 'A delivery';
		this.warn(
			'unknownToken',
			`${subject} with a token that this workflow does not know was rejected. It may come from a webhook of an earlier API key. If this workflow receives no events, ${REPUBLISH}`,
		);
	}

	/** Logs that the credential was changed after the workflow was published. */
	async otherAccount(state: NodeState): Promise<void> {
		if (!this.isDue('accountCheck')) return;
		try {
			const { token } = await readAccount(this.context);
			if (state.tokenHash !== tokenHash(token)) this.warn('otherAccount', OTHER_ACCOUNT);
		} catch {
			// A delivery does not need the credential, so its errors are reported where it is used.
		}
	}

	warn(subject: string, message: string): void {
		if (!this.isDue(subject)) return;
		const workflowId = this.context.getWorkflow().id;
		this.context.logger.warn(message, { workflowId, nodeName: this.context.getNode().name });
	}

	private isDue(subject: string): boolean {
		return this.memory.shouldLog(`${this.context.getNode().id} ${subject}`);
	}
}
