import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const TIMEOUT_MS = 600_000;
const LOCK = join(tmpdir(), 'surveys-apt.lock');

/**
 * Installs packages of Debian, which only root can do.
 *
 * @returns why it failed; undefined if the packages are installed
 */
export function installPackages(
	packages: string[],
	say: (text: string) => void,
): string | undefined {
	const names = packages.join(' and ');
	if (!isRoot() || !onPath('apt-get')) {
		const how = `install ${names} (Debian: sudo apt-get install ${packages.join(' ')})`;
		return `${names} missing, and only root can install them with apt-get: ${how}`;
	}
	say(`Installing ${names} with apt-get …`);
	try {
		aptGet('update');
		aptGet('install', '-y', '--no-install-recommends', ...packages);
		return undefined;
	} catch (error) {
		return `${names} could not be installed: ${error instanceof Error ? error.message : error}`;
	}
}

/**
 * Runs apt-get without questions and without starting the installed servers. Waits for another process that installs:
 * apt-get itself would fail.
 */
function aptGet(...args: string[]): void {
	const command = ['apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=300', ...args];
	execFileSync('flock', [LOCK, ...command], {
		stdio: ['ignore', 'ignore', 'pipe'],
		timeout: TIMEOUT_MS,
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
	});
}

export function onPath(name: string): string | undefined {
	return searchPath()
		.map((folder) => join(folder, name))
		.find((file) => existsSync(file));
}

export function searchPath(): string[] {
	return [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin', '/usr/local/bin'];
}

export function isRoot(): boolean {
	return process.getuid?.() === 0;
}
