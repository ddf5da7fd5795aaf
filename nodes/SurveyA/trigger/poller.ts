import type { IPollFunctions } from 'n8n-workflow';

/** How long n8n lets a poll take where it does not bound it, in ms. */
const UNBOUNDED = 300_000;

/** The node that polls, whatever it is called meanwhile. */
export function nodeOf(context: IPollFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}

/** How long the poll may take, in ms. Older versions of n8n do not tell. */
export function budgetOf(context: IPollFunctions): number {
	return 'getPollBudgetMs' in context ? context.getPollBudgetMs() : UNBOUNDED;
}

/**
 * Whether n8n's durable scheduler started the poll. It alone bounds polls. Each comes with a context of
 * its own, where otherwise all polls since an activation share one.
 */
export function isScheduled(context: IPollFunctions): boolean {
	return budgetOf(context) < UNBOUNDED;
}
