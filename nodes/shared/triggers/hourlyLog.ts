import type { IPollFunctions, IWebhookFunctions } from 'n8n-workflow';

import { Cache } from '../base/cache';

const INTERVAL = 60 * 60 * 1000;

/** When each subject was last logged in this process, in ms since 1970. */
const loggedAt = new Cache<number>(5000);

/** Logs problems of a trigger that show again with each delivery or poll, each once an hour. */
export class HourlyLog {
	constructor(private readonly context: IPollFunctions | IWebhookFunctions) {}

	/** @param subject identifies the problem; by default the message does */
	warn(message: string, subject = message): void {
		const { context } = this;
		const { id, name } = context.getNode();
		const workflowId = context.getWorkflow().id;
		const key = [workflowId, id, context.getMode(), subject].join();
		const now = Date.now();
		// The clock may be set back.
		if (Math.abs(now - (loggedAt.get(key) ?? 0)) < INTERVAL) return;
		loggedAt.set(key, now);
		context.logger.warn(message, { workflowId, nodeName: name });
	}
}
