import type { IPollFunctions } from 'n8n-workflow';

/** How long n8n lets a poll take if it sets no budget, in ms. */
const DEFAULT_BUDGET = 300_000;

/** Identifies a trigger node. Its name may change, and a copied workflow has the same node IDs. */
export function nodeKey(context: IPollFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}

/** Returns how long the poll may take, in ms. Older versions of n8n set no budget. */
export function pollBudget(context: IPollFunctions): number {
	return 'getPollBudgetMs' in context ? context.getPollBudgetMs() : DEFAULT_BUDGET;
}

/**
 * Returns whether n8n's durable scheduler started the poll. Only this scheduler sets a budget. It creates a
 * context for each poll; otherwise all polls since an activation share one.
 */
export function isDurable(context: IPollFunctions): boolean {
	return pollBudget(context) < DEFAULT_BUDGET;
}
