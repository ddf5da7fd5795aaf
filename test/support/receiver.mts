import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';

import express from 'express';

/** A server on loopback that records every POST. */
export interface Receiver {
	url: string;
	calls: Array<{ path: string; body: unknown; headers: IncomingHttpHeaders }>;
	/** The status that requests are refused with, of one path or all; undefined for none. */
	refusal?: { status: number; path?: string };
	/** Requests to this path get no response. */
	hold?: { path: string; arrived: () => void };
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
		const { path, body, headers } = request;
		calls.push({ path, body, headers });
		const { refusal, hold } = receiver;
		if (hold?.path === path) return hold.arrived();
		const isRefused = refusal !== undefined && [undefined, path].includes(refusal.path);
		if (!isRefused) return response.json(responseTo(body, path));
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
