import type { FaultKind } from '../../../sandbox/index';

/** Returns a response with a status that a service gives in both contracts' forms. */
export function refusal(status: number): FaultKind {
	const wait = status === 429 ? { 'retry-after': '1' } : undefined;
	return { status, headers: wait, body: { code: status, message: 'Refused', detail: 'Refused' } };
}
