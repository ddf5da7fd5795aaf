import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

import { Editor } from '../../host/editor.mts';
import { until } from '../../host/until.mts';
import { packedPackage } from '../../host/package.mts';

const UP_TIMEOUT_MS = 240_000;

/** `npm start` with a folder of its own, and a user who does things in its n8n. */
export class Demo {
	private readonly child: ChildProcess;
	output = '';

	constructor(folder: string) {
		const args = ['--import', 'tsx', 'scripts/start.mts', '--folder', folder];
		const env = { ...process.env, SURVEYS_TARBALL: packedPackage(process.cwd()) };
		this.child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
		for (const stream of [this.child.stdout, this.child.stderr]) {
			stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
		}
	}

	/** Waits until the demo has printed all and stays up, or has ended. */
	async settled(): Promise<void> {
		const isSettled = () => this.output.includes('Ctrl-C ends') || this.child.exitCode !== null;
		await until(isSettled, Boolean, { what: this.output, timeoutMs: UP_TIMEOUT_MS });
	}

	get isUp(): boolean {
		return this.child.exitCode === null && this.output.includes('Ctrl-C ends');
	}

	/** Returns a URL that the demo printed behind a label. */
	url(label: 'n8n' | 'Service A' | 'Service B'): string {
		const lines = this.output.split('\n').filter((line) => line.startsWith(label.padEnd(10)));
		return /http:\S+/.exec(lines.at(-1) ?? '')?.[0] ?? '';
	}

	/** The key of a service, which the demo printed. */
	key(label: 'Service A' | 'Service B'): string {
		return new RegExp(`^${label}.*API Key (\\S+)$`, 'm').exec(this.output)?.[1] ?? '';
	}

	async user(password?: string): Promise<Editor> {
		const editor = new Editor(this.url('n8n'));
		await editor.signIn(password);
		return editor;
	}

	/** Ends the demo as Ctrl-C or a power cut does, and waits until its n8n has ended, too. */
	async end(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
		const n8n = this.url('n8n');
		if (this.child.exitCode === null) {
			this.child.kill(signal);
			await once(this.child, 'exit');
		}
		const isGone = async () =>
			n8n
				? await fetch(n8n).then(
						() => false,
						() => true,
					)
				: true;
		await until(isGone, Boolean, { what: 'The end of n8n' });
	}
}

/** Takes a port. Returns a function that frees it. */
export async function takePort(port: number): Promise<() => Promise<void>> {
	const server = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
	await once(server, 'listening');
	return async () => void (await once(server.close(), 'close'));
}
