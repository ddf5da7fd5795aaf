import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { packedPackage } from '../../host/index.mts';

/** Returns the paths and sizes in bytes of the files in the packed package. */
export function packedFiles(): Array<{ path: string; size: number }> {
	const folder = mkdtempSync(join(tmpdir(), 'surveys-tarball-'));
	try {
		execFileSync('tar', ['-xzf', packedPackage(process.cwd()), '-C', folder]);
		return readdirSync(folder, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map(({ parentPath, name }) => join(parentPath, name))
			.map((file) => ({
				path: relative(join(folder, 'package'), file),
				size: statSync(file).size,
			}));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Returns the packages that `npm install` of the packed package adds to an empty folder. */
export function installedPackages(): string[] {
	const folder = mkdtempSync(join(tmpdir(), 'surveys-install-'));
	try {
		writeFileSync(join(folder, 'package.json'), '{"private":true}');
		const args = ['install', '--offline', '--no-audit', '--no-fund', packedPackage(process.cwd())];
		// Use the npm settings of a new user, not of this repository.
		const env = { PATH: process.env.PATH, HOME: folder };
		execFileSync('npm', args, { cwd: folder, env, stdio: 'pipe' });
		return readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
