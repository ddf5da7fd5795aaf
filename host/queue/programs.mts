import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { installPackages, isRoot, onPath, searchPath, waitForInstallation } from '../apt.mts';

/** The paths of PostgreSQL and Redis, and the user that runs PostgreSQL. */
export interface Programs {
	/** The folder of `initdb`, `postgres`, `psql` and `pg_isready`. */
	postgres: string;
	redis: string;
	/** The prefix of PostgreSQL's commands, because PostgreSQL refuses to run as root. */
	asPostgres: string[];
}

/** Debian installs the server's programs here, outside PATH. */
const DEBIAN = '/usr/lib/postgresql';

/** Prefix that ends a program when the process that started it ends. */
const WITH_PARENT = ['setpriv', '--pdeathsig', 'KILL'];

/**
 * Finds PostgreSQL and Redis. As root on Debian, installs what is missing with apt-get.
 *
 * @returns their paths, or why they are not available
 */
export function programs(say: (text: string) => void): Programs | { missing: string } {
	waitForInstallation();
	const packages = [
		...(postgresFolder() ? [] : ['postgresql']),
		...(onPath('redis-server') ? [] : ['redis-server']),
	];
	if (packages.length > 0) {
		const why = installPackages(packages, say);
		if (why) return { missing: why };
	}
	return found();
}

function found(): Programs | { missing: string } {
	const postgres = postgresFolder();
	const redis = onPath('redis-server');
	if (!postgres) return { missing: 'PostgreSQL (initdb, postgres, psql) was not found' };
	if (!redis) return { missing: 'redis-server was not found' };
	if (!isRoot()) return { postgres, redis, asPostgres: withParent() };
	if (!onPath('setpriv'))
		return { missing: 'root needs setpriv to run PostgreSQL as another user' };
	const asUser = ['--reuid=postgres', '--regid=postgres', '--init-groups'];
	return { postgres, redis, asPostgres: [...WITH_PARENT, ...asUser] };
}

/** Returns the prefix of Redis' command. */
export function withParent(): string[] {
	return onPath('setpriv') ? WITH_PARENT : [];
}

function postgresFolder(): string | undefined {
	const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
	const debian = versions
		.sort((a, b) => Number(b) - Number(a))
		.map((one) => join(DEBIAN, one, 'bin'));
	return [...debian, ...searchPath()].find((folder) =>
		['initdb', 'postgres', 'psql', 'pg_isready'].every((name) => existsSync(join(folder, name))),
	);
}
