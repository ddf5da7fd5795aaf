import express, { type Request, type Response } from 'express';
import type { Answer } from './answer';
import { dispatch, ListWatch, render, type House, type Rendered } from './dispatch';
import { Faults, type FaultKind } from './faults';
import type { Desk } from './desk';
import { servePage } from './page';
import { recordRequest, type RecordedRequest } from './recorded';
import { breakOff, spoiled, write, type Wire } from './reply';
import { sleep } from './sleep.mts';

/** A service as the server shell runs it. */
export interface Shell<World> {
	house: House<World>;
	faults: Faults;
	watch: ListWatch;
	desk: Desk;
}

/** A server that listens. */
export interface Listening {
	url: string;
	close(): Promise<void>;
}

const BATCHES = ['subscribers', 'emails'];

/** The same request with the first half of its batch, or undefined when it is no batch of two or more. */
function firstHalf(record: RecordedRequest): RecordedRequest | undefined {
	const { body } = record;
	if (typeof body !== 'object' || body === null) return undefined;
	for (const [name, rows] of Object.entries(body)) {
		if (!BATCHES.includes(name) || !Array.isArray(rows) || rows.length < 2) continue;
		return { ...record, body: { ...body, [name]: rows.slice(0, Math.floor(rows.length / 2)) } };
	}
	return undefined;
}

function carryOut<World>(shell: Shell<World>, record: RecordedRequest): Rendered {
	const answer = dispatch(shell.house, shell.watch, record);
	record.carriedOut = answer.status < 300;
	return answer;
}

function carryOutHalf<World>(shell: Shell<World>, record: RecordedRequest): Rendered {
	const half = firstHalf(record);
	if (half) record.carriedOut = carryOut(shell, half).status < 300;
	return render(shell.house.failed('Internal Server Error'));
}

function statusAnswer(fault: FaultKind): Answer | undefined {
	return typeof fault === 'object' && 'status' in fault ? fault : undefined;
}

async function answerRequest<World>(shell: Shell<World>, request: Request, response: Response) {
	const record = recordRequest(request);
	const wire = { record, request, response };
	shell.house.requests.push(record);
	const fault = shell.faults.take(record);
	if (fault === undefined) return write(wire, carryOut(shell, record));
	const instead = statusAnswer(fault);
	if (instead) return write(wire, render(instead));
	return await meet(shell, wire, fault);
}

async function meet<World>(shell: Shell<World>, wire: Wire, fault: FaultKind) {
	if (fault === 'reset-before') return breakOff(wire);
	if (fault === 'half-applied') return write(wire, carryOutHalf(shell, wire.record));
	if (typeof fault === 'string') return spoiled[fault](wire, carryOut(shell, wire.record));
	if ('delayMs' in fault) await sleep(fault.delayMs);
	if ('until' in fault) await fault.until;
	return write(wire, carryOut(shell, wire.record));
}

function application<World>(shell: Shell<World>) {
	const app = express();
	app.disable('x-powered-by');
	app.set('strict routing', true);
	app.use(express.text({ type: () => true, limit: '64mb' }));
	servePage(app, shell.desk, shell.house.requests);
	app.use((request, response) => answerRequest(shell, request, response));
	return app;
}

/** Serves a service on loopback; port 0 takes a free one. */
export async function listen<World>(shell: Shell<World>, port = 0): Promise<Listening> {
	const app = application(shell);
	return await new Promise((resolve, reject) => {
		const server = app.listen(port, '127.0.0.1', (error) => {
			const address = server.address();
			if (error) reject(error);
			else if (address === null || typeof address === 'string')
				reject(new Error('No port to listen on'));
			else resolve({ url: `http://127.0.0.1:${address.port}`, close: () => closing(server) });
		});
		server.keepAliveTimeout = 60_000;
	});
}

type Server = ReturnType<ReturnType<typeof express>['listen']>;

/** Stops listening and ends every connection, the hanging ones too. */
async function closing(server: Server): Promise<void> {
	await new Promise<void>((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
