import getPort from 'get-port';

/** Outgoing connections take ports from 32,768 on, also between the choice of a port and its use. */
const LAST = 32_767;

/** Each process begins elsewhere, so that two that look at the same time find different ones. */
const FIRST = 11_000 + 100 * (process.pid % 200);

const PORTS = Array.from({ length: LAST - FIRST + 1 }, (_, i) => FIRST + i);

/** Returns a free port: the wanted one, if that is free. */
export async function freePort(wanted?: number): Promise<number> {
	return await getPort({ port: wanted === undefined ? PORTS : [wanted, ...PORTS] });
}
