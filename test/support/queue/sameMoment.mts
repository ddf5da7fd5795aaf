import type { WorkflowNode } from '../../../host/types.mts';
import { fileText } from '../files.mts';
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

/** Publishes the workflow of docs/evidence/scale.md, which claims a change in the database by its `deliveryId`. */
export async function publishClaim(setup: QueueSetup): Promise<string> {
	const page = fileText('docs/evidence/scale.md');
	const [table = '', claim = '', done = ''] = [...page.matchAll(/```sql\n([^`]+)\n```/g)].map(
		([, query = '']) => query,
	);
	await setup.n8n.postgres.rows(table);
	return await setup.publish(
		'Claimed',
		trigger(),
		query('Claim', claim, '={{ [$json.deliveryId] }}'),
		onlyIfClaimed,
		tag(),
		query('Done', done, "={{ [$('Feedback Comes In').item.json.deliveryId] }}"),
	);
}

function query(name: string, text: string, queryReplacement: string): WorkflowNode {
	return {
		name,
		type: 'n8n-nodes-base.postgres',
		typeVersion: 2.6,
		parameters: { operation: 'executeQuery', query: text, options: { queryReplacement } },
		credentials: { postgres: { id: '', name: '' } },
	};
}

const onlyIfClaimed: WorkflowNode = {
	name: 'Only If Claimed',
	type: 'n8n-nodes-base.filter',
	typeVersion: 2.2,
	parameters: {
		conditions: {
			options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
			conditions: [
				{
					leftValue: '={{ $json.delivery_id }}',
					operator: { type: 'string', operation: 'exists', singleValue: true },
				},
			],
			combinator: 'and',
		},
		options: {},
	},
};

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
