import type { RecordedRequest } from './recorded';

/** So many requests in any stretch of so many milliseconds; more are throttled. */
export interface RateLimit {
	requests: number;
	perMs: number;
}

/** Seconds until this newest request would be let in, 0 when it is. */
export function secondsToWait(requests: RecordedRequest[], limit: RateLimit | undefined): number {
	if (!limit) return 0;
	const since = Date.now() - limit.perMs;
	const admitted: number[] = [];
	for (let index = requests.length - 2; index >= 0; index--) {
		const request = requests[index];
		if (!request || request.at <= since) break;
		if (request.status !== 429) admitted.push(request.at);
	}
	const oldest = admitted[limit.requests - 1];
	return oldest === undefined ? 0 : Math.max(1, Math.ceil((oldest - since) / 1000));
}
