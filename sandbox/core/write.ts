import type { Request, Response } from 'express';
import type { RenderedResponse } from './dispatch';
import type { NamedFault } from './faults';
import { compressedSpaces, drip, LARGE } from './largeBodies.mts';
import type { RecordedRequest } from './requestLog';

/** A request that waits for its response. */
export interface Exchange {
	record: RecordedRequest;
	request: Request;
	response: Response;
}

/** Sends a response. */
export function write(
	{ record, response }: Exchange,
	{ status, headers, text }: RenderedResponse,
): void {
	record.status = status;
	const length = { 'content-length': String(Buffer.byteLength(text)) };
	response.writeHead(status, status === 204 ? headers : { ...headers, ...length });
	response.end(text);
}

/** Closes the connection with a TCP reset. */
export function resetConnection({ request }: Exchange): void {
	request.socket.resetAndDestroy();
}

function writeHalf(exchange: Exchange, { status, headers, text }: RenderedResponse): void {
	const whole = Buffer.from(text);
	exchange.record.status = status;
	exchange.response.writeHead(status, { ...headers, 'content-length': String(whole.byteLength) });
	exchange.response.write(whole.subarray(0, Math.ceil(whole.byteLength / 2)), () => {
		exchange.request.socket.destroy();
	});
}

const HTML = '<!doctype html><title>Please wait</title><p>We will be back in a moment.</p>';

function json(text: string): RenderedResponse {
	return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, text };
}

const JSON_TYPE = { 'content-type': 'application/json' };

const FALSE_COUNT = 1_000_000_000;

function withFalseTotals({ text, ...rest }: RenderedResponse): RenderedResponse {
	return { ...rest, text: text.replace(/"(total|pages|count)":("?)\d+/g, `"$1":$2${FALSE_COUNT}`) };
}

type ResponseFault = Exclude<NamedFault, 'reset-before' | 'half-applied'>;

/** Applies a fault to the response of a request that was carried out. */
export const applyFault: Record<
	ResponseFault,
	(exchange: Exchange, rendered: RenderedResponse) => void
> = {
	'reset-after': resetConnection,
	'reset-midway': writeHalf,
	hang: () => {},
	html: (exchange) =>
		write(exchange, { status: 200, headers: { 'content-type': 'text/html' }, text: HTML }),
	empty: (exchange) => write(exchange, json('')),
	'half-json': (exchange, { text }) =>
		write(exchange, json(text.slice(0, Math.ceil(text.length / 2)))),
	'bad-gzip': (exchange, { headers }) => {
		exchange.record.status = 200;
		exchange.response.writeHead(200, { ...headers, 'content-encoding': 'gzip' });
		exchange.response.end(Buffer.from(`1f8b0800000000000003${'ff'.repeat(50)}`, 'hex'));
	},
	drip: (exchange) => {
		exchange.record.status = 200;
		exchange.response.writeHead(200, JSON_TYPE);
		drip(exchange.request.socket, () => exchange.response.write(' '));
	},
	'drip-headers': (exchange) => {
		const { socket } = exchange.request;
		socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
		drip(socket, () => socket.write('a'));
	},
	'too-large': (exchange) => {
		exchange.record.status = 200;
		exchange.response.writeHead(200, { ...JSON_TYPE, 'content-length': String(LARGE) });
		exchange.response.write(' '.repeat(1000));
	},
	'unpacks-large': (exchange) => {
		exchange.record.status = 200;
		exchange.response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
		exchange.response.end(compressedSpaces());
	},
	'false-totals': (exchange, rendered) => write(exchange, withFalseTotals(rendered)),
	'other-shape': (exchange) => write(exchange, json(JSON.stringify({ unexpected: true }))),
};
