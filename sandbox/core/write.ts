import type { Request, Response } from 'express';
import type { RenderedResponse } from './apiResponse';
import type { NamedFault } from './faults';
import { announceStall, compressedSpaces, drip } from './node.mts';
import type { RecordedRequest } from './requestLog';

/** A request that waits for its response. */
export interface Exchange {
	record: RecordedRequest;
	request: Request;
	response: Response;
}

type Headers = RenderedResponse['headers'];

/** Sends the head of a response. */
function writeHead({ record, response }: Exchange, status: number, headers: Headers): Response {
	record.status = status;
	return response.writeHead(status, headers);
}

/** Sends a response. */
export function write(exchange: Exchange, { status, headers, text }: RenderedResponse): void {
	const length = { 'content-length': String(Buffer.byteLength(text)) };
	writeHead(exchange, status, status === 204 ? headers : { ...headers, ...length }).end(text);
}

/** Closes the connection with a TCP reset. */
export function resetConnection({ request }: Exchange): void {
	request.socket.resetAndDestroy();
}

function writeHalf(exchange: Exchange, { status, headers, text }: RenderedResponse): void {
	const whole = Buffer.from(text);
	const length = { 'content-length': String(whole.byteLength) };
	const first = whole.subarray(0, Math.ceil(whole.byteLength / 2));
	writeHead(exchange, status, { ...headers, ...length }).write(first, () => {
		exchange.request.socket.destroy();
	});
}

const HTML = '<!doctype html><title>Please wait</title><p>We will be back in a moment.</p>';
const JSON_TYPE = { 'content-type': 'application/json' };
const FALSE_COUNT = 1_000_000_000;

const json = (text: string): RenderedResponse => ({ status: 200, headers: JSON_TYPE, text });

type Named = Exclude<NamedFault, 'reset-before'>;

/** Faults that replace the response to a request that was carried out. */
const REPLACED: Partial<Record<Named, (rendered: RenderedResponse) => RenderedResponse>> = {
	html: () => ({ status: 200, headers: { 'content-type': 'text/html' }, text: HTML }),
	empty: () => json(''),
	'half-json': ({ text }) => json(text.slice(0, Math.ceil(text.length / 2))),
	'other-shape': () => json(JSON.stringify({ unexpected: true })),
	'false-totals': ({ text, ...rest }) => ({
		...rest,
		text: text.replace(/"(total|pages|count)":("?)\d+/g, `"$1":$2${FALSE_COUNT}`),
	}),
};

/** Faults that write a response in their own way. */
const WRITTEN: Partial<Record<Named, (exchange: Exchange, rendered: RenderedResponse) => void>> = {
	'reset-after': resetConnection,
	'reset-midway': writeHalf,
	'bad-gzip': (exchange, { headers }) => {
		writeHead(exchange, 200, { ...headers, 'content-encoding': 'gzip' }).end(
			Buffer.from(`1f8b0800000000000003${'ff'.repeat(50)}`, 'hex'),
		);
	},
	drip: (exchange) => {
		const response = writeHead(exchange, 200, JSON_TYPE);
		drip(exchange.request.socket, () => response.write(' '));
	},
	'drip-headers': ({ request: { socket } }) => {
		socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
		drip(socket, () => socket.write('a'));
	},
	'too-large': (exchange) => {
		writeHead(exchange, 200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(compressedSpaces());
	},
};

/** Applies a fault to the response of a request that was carried out. `hang` sends nothing. */
export function applyFault(fault: Named, exchange: Exchange, rendered: RenderedResponse): void {
	if (fault === 'hang') announceStall(exchange.request.socket);
	const replaced = REPLACED[fault]?.(rendered);
	if (replaced) write(exchange, replaced);
	else WRITTEN[fault]?.(exchange, rendered);
}
