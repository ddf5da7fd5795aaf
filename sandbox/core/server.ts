import express, { type Request, type Response } from 'express';
import { dispatch, render, type RenderedResponse, type ServiceDefinition } from './dispatch';
import type { FaultKind } from './faults';
import { servePages } from './page';
import { recordRequest, type RecordedRequest } from './requestLog';
import { applyFault, resetConnection, write, type Exchange } from './write';
import { sleep } from './sleep.mts';

interface RunningServer {
	url: string;
	close(): Promise<void>;
}

const BATCHES = ['subscribers', 'emails'];

/** Returns the request with the first half of its batch; undefined if it has no batch of two or more. */
function firstHalf(record: RecordedRequest): RecordedRequest | undefined {
	const { body } = record;
	if (typeof body !== 'object' || body === null) return undefined;
	for (const [name, rows] of Object.entries(body)) {
		if (!BATCHES.includes(name) || !Array.isArray(rows) || rows.length < 2) continue;
		return { ...record, body: { ...body, [name]: rows.slice(0, Math.floor(rows.length / 2)) } };
	}
	return undefined;
}

function carryOutHalf<Context>(
	service: ServiceDefinition<Context>,
	record: RecordedRequest,
): RenderedResponse {
	const half = firstHalf(record);
	if (half) dispatch(service, half);
	record.carriedOut = half?.carriedOut === true;
	return render(service.refusal(500, 'Internal Server Error').response);
}

async function respond<Context>(
	service: ServiceDefinition<Context>,
	request: Request,
	response: Response,
) {
	const record = recordRequest(request);
	const exchange = { record, request, response };
	service.requests.push(record);
	const fault = service.faults.take(record);
	if (fault === undefined) return write(exchange, dispatch(service, record));
	return await respondWithFault(service, exchange, fault);
}

async function respondWithFault<Context>(
	service: ServiceDefinition<Context>,
	exchange: Exchange,
	fault: FaultKind,
) {
	if (fault === 'reset-before') return resetConnection(exchange);
	if (fault === 'half-applied') return write(exchange, carryOutHalf(service, exchange.record));
	if (typeof fault === 'string') {
		return applyFault[fault](exchange, dispatch(service, exchange.record));
	}
	if ('status' in fault) return write(exchange, render(fault));
	if ('delayMs' in fault) await sleep(fault.delayMs);
	if ('until' in fault) await fault.until;
	return write(exchange, dispatch(service, exchange.record));
}

function application<Context>(service: ServiceDefinition<Context>) {
	const app = express();
	app.disable('x-powered-by');
	app.set('strict routing', true);
	app.use(express.text({ type: () => true, limit: '64mb' }));
	servePages(app, service);
	app.use((request, response) => respond(service, request, response));
	return app;
}

/** Clients remember for how long a service asked them to pause, by its address. So no free port is used twice. */
const usedPorts = new Set<number>();

/** Serves a service on loopback; port 0 for a free port. */
export async function listen<Context>(
	service: ServiceDefinition<Context>,
	port = 0,
): Promise<RunningServer> {
	const server = application(service).listen(port, '127.0.0.1');
	server.keepAliveTimeout = 60_000;
	await new Promise<void>((resolve, reject) => {
		server.once('listening', resolve);
		server.once('error', reject);
	});
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port');
	if (port === 0 && usedPorts.has(address.port)) {
		await closeServer(server);
		return await listen(service);
	}
	usedPorts.add(address.port);
	return { url: `http://127.0.0.1:${address.port}`, close: async () => await closeServer(server) };
}

type Server = ReturnType<ReturnType<typeof express>['listen']>;

/** Stops listening and closes every connection. */
async function closeServer(server: Server): Promise<void> {
	await new Promise<void>((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
