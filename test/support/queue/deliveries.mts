import { setTimeout as sleep } from 'node:timers/promises';

import type { WorkflowNode } from '../../../host/types.mts';
import type { Failed, QueueStage } from './stage.mts';

/** A change at Survey B that its subscription is told of. */
interface Change {
	id: number;
	/** What its execution is known by. */
	marker: string;
	data: object;
	/** How often it was sent. */
	tries: number;
	answered: boolean;
}

/** What became of the deliveries. */
export interface DeliveryTally {
	sent: number;
	answered: number;
	/** Deliveries that were not answered 200 and were sent again. */
	again: number;
	/** Changes whose action was carried out once or more. */
	ran: number;
	/** Executions that stand in n8n as failed. */
	failed: number;
	/** Of these, those whose data n8n still has, so that they can be retried. */
	retryable: number;
	/** Changes whose action was carried out more than once. */
	double: number;
	/** Changes that were answered 200, did not run, and do not stand in n8n as failed. */
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

/** The action of a run: the feedback is tagged with the change's marker. */
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

/** Changes that are delivered to a published workflow, and the account of what became of them. */
export class Deliveries {
	readonly changes: Change[];

	constructor(
		private readonly stage: QueueStage,
		count: number,
	) {
		const { b } = stage.sandbox;
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

	/** Sends all of them, some at a time; what is not answered 200 is sent again after a second. */
	async send(lanes: number): Promise<void> {
		const queue = this.changes.values();
		const lane = async () => {
			for (const change of queue) await this.deliver(change);
		};
		await Promise.all(Array.from({ length: lanes }, lane));
	}

	/** Sends every change to each of these processes at the same moment; gives the answers of each change. */
	async sendToAll(urls: string[]): Promise<number[][]> {
		const [hook] = this.stage.sandbox.b.state.hooks.filter(({ event }) => event === EVENT);
		const { pathname, search } = new URL(String(hook?.target));
		const statuses: number[][] = [];
		for (const change of this.changes) {
			const body = JSON.stringify({ hook, data: change.data });
			const posts = urls.map(async (url) => await post(`${url}${pathname}${search}`, body));
			statuses.push(await Promise.all(posts));
			change.answered = true;
		}
		return statuses;
	}

	/** How often the service was asked for the action of each change, in their order. */
	runs(): number[] {
		const done = new Map<number, number>();
		for (const { path } of this.stage.sandbox.b.requests) {
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

	/** The failed executions whose change has not run: those to retry. */
	toRetry(failed: Failed[]): Failed[] {
		const runs = this.runs();
		const open = new Set(this.changes.filter((_, i) => runs[i] === 0).map(({ marker }) => marker));
		return failed.filter(({ marker }) => open.has(marker));
	}

	private async deliver(change: Change) {
		while (!change.answered && change.tries < MOST_TRIES) {
			if (change.tries > 0) await sleep(PAUSE_MS);
			change.tries++;
			const [delivery] = await this.stage.sandbox.b.deliver(EVENT, change.data);
			change.answered = delivery?.status === 200;
		}
	}
}

async function post(url: string, body: string) {
	const headers = { 'content-type': 'application/json' };
	return (await fetch(url, { method: 'POST', headers, body })).status;
}
