import type { Request, Response } from 'express';
import type { Rendered } from './dispatch';
import type { NamedFault } from './faults';
import { drip, LARGE, packedBlanks } from './excess.mts';
import type { RecordedRequest } from './recorded';

/** One exchange on the wire. */
export interface Wire {
	record: RecordedRequest;
	request: Request;
	response: Response;
}

/** Writes an answer as it is. */
export function write({ record, response }: Wire, { status, headers, text }: Rendered): void {
	record.status = status;
	const length = { 'content-length': String(Buffer.byteLength(text)) };
	response.writeHead(status, status === 204 ? headers : { ...headers, ...length });
	response.end(text);
}

/** Breaks the connection off with a reset. */
export function breakOff({ request }: Wire): void {
	request.socket.resetAndDestroy();
}

function writeHalf(wire: Wire, { status, headers, text }: Rendered): void {
	const whole = Buffer.from(text);
	wire.record.status = status;
	wire.response.writeHead(status, { ...headers, 'content-length': String(whole.byteLength) });
	wire.response.write(whole.subarray(0, Math.ceil(whole.byteLength / 2)), () => {
		wire.request.socket.destroy();
	});
}

const HTML = '<!doctype html><title>Please wait</title><p>We will be back in a moment.</p>';

function json(text: string): Rendered {
	return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, text };
}

const JSON_TYPE = { 'content-type': 'application/json' };

const COUNT = 1_000_000_000;

function withFalseTotals({ text, ...answer }: Rendered): Rendered {
	return { ...answer, text: text.replace(/"(total|pages|count)":("?)\d+/g, `"$1":$2${COUNT}`) };
}

/** The faults of a request that was carried out in full. */
type SpoilingFault = Exclude<NamedFault, 'reset-before' | 'half-applied'>;

/** Lays a fault over the answer of a request that was carried out. */
export const spoiled: Record<SpoilingFault, (wire: Wire, answer: Rendered) => void> = {
	'reset-after': breakOff,
	'reset-midway': writeHalf,
	hang: () => {},
	html: (wire) =>
		write(wire, { status: 200, headers: { 'content-type': 'text/html' }, text: HTML }),
	empty: (wire) => write(wire, json('')),
	'half-json': (wire, { text }) => write(wire, json(text.slice(0, Math.ceil(text.length / 2)))),
	'bad-gzip': (wire, { headers }) => {
		wire.record.status = 200;
		wire.response.writeHead(200, { ...headers, 'content-encoding': 'gzip' });
		wire.response.end(Buffer.from(`1f8b0800000000000003${'ff'.repeat(50)}`, 'hex'));
	},
	drip: (wire) => {
		wire.record.status = 200;
		wire.response.writeHead(200, JSON_TYPE);
		drip(wire.request.socket, () => wire.response.write(' '));
	},
	'drip-headers': (wire) => {
		const { socket } = wire.request;
		socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
		drip(socket, () => socket.write('a'));
	},
	'too-large': (wire) => {
		wire.record.status = 200;
		wire.response.writeHead(200, { ...JSON_TYPE, 'content-length': String(LARGE) });
		wire.response.write(' '.repeat(1000));
	},
	'unpacks-large': (wire) => {
		wire.record.status = 200;
		wire.response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
		wire.response.end(packedBlanks());
	},
	'false-totals': (wire, answer) => write(wire, withFalseTotals(answer)),
	'other-shape': (wire) => write(wire, json(JSON.stringify({ unexpected: true }))),
};
