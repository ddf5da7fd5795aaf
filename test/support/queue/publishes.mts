import { setTimeout as sleep } from 'node:timers/promises';

import { z } from 'zod';

import { until } from '../../../host/until.mts';
import type { Webhook } from '../../../sandbox/b/records';
import { trigger } from './deliveries.mts';
import type { QueueSetup } from './queueSetup.mts';

/** What happens at the service, and the responses of n8n. */
interface Change {
	/** The text that identifies its executions. */
	marker: string;
	event: string;
	/** The message of a 200, else the status; `none` without a response. */
	responses: string[];
}

/** The outcome of publishes under deliveries. */
interface PublishTally {
	/** The number of responses of each kind. */
	responses: Record<string, number>;
	/** Changes that did not start the run that their responses promise. */
	wrong: string[];
	/** The webhooks that a restart of the main process created. */
	addedByRestarts: string[];
	/** The events that the last publish selected, sorted. */
	selected: string[];
	/** The webhooks at the service, and those of the trigger's list that it uses and that the service did not remove. */
	atService: string[];
	live: string[];
	stays: string[];
	/** Webhooks that the trigger wants to remove. */
	toRemove: string[];
}

const EVENTS = ['feedback.removed', 'feedback.status_changed', 'tag.merged', 'tag.renamed'];
const PUBLISHES = 20;
const DELIVERIES_PER_SECOND = 25;
const SETTLE_MS = 120_000;
const STARTED = 'Workflow was started';

/** The process that ends in an orderly way and starts again after a publish. */
const RESTARTS: Record<number, string> = { 4: 'main', 8: 'webhook-1', 12: 'main', 16: 'webhook-2' };

const webhookSchema = z.object({ id: z.number(), event: z.string(), state: z.string() });
/** The part of n8n's static data that has the trigger's list. */
const webhooksSchema = z.object({
	global: z.object({
		surveyBTrigger: z.object({ nodes: z.array(z.object({ webhooks: z.array(webhookSchema) })) }),
	}),
});

const responseSchema = z.object({ message: z.string() });

let phase = 0;

/**
 * Publishes edits that add and remove events while changes of all events are delivered, and processes restart.
 *
 * @param deletion the service's response to the removal of a webhook
 */
export async function publishUnderDeliveries(
	setup: QueueSetup,
	deletion: 204 | 404 | 405,
): Promise<PublishTally> {
	const { b } = setup.sandbox;
	b.settings.hookDeletion = deletion;
	const node = { ...trigger(), parameters: { events: eventsOf(0), simplify: false } };
	const id = await setup.publish(`Publishes, ${deletion}`, node);
	const ownHooks = () =>
		b.state.hooks.filter(({ target }) => String(target).includes(`/${node.webhookId}/`));
	const part = ++phase;
	const changes: Change[] = [];
	const posts: Array<Promise<void>> = [];
	const deliver = (event: string) => {
		const marker = `change-${part}-${changes.length}`;
		const change: Change = { marker, event, responses: [] };
		changes.push(change);
		const data = { id: marker, before: marker, after: marker, score: 3 };
		for (const hook of ownHooks().filter((one) => one.event === event)) {
			posts.push(post(hook, data).then((response) => void change.responses.push(response)));
		}
	};
	let isOver = false;
	const delivering = (async () => {
		for (let turn = 0; !isOver; turn++) {
			deliver(EVENTS[turn % EVENTS.length] ?? '');
			await sleep(1000 / DELIVERIES_PER_SECOND);
		}
	})();

	const restarting: Array<Promise<void>> = [];
	const addedByRestarts: string[] = [];
	for (let round = 1; round <= PUBLISHES; round++) {
		const parameters = { ...node.parameters, events: eventsOf(round) };
		await setup.republish(id, { ...node, parameters });
		const name = RESTARTS[round];
		const before = namesOf(ownHooks());
		if (name) restarting.push(setup.n8n.restart(name));
		if (name !== 'main') continue;
		await restarting.at(-1);
		addedByRestarts.push(...namesOf(ownHooks()).filter((one) => !before.includes(one)));
	}
	await Promise.all(restarting);
	isOver = true;
	await delivering;
	const selected = eventsOf(PUBLISHES).sort();
	for (const event of EVENTS) deliver(event);
	await Promise.all(posts);
	await setup.settled([id], SETTLE_MS);

	const sql = `select "staticData" from workflow_entity where id = '${id}'`;
	const [[staticData = ''] = []] = await setup.n8n.postgres.rows(sql);
	const list = webhooksSchema.parse(JSON.parse(staticData)).global.surveyBTrigger.nodes[0];
	const ofState = (wanted: string) =>
		namesOf(list?.webhooks.filter(({ state }) => state === wanted) ?? []);
	const runs = await setup.runsOfMarkers(id);
	const tally = {
		responses: counts(changes.flatMap(({ responses }) => responses)),
		wrong: changes.flatMap((change) => wrongRuns(change, runs.get(change.marker) ?? 0)),
		addedByRestarts,
		selected,
		atService: namesOf(ownHooks()),
		live: ofState('live'),
		stays: ofState('stays'),
		toRemove: ofState('toRemove'),
	};
	await setup.n8n.deactivate(id);
	await until(
		() => (deletion === 204 ? ownHooks().length : 0),
		(count) => count === 0,
		{ what: 'The number of webhooks after an unpublish' },
	);
	b.settings.hookDeletion = 204;
	return tally;
}

/** Returns the events of an edit: a subset that changes with each. */
function eventsOf(round: number): string[] {
	return EVENTS.filter((_, i) => (((round * 7) % 15) + 1) & (1 << i));
}

/** Returns a text if a change with the response that its run started did not run once, or one without ran. */
function wrongRuns({ marker, event, responses }: Change, runs: number): string[] {
	// Nobody knows whether a delivery without a response of n8n ran.
	const isUncertain = responses.some((response) => /^(none|5\d\d)$/.test(response));
	const isStarted = responses.includes(STARTED);
	if (isStarted ? runs === 1 : runs === 0 || (isUncertain && runs === 1)) return [];
	return [`${marker} (${event}) ran ${runs} times: ${responses.join(', ')}`];
}

async function post({ id, event, target }: Webhook, data: object): Promise<string> {
	const body = JSON.stringify({ hook: { id, event, target }, data });
	const headers = { 'content-type': 'application/json' };
	try {
		const response = await fetch(target, { method: 'POST', headers, body });
		if (!response.ok) return String(response.status);
		return responseSchema.parse(await response.json()).message;
	} catch {
		return 'none';
	}
}

function namesOf(webhooks: Array<{ id: number; event: unknown }>): string[] {
	return webhooks.map(({ id, event }) => `${String(event)} ${id}`).sort();
}

function counts(values: string[]): Record<string, number> {
	const all: Record<string, number> = {};
	for (const value of values) all[value] = (all[value] ?? 0) + 1;
	return all;
}
