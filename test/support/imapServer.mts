import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A mailbox on loopback that n8n reads by IMAP: as much of the protocol as its trigger uses. */
interface ImapServer {
	credential: Record<string, unknown>;
	/** Puts a mail into the mailbox, as it was sent. */
	deliver(mail: string): void;
	close(): Promise<void>;
}

const CAPABILITY = 'CAPABILITY IMAP4rev1 IDLE';

export async function openImapServer(): Promise<ImapServer> {
	const mails: Array<{ source: string; isSeen: boolean }> = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => undefined);
		socket.on('close', () => sockets.delete(socket));
		const write = (...lines: string[]) => lines.forEach((line) => socket.write(`${line}\r\n`));
		let idle = '';
		write(`* OK [${CAPABILITY}] Ready`);
		createInterface(socket).on('line', (line) => {
			const [, tag = '', command = ''] = /^(\S+) ?((?:UID )?\S+)?/.exec(line) ?? [];
			const answer = responses[command]?.() ?? [];
			if (tag === 'DONE') return write(`${idle} OK Done`);
			if (command === 'IDLE') {
				idle = tag;
				return write('+ Idling');
			}
			return write(...answer, `${tag} OK Done`);
		});
	});
	const responses: Record<string, () => string[]> = {
		CAPABILITY: () => [`* ${CAPABILITY}`],
		LIST: () => ['* LIST () "/" "INBOX"'],
		SELECT: () => [
			'* FLAGS (\\Seen)',
			`* ${mails.length} EXISTS`,
			'* OK [UIDVALIDITY 1] Valid',
			`* OK [UIDNEXT ${mails.length + 1}] Next`,
		],
		'UID SEARCH': () => [
			['* SEARCH', ...mails.flatMap(({ isSeen }, i) => (isSeen ? [] : [i + 1]))].join(' '),
		],
		'UID FETCH': () =>
			mails.flatMap(({ source, isSeen }, i) =>
				isSeen
					? []
					: `* ${i + 1} FETCH (UID ${i + 1} BODY[] {${Buffer.byteLength(source)}}\r\n${source})`,
			),
		'UID STORE': () => {
			for (const mail of mails) mail.isSeen = true;
			return mails.map((_, i) => `* ${i + 1} FETCH (UID ${i + 1} FLAGS (\\Seen))`);
		},
	};
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		credential: { user: 'surveys', password: 'example', host: '127.0.0.1', port, secure: false },
		deliver(mail) {
			mails.push({ source: mail.replaceAll('\n', '\r\n'), isSeen: false });
			for (const socket of sockets) socket.write(`* ${mails.length} EXISTS\r\n`);
		},
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
