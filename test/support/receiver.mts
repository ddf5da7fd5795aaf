import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import express from 'express';

/** A server on loopback that answers every POST by what it is told to. */
export interface Receiver {
	url: string;
	/** What came, in order. */
	calls: Array<{ path: string; body: unknown }>;
	close(): Promise<void>;
}

/** @param answer the body of the answer to a call; an empty object where nothing is said */
export async function openReceiver(
	answer: (body: unknown, path: string) => object = () => ({}),
): Promise<Receiver> {
	const calls: Receiver['calls'] = [];
	const app = express();
	app.use(express.json({ limit: '10mb' }));
	app.post(/.*/, (request, response) => {
		calls.push({ path: request.path, body: request.body });
		response.json(answer(request.body, request.path));
	});
	const server = app.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		calls,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
