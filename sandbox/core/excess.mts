import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

const DRIP_MS = 100;

/** More bytes than any answer has. */
export const LARGE = 300 * 1024 * 1024;

/** Writes now and then, until the other side has enough. */
export function drip(socket: Socket, write: () => void): void {
	const timer = setInterval(write, DRIP_MS);
	socket.once('close', () => clearInterval(timer));
}

let packed: Buffer | undefined;

/** So many blanks, packed a thousandfold. */
export function packedBlanks(): Buffer {
	packed ??= gzipSync(Buffer.alloc(LARGE, ' '), { level: 1 });
	return packed;
}
