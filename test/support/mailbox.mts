import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { SMTPServer } from 'smtp-server';

/** A mail server on loopback that keeps what it gets. */
export interface Mailbox {
	/** An SMTP credential of n8n for it. */
	credential: Record<string, unknown>;
	/** The messages as they came, headers first. */
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

/** The words of a message whose lines were wrapped for the way (quoted-printable). */
export function unwrapped(message: string): string {
	return message
		.replace(/=\r?\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
		.replace(/&amp;/g, '&');
}
