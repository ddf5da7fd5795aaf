/**
 * The proxy in front of n8n's processes in queue mode. Calls of published workflows go to the webhook processors in turn,
 * everything else to the main process. If a processor refuses the connection, the next one gets the call. A call that was
 * aborted gets a 502, because n8n may have received it.
 *
 *     node host/queue/proxy.mts PORT MAIN-URL WEBHOOK-URL...
 */
import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';

import { createProxyServer } from 'httpxy';

/** The paths of n8n's webhook processors. */
const PRODUCTION = /^\/(webhook|webhook-waiting|form|form-waiting|mcp)(\/|$)/;

const [port, main = '', ...processors] = process.argv.slice(2);
const proxy = createProxyServer({ agent: new Agent({ keepAlive: true }), xfwd: true });
let turn = 0;

async function forward(request: IncomingMessage, response: ServerResponse) {
	const body = await buffer(request);
	let failure: unknown;
	for (const target of targets(request.url ?? '')) {
		try {
			return await proxy.web(request, response, { target, buffer: Readable.from(body) });
		} catch (error) {
			failure = error;
			if (!isRefused(error)) break;
		}
	}
	if (!response.headersSent) response.writeHead(502);
	response.end(failure instanceof Error ? failure.message : undefined);
}

/** Returns the targets of a call, in the order of trying. */
function targets(url: string): string[] {
	if (!PRODUCTION.test(url)) return [main];
	const first = turn++ % processors.length;
	return [...processors.slice(first), ...processors.slice(0, first)];
}

function isRefused(error: unknown) {
	return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
}

const server = createServer((request, response) => {
	forward(request, response).catch(() => response.destroy());
});
server.listen(Number(port), '127.0.0.1', () => console.log('Proxy is ready'));
