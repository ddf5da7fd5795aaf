import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { z } from 'zod';

const manifestSchema = z.object({ name: z.string(), version: z.string() }).passthrough();
const packedSchema = z.tuple([z.object({ filename: z.string() })]);

/**
 * Returns the path of the package as it would be published. A test run packs it once and sets SURVEYS_TARBALL to the file;
 * otherwise this packs `dist` now.
 */
export function packedPackage(root: string): string {
	return process.env.SURVEYS_TARBALL ?? packInto(mkdtempSync(join(tmpdir(), 'surveys-')), root);
}

/** Packs `dist` as it would be published, and returns the path of the file. */
export function packInto(folder: string, root: string): string {
	const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
	const output = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
	const [packed] = packedSchema.parse(JSON.parse(output));
	return join(folder, packed.filename);
}

/**
 * Installs a packed package in the three steps of n8n's installer: unpack it, remove the development and peer dependencies
 * from its package.json, and list it. The installer itself needs a registry.
 */
export function installPackage(userFolder: string, tarball: string) {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const unpacked = join(nodesFolder, 'unpacked');
	rmSync(unpacked, { recursive: true, force: true });
	mkdirSync(unpacked, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
	const manifest = readManifest(join(unpacked, 'package.json'));
	const target = join(nodesFolder, 'node_modules', manifest.name);
	rmSync(target, { recursive: true, force: true });
	mkdirSync(dirname(target), { recursive: true });
	renameSync(unpacked, target);
	writeJson(join(target, 'package.json'), {
		...manifest,
		devDependencies: undefined,
		peerDependencies: undefined,
		optionalDependencies: undefined,
	});
	writeJson(join(nodesFolder, 'package.json'), {
		name: 'installed-nodes',
		private: true,
		dependencies: { [manifest.name]: manifest.version },
	});
	return manifest;
}

function readManifest(path: string) {
	return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}

function writeJson(path: string, value: unknown) {
	writeFileSync(path, JSON.stringify(value, null, 2));
}
