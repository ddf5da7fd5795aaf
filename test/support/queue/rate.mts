import { BulkSends } from './bulkSends.mts';
import type { QueueSetup } from './queueSetup.mts';

/** The requests of two workers with the same pace, or none, as the service counted them. */
export interface Rate {
	/** Requests Per Minute in the credential; 0 for none. */
	set: number;
	/** Requests that the service accepts in a minute; 0 for no limit. */
	limit: number;
	rows: number;
	/** Requests a minute that did not get a 429. */
	seen: number;
	/** Requests that got a 429. */
	throttled: number;
	surveyed: number;
}

const SETTLE_MS = 240_000;
const MINUTE_MS = 60_000;
const SENDS = 8;

/** Sends surveys by Survey B's workflow from both workers at the same time. */
export async function rateOf(
	setup: QueueSetup,
	workflowId: string,
	{ set, limit, rows }: { set: number; limit: number; rows: number },
): Promise<Rate> {
	const { b } = setup.sandbox;
	const data = { baseUrl: b.url, apiKey: b.apiKey, requestsPerMinute: set };
	const { id, name } = setup.credentials.surveyBApi;
	await setup.n8n.updateCredential(id, 'surveyBApi', name, data);
	const bulk = new BulkSends(setup, SENDS, rows / SENDS, ['b']);
	b.faults.clear();
	b.settings.rateLimit = limit === 0 ? undefined : { requests: limit / 10, perMs: MINUTE_MS / 10 };
	const since = b.requests.length;
	await bulk.start();
	await setup.settled([workflowId], SETTLE_MS);
	b.settings.rateLimit = undefined;
	await setup.n8n.updateCredential(id, 'surveyBApi', name, { ...data, requestsPerMinute: 0 });
	const sent = b.requests.slice(since).filter(({ path }) => path.endsWith('/survey/'));
	const times = sent.filter(({ status }) => status !== 429).map(({ at }) => at);
	const lasted = Math.max(...times) - Math.min(...times);
	return {
		set,
		limit,
		rows,
		seen: (times.length * MINUTE_MS) / lasted,
		throttled: sent.filter(({ status }) => status === 429).length,
		surveyed: bulk.count,
	};
}
