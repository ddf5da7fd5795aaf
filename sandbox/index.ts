/**
 * Both survey services on loopback, with state, a request log, and configurable faults. Tests and the demo use them.
 *
 *     const { a, b, close } = await startSandbox();
 *     a.faults.add({ method: 'POST', path: /survey$/, kind: 'reset-after' });
 *     b.settings.hookDeletion = 405;
 *
 * `GET /_sandbox/` of each service is a page on which people answer the surveys that were sent.
 */
import { startServiceA, type ServiceA } from './a/service';
import { startServiceB, type ServiceB } from './b/service';

export { startServiceA, type ServiceA } from './a/service';
export { startServiceB, type ServiceB } from './b/service';
export { EVENTS } from './b/events';
export { deliveryBody } from './b/webhookDeliveries';
export type { Fault, FaultKind, Faults, NamedFault } from './core/faults';
export type { RecordedRequest } from './core/requestLog';

export interface Sandbox {
	a: ServiceA;
	b: ServiceB;
	close(): Promise<void>;
}

/** Starts both services. Default ports: free ones. */
export async function startSandbox({
	portA,
	portB,
}: { portA?: number; portB?: number } = {}): Promise<Sandbox> {
	const a = await startServiceA({ port: portA });
	const b = await startServiceB({ port: portB });
	const close = async () => void (await Promise.all([a.close(), b.close()]));
	return { a, b, close };
}
