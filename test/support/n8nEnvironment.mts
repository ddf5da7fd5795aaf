import { spawn } from 'node:child_process';

import LimitedEnvironment from './limitedEnvironment.mts';

import { freshN8n, type FreshN8n } from './freshN8n.mts';

/** The n8n of this process, which all its test files use one after the other. */
let shared: Promise<FreshN8n> | undefined;

/** Gives tests `sharedN8n`. Jest loads a test environment once per process, and a test's own modules once per file. */
export default class N8nEnvironment extends LimitedEnvironment {
	async setup(): Promise<void> {
		await super.setup();
		this.global.sharedN8n = async () => {
			const { n8n, userFolder } = await (shared ??= start());
			// A test that killed n8n may have failed before it started n8n again.
			if (!n8n.process.running()) await n8n.restart();
			return { n8n, userFolder };
		};
	}
}

async function start(): Promise<FreshN8n> {
	const fresh = await freshN8n();
	process.prependListener('exit', () => {
		fresh.n8n.process.killNow();
		// Jest does not wait until the folder is gone.
		spawn('rm', ['-rf', fresh.userFolder], { detached: true, stdio: 'ignore' }).unref();
	});
	return fresh;
}
