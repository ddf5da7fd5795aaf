import { until } from '../host/until.mts';
import type { Sandbox } from '../sandbox/index.ts';

/**
 * Answers a survey of Survey B, again while no delivery arrived. An answer to a trigger that is not registered yet is lost:
 * over its public API n8n responds before that, and the first webhook at a service is created, removed, and created again.
 *
 * @throws Error after the time limit
 */
export async function answerUntilDelivered(
	b: Sandbox['b'],
	answer: Parameters<Sandbox['b']['answer']>[0],
	timeoutMs?: number,
): Promise<void> {
	const earlier = b.deliveries.length;
	const isDelivered = () => {
		if (b.deliveries.slice(earlier).every(hasFailed)) b.answer(answer);
		return b.deliveries.slice(earlier).some(({ status }) => isOk(status));
	};
	await until(isDelivered, Boolean, { what: 'The delivery of the answer', timeoutMs });
}

function hasFailed({ status, error }: Sandbox['b']['deliveries'][number]): boolean {
	return error !== undefined || (status !== undefined && !isOk(status));
}

export const isOk = (status = 0) => status >= 200 && status < 300;
