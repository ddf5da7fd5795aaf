import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { run, say } from '../processes.mts';
import type { Version } from './versions.mts';

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** Installs a version of n8n in its own folder, unless it is complete there. Docker pulls an image by itself. */
export async function install({ n8n, installation, overrides, peers }: Version): Promise<void> {
	if (!installation) return;
	const done = join(installation, 'node_modules/.surveys-installed');
	if (existsSync(done)) return;
	say(`Installing n8n ${n8n} (about 2.4 GB, a few minutes) …`);
	rmSync(installation, { recursive: true, force: true });
	mkdirSync(installation, { recursive: true });
	const manifest = { private: true, dependencies: { n8n, ...peers }, overrides };
	writeFileSync(join(installation, 'package.json'), JSON.stringify(manifest, null, 2));
	await npm(installation, ['install', '--legacy-peer-deps', ...QUIET]);
	// The install scripts of n8n's native add-ons did not run, because no package's do.
	const addOns = ['rebuild', 'sqlite3', 'isolated-vm', '--loglevel=error'];
	await npm(installation, [...addOns, ...headers()]);
	writeFileSync(done, n8n);
}

/** Lets native add-ons compile against the headers of this Node, if it has them. */
function headers(): string[] {
	const prefix = dirname(dirname(process.execPath));
	return existsSync(join(prefix, 'include/node/node.h')) ? [`--nodedir=${prefix}`] : [];
}

async function npm(cwd: string, args: string[]): Promise<void> {
	const code = await run('npm', args, { cwd });
	if (code !== 0) throw new Error(`npm ${args[0]} failed in ${cwd}`);
}
