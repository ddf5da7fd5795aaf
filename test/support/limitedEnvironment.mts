import { relative } from 'node:path';
import { Worker } from 'node:worker_threads';

import { TestEnvironment } from 'jest-environment-node';

const MINUTE_MS = 60_000;

/** The limits on this machine's speed are wide: they end what never ends. A test in a real n8n waits for much. */
const LIMIT_MS = Number(process.env.SURVEYS_FILE_MINUTES ?? 10) * MINUTE_MS;
const LIMIT_IN_N8N_MS = 20 * MINUTE_MS;

/**
 * Ends this process from another thread, because nothing else ends a loop that never gives way. Jest then reports the file as
 * failed.
 */
const WATCHER = `
const { parentPort } = require('node:worker_threads');
let timer;
parentPort.on('message', ({ name, limitMs }) => {
	clearTimeout(timer);
	if (name === undefined) return;
	timer = setTimeout(() => {
		const text = name + ' took longer than ' + limitMs / ${MINUTE_MS} + ' minutes and was killed\\n';
		require('node:fs').writeSync(2, text);
		process.kill(process.pid, 'SIGKILL');
	}, limitMs);
});
`;

/** Jest's message to a worker that has nothing more to do. */
const END = 2;

// Jest waits half a second for a worker to end. On a busy machine, Node takes longer until nothing is open and the memory of
// the tests is free.
if (process.env.JEST_WORKER_ID && process.send) {
	process.on('exit', () => process.kill(process.pid, 'SIGKILL'));
	process.on('message', (message) => {
		if (Array.isArray(message) && message[0] === END) process.exit();
	});
}

/** The watcher of this process, which all its test files use one after the other. */
let watcher: Worker | undefined;

function watch(name?: string, limitMs?: number): void {
	if (!watcher) {
		watcher = new Worker(WATCHER, { eval: true });
		watcher.unref();
	}
	watcher.postMessage({ name, limitMs });
}

/** Kills a test file that takes too long, and prints its name. */
export default class LimitedEnvironment extends TestEnvironment {
	readonly file: string;

	constructor(...given: ConstructorParameters<typeof TestEnvironment>) {
		super(...given);
		this.file = relative(process.cwd(), given[1].testPath);
	}

	async setup(): Promise<void> {
		await super.setup();
		watch(this.file, /^test\/(browser|long|n8n)\//.test(this.file) ? LIMIT_IN_N8N_MS : LIMIT_MS);
		// Each file that is joined with others has a time of its own.
		this.global.beginFile = (name: string) => watch(name, LIMIT_MS);
	}

	async teardown(): Promise<void> {
		watch();
		await super.teardown();
	}
}
