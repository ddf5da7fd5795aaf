import type { RecordedRequest } from '../core/requestLog';

/** At most `requests` requests in any `perMs` milliseconds. */
export interface RateLimit {
	requests: number;
	perMs: number;
}

/** Returns the seconds until the newest request is accepted; 0 if it is accepted now. */
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
