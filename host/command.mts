import { join } from 'node:path';

import { Daemon } from './daemon.mts';

const BOOT_TIMEOUT_MS = 180_000;

/** The command of each role, and the last line that n8n prints when it starts in that role. */
const ROLES = {
	main: { command: 'start', readyLine: 'Editor is now accessible via' },
	webhook: { command: 'webhook', readyLine: 'Webhook listener waiting for requests' },
	worker: { command: 'worker', readyLine: 'n8n worker is now ready' },
};

export type Role = keyof typeof ROLES;

/** How n8n is started: the program, and its arguments before n8n's own command. */
interface Command {
	program: string;
	args: string[];
	env?: Record<string, string>;
}

/** The n8n that is installed in a folder, run by this Node. It ends when this process ends. */
export function installedN8n(root: string, installation = join(root, 'host')): Command {
	return {
		program: process.execPath,
		args: [
			'--require',
			join(root, 'host/exitWithParent.cjs'),
			join(installation, 'node_modules/n8n/bin/n8n'),
		],
		// Node keeps compiled code here, so that the next start is faster.
		env: { NODE_COMPILE_CACHE: join(installation, 'node_modules/.cache') },
	};
}

/** Creates an n8n process in a role, without starting it. */
export function n8nDaemon(
	{ program, args, env: own }: Command,
	env: Record<string, string>,
	cwd: string,
	role: Role = 'main',
): Daemon {
	const { command, readyLine } = ROLES[role];
	return new Daemon({
		command: [program, ...args, command],
		isReady: (printed) => printed.includes(readyLine),
		startTimeoutMs: BOOT_TIMEOUT_MS,
		cwd,
		env: { ...env, ...own },
	});
}
