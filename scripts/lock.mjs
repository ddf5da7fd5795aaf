// A lock between processes of one machine. The operating system holds it by a socket that listens, so a process that
// is killed releases its lock, and a process that is given the same ID later does not hold it. Node built-ins only.
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir, type } from 'node:os';
import { join } from 'node:path';

const ABSTRACT_NAME_LENGTH = 107;

/**
 * Takes the lock of this name, or resolves to undefined while another process holds it.
 *
 * @param {string} name any text, such as a folder
 * @returns {Promise<(() => Promise<void>) | undefined>} releases the lock
 */
export async function tryLock(name) {
	const path = socketPath(name);
	const server = await listen(path);
	if (server) return async () => await new Promise((closed) => server.close(closed));
	if (isAbstract(path) || (await isHeld(path))) return undefined;
	// The socket file of a killed process stays behind.
	rmSync(path, { force: true });
	return await tryLock(name);
}

/**
 * Takes the lock of this name as soon as no other process holds it.
 *
 * @param {string} name any text, such as a folder
 * @param {() => void} onWait called once if another process holds the lock
 * @returns {Promise<() => Promise<void>>} releases the lock
 */
export async function waitForLock(name, onWait) {
	for (let waited = false; ; waited = true) {
		const release = await tryLock(name);
		if (release) return release;
		if (!waited) onWait();
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
}

function socketPath(name) {
	const id = createHash('sha512').update(name).digest('hex');
	// Linux has sockets without a file. Node 20 and 22 agree on a name only if it has the full length.
	if (type() === 'Linux') return `\0${id.slice(0, ABSTRACT_NAME_LENGTH)}`;
	return join(tmpdir(), `surveys-${id.slice(0, 32)}.sock`);
}

function isAbstract(path) {
	return path.startsWith('\0');
}

async function listen(path) {
	const server = createServer((socket) => socket.destroy()).unref();
	return await new Promise((resolve, reject) => {
		server.once('error', (error) =>
			error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
		);
		server.listen(path, () => resolve(server));
	});
}

async function isHeld(path) {
	return await new Promise((resolve) => {
		const socket = connect(path, () => resolve(true)).once('error', () => resolve(false));
		socket.once('close', () => socket.destroy());
	});
}
