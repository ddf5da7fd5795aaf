import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';

/** A mail server on loopback that records messages. */
export interface Mailbox {
	credential: Record<string, unknown>;
	messages: string[];
	close(): Promise<void>;
}

export async function openMailbox(): Promise<Mailbox> {
	const messages: string[] = [];
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		onData(stream, _session, done) {
			text(stream).then((message) => {
				messages.push(message);
				done();
			}, done);
		},
	});
	server.listen(0, '127.0.0.1');
	await once(server.server, 'listening');
	const { port } = server.server.address() as AddressInfo;
	return {
		credential: {
			host: '127.0.0.1',
			port,
			user: '',
			password: '',
			secure: false,
			disableStartTls: true,
		},
		messages,
		close: async () => await new Promise((resolve) => server.close(() => resolve())),
	};
}

/** Returns a message without the line breaks of its quoted-printable encoding. */
export function unwrapped(message: string): string {
	return message
		.replace(/=\r?\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
		.replace(/&amp;/g, '&');
}
