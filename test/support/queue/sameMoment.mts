import type { WorkflowNode } from '../../../host/types.mts';
import { Deliveries, tag, trigger } from './deliveries.mts';
import type { QueueStage } from './stage.mts';

/** How many changes ran twice that were delivered twice at the same moment. */
export interface Twice {
	name: string;
	changes: number;
	/** Both deliveries to the same webhook processor. */
	toOne: number;
	/** One delivery to each webhook processor. */
	toBoth: number;
}

const SETTLE_MS = 120_000;

/** n8n's Remove Duplicates node, by the ID of the delivery. */
const removeDuplicates: WorkflowNode = {
	name: 'Remove Duplicates',
	type: 'n8n-nodes-base.removeDuplicates',
	typeVersion: 2,
	parameters: {
		operation: 'removeItemsSeenInPreviousExecutions',
		dedupeValue: '={{ $json.deliveryId }}',
		options: {},
	},
};

/** The ways to tell repeats, from none to the one that holds. */
export const WAYS = {
	bare: async (stage: QueueStage) => await stage.publish('Bare', trigger(), tag()),
	removeDuplicates: async (stage: QueueStage) =>
		await stage.publish('Remove Duplicates', trigger(), removeDuplicates, tag()),
	claim: async (stage: QueueStage) => await publishClaim(stage),
};

/** Publishes the example in which a change is claimed in the database, by its `deliveryId`. */
export async function publishClaim(stage: QueueStage): Promise<string> {
	const id = await stage.n8n.createWorkflow(stage.example('one-run-per-change'));
	const made = await stage.n8n.run(id, { trigger: 'Run Once' });
	if (made.status !== 'success') throw new Error(`The table was not made: ${made.error?.message}`);
	await stage.n8n.activate(id);
	return id;
}

/** Delivers changes twice at the same moment, to one process and to both, and counts what ran twice. */
export async function deliverTwice(
	stage: QueueStage,
	name: string,
	publish: (stage: QueueStage) => Promise<string>,
	changes: number,
): Promise<Twice> {
	const id = await publish(stage);
	const [one = '', other = ''] = stage.n8n.webhookUrls;
	const count = async (urls: string[]) => {
		const deliveries = new Deliveries(stage, changes);
		await deliveries.sendToAll(urls);
		await stage.settled([id], SETTLE_MS);
		return deliveries.runs().filter((runs) => runs > 1).length;
	};
	const twice = {
		name,
		changes,
		toOne: await count([one, one]),
		toBoth: await count([one, other]),
	};
	await stage.n8n.deactivate(id);
	return twice;
}
