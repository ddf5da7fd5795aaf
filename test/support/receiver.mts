import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';

import express from 'express';

/** A request that is held, so that its response never comes. */
export interface Hold {
	/** Tested against the path, or the text of a mail. */
	request: RegExp;
	/** True to carry it out before. */
	isCarriedOut: boolean;
	/** The number of such requests that pass first. */
	skip: number;
	arrived(): void;
}

/** A server on loopback that records every POST. */
export interface Receiver {
	url: string;
	calls: Array<{ path: string; body: unknown; headers: IncomingHttpHeaders; isRefused?: boolean }>;
	/** The status that requests are refused with: to one path, so many, none with a text in its body; undefined for none. */
	refusal?: { status: number; path?: string; times?: number; unless?: string };
	/** A request that gets no response; undefined for none. */
	hold?: Hold;
	close(): Promise<void>;
}

/**
 * @param responseTo returns the body of the response to a request; default: an empty object
 * @param port default: a free one
 */
export async function openReceiver(
	responseTo: (body: unknown, path: string) => object = () => ({}),
	port = 0,
): Promise<Receiver> {
	const calls: Receiver['calls'] = [];
	const app = express();
	app.use(express.json({ limit: '10mb' }));
	app.post(/.*/, (request, response) => {
		const { refusal, hold } = receiver;
		if (hold?.request.test(request.path) && hold.skip-- === 0) {
			receiver.hold = undefined;
			if (hold.isCarriedOut) {
				calls.push({ path: request.path, body: request.body, headers: request.headers });
				responseTo(request.body, request.path);
			}
			return hold.arrived();
		}
		const isRefused = refusal !== undefined && !isTaken(refusal, request);
		const { path, body, headers } = request;
		calls.push({ path, body, headers, ...(isRefused && { isRefused }) });
		if (!isRefused) return response.json(responseTo(request.body, request.path));
		if (refusal.times !== undefined) refusal.times--;
		return response.status(refusal.status).json({ message: 'Refused by <the CRM>' });
	});
	const server = app.listen(port, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port');
	const receiver: Receiver = {
		url: `http://127.0.0.1:${address.port}`,
		calls,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return receiver;
}

function isTaken(
	{ path, times, unless }: Omit<NonNullable<Receiver['refusal']>, 'status'>,
	request: { path: string; body: unknown },
): boolean {
	if (path !== undefined && request.path !== path) return true;
	const isOver = times !== undefined && times <= 0;
	return isOver || (unless !== undefined && JSON.stringify(request.body).includes(unless));
}
