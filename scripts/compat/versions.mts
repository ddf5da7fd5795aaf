import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { z } from 'zod';

import { ROOT, run, say } from '../processes.mts';

/** An n8n to try the package on. */
export interface Version {
	n8n: string;
	/** The folder that it is installed in. */
	installation: string;
	/** Replacements for packages that this n8n requires and the registry no longer has. */
	overrides: Record<string, string>;
	/** Peer dependencies of packages of this n8n, which npm leaves out with `--legacy-peer-deps`. */
	peers?: Record<string, string>;
}

const HOST = join(ROOT, 'host');
const hostSchema = z.object({ dependencies: z.object({ n8n: z.string() }) });

const OLDER = {
	xlsx: '0.18.5',
	linkedom: '0.18.13',
	'@langchain/langgraph': '1.0.2',
	'@langchain/langgraph-checkpoint': '1.0.0',
};

/** Extract from File reads calendar files with ts-ics, which requires date-fns 2 as a peer. */
const PEERS = { 'date-fns': '2.30.0' };

/** The oldest n8n in use, the first and the middle of n8n 2, and the one that the tests run in. */
export function versions(): Version[] {
	const host = readFileSync(join(HOST, 'package.json'), 'utf8');
	const { n8n } = hostSchema.parse(JSON.parse(host)).dependencies;
	return [
		installed('1.123.81', OLDER),
		installed('2.3.6', OLDER),
		installed('2.20.12', {
			...OLDER,
			'@langchain/langgraph': '1.2.0',
			'@opentelemetry/core': '2.9.0',
			'@opentelemetry/sdk-trace-base': '2.9.0',
		}),
		{ n8n, installation: HOST, overrides: {} },
	];
}

function installed(n8n: string, overrides: Record<string, string>): Version {
	return { n8n, installation: join(ROOT, '.surveys/compat', n8n), overrides, peers: PEERS };
}

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** Installs a version of n8n in its own folder, unless it is complete there. */
export async function install({ n8n, installation, overrides, peers }: Version): Promise<void> {
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
