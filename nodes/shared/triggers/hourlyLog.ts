import type { IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { Cache } from '../base/cache';

const INTERVAL = 60 * 60 * 1000;

/** When each subject was last due in this process, in ms since 1970. */
const dueAt = new Cache<number>(5000);

/** Logs problems of a trigger that show again with each delivery or poll, each once an hour. */
export class HourlyLog {
	constructor(private readonly context: IPollFunctions | IWebhookFunctions) {}

	/** @param subject identifies the problem; by default the message does */
	warn(message: string, subject = message): void {
		if (!this.isDue(subject)) return;
		const workflowId = this.context.getWorkflow().id;
		this.context.logger.warn(message, { workflowId, nodeName: this.context.getNode().name });
	}

	/** Returns true at most once an hour for each subject. */
	isDue(subject: string): boolean {
		const { context } = this;
		const key = [context.getWorkflow().id, context.getNode().id, context.getMode(), subject].join();
		const now = Date.now();
		if (Math.abs(now - (dueAt.get(key) ?? 0)) < INTERVAL) return false;
		dueAt.set(key, now);
		return true;
	}
}
