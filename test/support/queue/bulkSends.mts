import { setTimeout as sleep } from 'node:timers/promises';

import type { WorkflowNode } from '../../../host/types.mts';
import { mapped } from '../columns';
import type { Failed, QueueSetup } from './queueSetup.mts';

/** Rows of one CRM event, which one run surveys. */
interface Send {
	service: 'a' | 'b';
	marker: string;
	emails: string[];
}

/** Counts of rows by their outcome. */
export interface SendTally {
	sends: number;
	rows: number;
	answered: number;
	ran: number;
	/** Rows that were not surveyed and whose execution n8n shows as failed. */
	cutOff: number;
	failed: number;
	double: number;
	/** Rows that were not surveyed although their event got a 200, without a failed execution. */
	lost: number;
}

const PAUSE_MS = 1_000;
const MOST_TRIES = 60;

/** Response times in ms, so that a send of 1,000 rows takes long enough to be interrupted. */
const LATENCY = { a: 2000, b: 300 };

const CAMPAIGN = { a: '64a000000000000000000003', b: '101' };

let phase = 0;

/** Publishes a workflow for each service that surveys the rows of an event, and can be run again. */
export async function publishSends(setup: QueueSetup): Promise<Record<'a' | 'b', string>> {
	const byA = send('a', {
		campaign: { __rl: true, mode: 'id', value: CAMPAIGN.a },
		options: { quietPeriod: 1, quietPeriodScope: 'thisCampaign' },
	});
	const byB = send('b', { campaignId: CAMPAIGN.b, options: { ineligible: 'skip' } });
	return {
		a: await setup.publish('Send by A', event('a'), rows(), byA),
		b: await setup.publish('Send by B', event('b'), rows(), byB),
	};
}

/** Bulk sends that CRM events start, and their outcomes. */
export class BulkSends {
	readonly sends: Send[];

	/** @param count the number of sends, by these services in turn */
	constructor(
		private readonly setup: QueueSetup,
		count: number,
		private readonly rowsEach: number,
		services: Array<'a' | 'b'> = ['a', 'b'],
	) {
		const part = ++phase;
		this.sends = Array.from({ length: count }, (_, n) => {
			const marker = `bulk-${part}-${n}`;
			const emails = Array.from(
				{ length: rowsEach },
				(__, row) => `${marker}.${row}@customer.example`,
			);
			return { service: services[n % services.length] ?? 'a', marker, emails };
		});
		const { a, b } = setup.sandbox;
		for (const [service, delayMs] of [
			[a, LATENCY.a],
			[b, LATENCY.b],
		] as const) {
			service.faults.clear();
			service.faults.add({
				method: 'POST',
				path: /survey\/?$/,
				kind: { delayMs },
				times: Infinity,
			});
		}
	}

	/** Starts all sends. An event without a 200 is sent again after a second. */
	async start(): Promise<number> {
		const answers = await Promise.all(
			this.sends.map(
				async ({ service, marker, emails }) => await this.tell(service, marker, emails),
			),
		);
		return answers.filter(Boolean).length;
	}

	get count(): number {
		const surveyed = this.surveyed();
		return this.sends.flatMap(({ emails }) => emails).filter((email) => surveyed.has(email)).length;
	}

	/** @param failed the executions that failed */
	tally(answered: number, failed: Failed[]): SendTally {
		const surveyed = this.surveyed();
		const known = new Set(failed.map(({ marker }) => marker));
		const missing = (sends: Send[]) =>
			sends.flatMap(({ emails }) => emails).filter((email) => !surveyed.has(email)).length;
		const emails = this.sends.flatMap((send) => send.emails);
		return {
			sends: this.sends.length,
			rows: this.sends.length * this.rowsEach,
			answered,
			ran: this.count,
			cutOff: missing(this.sends.filter(({ marker }) => known.has(marker))),
			failed: failed.length,
			double: emails.filter((email) => (surveyed.get(email) ?? 0) > 1).length,
			lost: missing(this.sends.filter(({ marker }) => !known.has(marker))),
		};
	}

	private surveyed() {
		const { a, b } = this.setup.sandbox;
		const times = new Map<string, number>();
		for (const { email } of [...a.state.sent, ...b.state.sent]) {
			times.set(email, (times.get(email) ?? 0) + 1);
		}
		return times;
	}

	private async tell(service: 'a' | 'b', marker: string, emails: string[]) {
		const body = JSON.stringify({ marker, customers: emails.map((email) => ({ email })) });
		const headers = { 'content-type': 'application/json' };
		const url = `${this.setup.n8n.url}/webhook/crm-${service}`;
		for (let tries = 0; tries < MOST_TRIES; tries++) {
			const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
			if (answer?.ok) return true;
			await sleep(PAUSE_MS);
		}
		return false;
	}
}

function event(service: 'a' | 'b'): WorkflowNode {
	return {
		name: 'CRM Event',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: `crm-${service}`,
		parameters: {
			httpMethod: 'POST',
			path: `crm-${service}`,
			responseMode: 'onReceived',
			options: {},
		},
	};
}

function rows(): WorkflowNode {
	return {
		name: 'One Row per Customer',
		type: 'n8n-nodes-base.splitOut',
		parameters: { fieldToSplitOut: 'body.customers', options: {} },
	};
}

function send(service: 'a' | 'b', parameters: object): WorkflowNode {
	const letter = service.toUpperCase();
	return {
		name: 'Send Survey',
		type: `n8n-nodes-surveys.survey${letter}`,
		parameters: {
			resource: 'survey',
			operation: 'send',
			...mapped({ email: '={{ $json.email }}' }),
			...parameters,
		},
		credentials: { [`survey${letter}Api`]: { id: '', name: '' } },
	};
}
