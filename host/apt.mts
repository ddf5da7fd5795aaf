import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const TIMEOUT_MS = 600_000;
const LOCK = join(tmpdir(), 'surveys-apt.lock');

/**
 * Installs packages of Debian, which only root can do, without starting the installed servers. Waits for another process
 * that installs: apt-get itself would fail.
 *
 * @returns why it failed; undefined if the packages are installed
 */
export function installPackages(
	packages: string[],
	say: (text: string) => void,
): string | undefined {
	const names = packages.join(' and ');
	if (!isRoot() || !onPath('apt-get')) {
		return `${names} missing, and only root can install with apt-get (Debian: sudo apt-get install ${packages.join(' ')})`;
	}
	say(`Installing ${names} with apt-get …`);
	const aptGet = 'apt-get -qq -o DPkg::Lock::Timeout=300';
	const install = `${aptGet} install -y --no-install-recommends ${packages.join(' ')}`;
	const { status, stderr } = spawnSync(
		'flock',
		[LOCK, 'sh', '-c', `${aptGet} update && ${install}`],
		{
			stdio: ['ignore', 'ignore', 'pipe'],
			encoding: 'utf8',
			timeout: TIMEOUT_MS,
			env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
		},
	);
	return status === 0 ? undefined : `${names} could not be installed: ${stderr}`;
}

/** Waits until no other process installs packages: a program can be there before its libraries are. */
export function waitForInstallation(): void {
	spawnSync('flock', [LOCK, 'true'], { timeout: TIMEOUT_MS });
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
