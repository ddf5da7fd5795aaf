import type { WorkflowNode } from '../../../host/types.mts';
import { Deliveries, tag, trigger } from './deliveries.mts';
import type { QueueSetup } from './queueSetup.mts';

/** Counts of changes that ran twice after two deliveries at the same moment. */
export interface Twice {
	name: string;
	changes: number;
	/** With both deliveries to one webhook processor. */
	toOne: number;
	/** With one delivery to each webhook processor. */
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

/** Ways to recognize repeats, from none to a safe one. */
export const WAYS = {
	bare: async (setup: QueueSetup) => await setup.publish('Bare', trigger(), tag()),
	removeDuplicates: async (setup: QueueSetup) =>
		await setup.publish('Remove Duplicates', trigger(), removeDuplicates, tag()),
	claim: async (setup: QueueSetup) => await publishClaim(setup),
};

/** Publishes the example that claims a change in the database by its `deliveryId`. */
export async function publishClaim(setup: QueueSetup): Promise<string> {
	const id = await setup.n8n.createWorkflow(setup.example('one-run-per-change'));
	const made = await setup.n8n.run(id, { trigger: 'Run Once' });
	if (made.status !== 'success') throw new Error(`The table was not made: ${made.error?.message}`);
	await setup.n8n.activate(id);
	return id;
}

/** Delivers changes twice at the same moment, to one process and to both; counts changes that ran twice. */
export async function deliverTwice(
	setup: QueueSetup,
	name: string,
	publish: (setup: QueueSetup) => Promise<string>,
	changes: number,
): Promise<Twice> {
	const id = await publish(setup);
	const [one = '', other = ''] = setup.n8n.webhookUrls;
	const count = async (urls: string[]) => {
		const deliveries = new Deliveries(setup, changes);
		await deliveries.sendToAll(urls);
		await setup.settled([id], SETTLE_MS);
		return deliveries.runs().filter((runs) => runs > 1).length;
	};
	const twice = {
		name,
		changes,
		toOne: await count([one, one]),
		toBoth: await count([one, other]),
	};
	await setup.n8n.deactivate(id);
	return twice;
}
