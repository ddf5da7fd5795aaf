import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface PackageJson {
	name: string;
	version: string;
	[key: string]: unknown;
}

/**
 * The package as it would be published. A test run packs it once and names the file in SURVEYS_TARBALL; without
 * that it is packed now, from `dist`.
 */
export function packedPackage(root: string): string {
	return process.env.SURVEYS_TARBALL ?? packInto(mkdtempSync(join(tmpdir(), 'surveys-')), root);
}

/** Packs what is built, as it would be published, and gives the file's path. */
export function packInto(folder: string, root: string): string {
	const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
	const answer = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
	const [packed] = JSON.parse(answer) as Array<{ filename: string }>;
	if (!packed) throw new Error('npm packed nothing');
	return join(folder, packed.filename);
}

/**
 * Puts a packed package where n8n's own installer puts it, in the same three steps: unpack, take the development
 * and peer dependencies out of its package.json, and list it. The installer itself would ask a registry for it.
 */
export function installPackage(userFolder: string, tarball: string): PackageJson {
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

function readManifest(path: string): PackageJson {
	return JSON.parse(readFileSync(path, 'utf8')) as PackageJson;
}

function writeJson(path: string, value: unknown) {
	writeFileSync(path, JSON.stringify(value, null, 2));
}
