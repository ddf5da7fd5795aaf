// What n8n's linter forbids in .ts files: timers, events and compression.
import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { clearInterval, setInterval } from 'node:timers';
import { gzipSync } from 'node:zlib';

export { setMaxListeners } from 'node:events';
export { setTimeout as sleep } from 'node:timers/promises';

/** The channel for connections on which a response will never be complete. */
export const STALLED = 'sandbox.stalled';

export function announceStall({ remotePort }: Socket): void {
	channel(STALLED).publish({ port: remotePort });
}

const DRIP_MS = 10;

/** Writes every 10 ms of real time until the connection closes. The stall is announced once a part has arrived. */
export function drip(socket: Socket, write: () => void): void {
	let parts = 0;
	const timer = setInterval(() => {
		write();
		if (++parts === 2) announceStall(socket);
	}, DRIP_MS);
	socket.once('close', () => clearInterval(timer));
}

let compressed: Buffer | undefined;

/** Returns 64 MB of spaces, compressed a thousandfold: more than any valid response has. */
export function compressedSpaces(): Buffer {
	compressed ??= gzipSync(Buffer.alloc(1024 * 1024, ' '), { level: 1 });
	return Buffer.concat(Array.from({ length: 64 }, () => compressed ?? Buffer.of()));
}
