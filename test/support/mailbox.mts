import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import axios from 'axios';
import { SMTPServer } from 'smtp-server';

import { until } from '../../host/until.mts';

/** A mail server on loopback that records messages. */
export interface Mailbox {
	credential: Record<string, unknown>;
	messages: string[];
	/** Called for a message that is recorded, and never confirmed. */
	hold?: () => void;
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
				if (!mailbox.hold) return done();
				mailbox.hold();
			}, done);
		},
	});
	server.listen(0, '127.0.0.1');
	await once(server.server, 'listening');
	const { port } = server.server.address() as AddressInfo;
	const mailbox: Mailbox = {
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
	return mailbox;
}

/** Returns a message without the line breaks of its quoted-printable encoding. */
export function unwrapped(message: string): string {
	return message
		.replace(/=\r?\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
		.replace(/&amp;/g, '&');
}

const APPROVE = /https?:\/\/[^\s"'<>]*webhook-waiting[^\s"'<>]*approved=true[^\s"'<>]*/;

/**
 * Waits for an email with a button to approve, and returns its link.
 *
 * @param about a text that only this email has
 */
export async function approvalLink(mailbox: Mailbox, about = ''): Promise<string> {
	const found = () => mailbox.messages.map(unwrapped).find((message) => message.includes(about));
	const link = () => found()?.match(APPROVE)?.[0];
	return await until(link, (url) => url !== undefined, { what: 'The link to approve' });
}

/** Opens a link like a browser, because n8n ignores bots. */
export async function click(link: string): Promise<void> {
	const headers = { 'user-agent': 'Mozilla/5.0 Chrome/156.0' };
	await axios.get(link, { headers, validateStatus: () => true });
}
