import { setTimeout as sleep } from 'node:timers/promises';

import { inLanes } from '../../../host/inLanes.mts';
import type { WorkflowNode } from '../../../host/types.mts';
import { deliveryBody } from '../../../sandbox';
import type { Failed, QueueSetup } from './queueSetup.mts';

/** A change at Survey B that starts a delivery. */
interface Change {
	id: number;
	/** The text that identifies its execution. */
	marker: string;
	data: object;
	tries: number;
	answered: boolean;
}

/** Counts of deliveries by their outcome. */
export interface DeliveryTally {
	sent: number;
	answered: number;
	/** Deliveries without a 200 that were sent again. */
	again: number;
	ran: number;
	failed: number;
	/** Failed executions whose data n8n still has, so that they can be retried. */
	retryable: number;
	/** Changes whose action was carried out repeatedly. */
	double: number;
	/** Changes that got a 200 and did not run, without a failed execution. */
	lost: number;
}

const EVENT = 'feedback.added_or_changed';
const PAUSE_MS = 1_000;
const MOST_TRIES = 60;

let phase = 0;

export function trigger(): WorkflowNode {
	return {
		name: 'Feedback Comes In',
		type: 'n8n-nodes-surveys.surveyBTrigger',
		typeVersion: 1.1,
		webhookId: `queue-${++phase}`,
		parameters: { events: [EVENT] },
		credentials: { surveyBApi: { id: '', name: '' } },
	};
}

/** Returns the action of a run: it tags the feedback with the change's marker. */
export function tag(): WorkflowNode {
	return {
		name: 'Tag',
		type: 'n8n-nodes-surveys.surveyB',
		parameters: {
			resource: 'feedback',
			operation: 'addTag',
			feedbackId: "={{ $('Feedback Comes In').item.json.id }}",
			tagName: "={{ $('Feedback Comes In').item.json.comment }}",
			tagCategory: 'PASSIVE',
			options: {},
		},
		credentials: { surveyBApi: { id: '', name: '' } },
	};
}

/** Changes that are delivered to a published workflow, and their outcomes. */
export class Deliveries {
	readonly changes: Change[];

	constructor(
		private readonly setup: QueueSetup,
		count: number,
	) {
		const { b } = setup.sandbox;
		const part = ++phase;
		b.seedFeedback(count);
		this.changes = b.state.feedback.slice(-count).map((feedback, i) => {
			const marker = `change-${part}-${i}`;
			return {
				id: feedback.id,
				marker,
				data: { ...feedback, comment: marker },
				tries: 0,
				answered: false,
			};
		});
	}

	get answered(): number {
		return this.changes.filter(({ answered }) => answered).length;
	}

	/** Sends all deliveries, some at a time. A delivery without a 200 is sent again after a second. */
	async send(lanes: number): Promise<void> {
		await inLanes(this.changes, lanes, async (change) => await this.deliver(change));
	}

	/** Sends every change to each of these processes at the same moment; returns the status codes of each change. */
	async sendToAll(urls: string[]): Promise<number[][]> {
		// Those of workflows that were unpublished a moment ago are in front.
		const hook = this.setup.sandbox.b.state.hooks.filter(({ event }) => event === EVENT).at(-1);
		if (!hook) throw new RangeError(`No webhook of ${EVENT} at the service`);
		const { pathname, search } = new URL(hook.target);
		const statuses: number[][] = [];
		for (const change of this.changes) {
			const body = JSON.stringify(deliveryBody(hook, change.data));
			const posts = urls.map(async (url) => await post(`${url}${pathname}${search}`, body));
			statuses.push(await Promise.all(posts));
			change.answered = true;
		}
		return statuses;
	}

	/** Returns the number of action requests for each change. */
	runs(): number[] {
		const done = new Map<number, number>();
		for (const { path } of this.setup.sandbox.b.requests) {
			const id = Number(/feedback\/(\d+)\/tag\/$/.exec(path)?.[1]);
			if (id) done.set(id, (done.get(id) ?? 0) + 1);
		}
		return this.changes.map(({ id }) => done.get(id) ?? 0);
	}

	/** @param failed the executions that failed, none of them retried yet */
	tally(failed: Failed[]): DeliveryTally {
		const runs = this.runs();
		const known = new Set(failed.map(({ marker }) => marker));
		const nameless = failed.filter(({ marker }) => marker === '').length;
		const missing = this.changes.filter(
			({ answered, marker }, i) => answered && runs[i] === 0 && !known.has(marker),
		);
		return {
			sent: this.changes.length,
			answered: this.answered,
			again: this.changes.reduce((sum, { tries }) => sum + Math.max(0, tries - 1), 0),
			ran: runs.filter((count) => count > 0).length,
			failed: failed.length,
			retryable: failed.length - nameless,
			double: runs.filter((count) => count > 1).length,
			lost: Math.max(0, missing.length - nameless),
		};
	}

	toRetry(failed: Failed[]): Failed[] {
		const runs = this.runs();
		const open = new Set(this.changes.filter((_, i) => runs[i] === 0).map(({ marker }) => marker));
		return failed.filter(({ marker }) => open.has(marker));
	}

	private async deliver(change: Change) {
		while (!change.answered && change.tries < MOST_TRIES) {
			if (change.tries > 0) await sleep(PAUSE_MS);
			change.tries++;
			const [delivery] = await this.setup.sandbox.b.deliver(EVENT, change.data);
			change.answered = delivery?.status === 200;
		}
	}
}

async function post(url: string, body: string) {
	const headers = { 'content-type': 'application/json' };
	return (await fetch(url, { method: 'POST', headers, body })).status;
}
