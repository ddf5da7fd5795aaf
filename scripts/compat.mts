// `npm run compat`: tries the packed package on older versions of n8n, each installed in its own folder, and writes the
// results into docs/evidence/compatibility.md and the README.
//
//     npm run compat -- 2.3.6             some versions; writes nothing
//     npm run compat -- --n8n URL         a running n8n that has the package, by its public API, with the API key in
//                                         N8N_API_KEY: what needs the editor is left out
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { n8nByUrl } from '../host/publicApi.mts';
import { startSandbox } from '../sandbox/index.ts';
import { credentialsFor, startHost } from '../test/support/n8n.mts';
import { builtPackage } from './build.mts';
import { CHECKS, EDITOR_CHECKS, type Setup } from './compat/checks.mts';
import { details, summary, type Result } from './compat/table.mts';
import { install, versions, type Version } from './compat/versions.mts';
import { replaceBetween } from './page.mts';
import { atEnd, ROOT, runMain, say } from './processes.mts';

const MARKS: [string, string] = [
	'<!-- compatibility: written by `npm run compat` -->',
	'<!-- /compatibility -->',
];
const NAMES = [...Object.keys(CHECKS), ...Object.keys(EDITOR_CHECKS)];

async function main(): Promise<number> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { n8n: { type: 'string' } },
	});
	if (values.n8n) return await tryRunning(values.n8n);
	const chosen = positionals.map(versionCalled);
	process.env.SURVEYS_TARBALL = await builtPackage();
	const results: Result[] = [];
	for (const version of chosen.length > 0 ? chosen : versions()) {
		await install(version);
		results.push(await tryOn(version));
	}
	if (chosen.length === 0) {
		const write = (file: string, text: string) =>
			replaceBetween(join(ROOT, file), MARKS, () => text);
		write('docs/evidence/compatibility.md', details(results, NAMES));
		write('README.md', summary(results, NAMES));
	}
	return results.every(({ failures }) => failures.size === 0) ? 0 : 1;
}

function versionCalled(name: string): Version {
	const found = versions().find(({ n8n }) => n8n === name);
	if (found) return found;
	const known = versions().map(({ n8n }) => n8n);
	throw new Error(`There is no version ${name}. Known: ${known.join(', ')}.`);
}

async function tryOn({ n8n, installation }: Version): Promise<Result> {
	say(`n8n ${n8n} …`);
	const result = { n8n, node: process.version };
	const sandbox = await startSandbox();
	const host = await startHost(sandbox, ENV, installation).catch((error: unknown) => {
		console.error(error);
		return undefined;
	});
	if (!host) {
		await sandbox.close();
		const why = 'this n8n did not start';
		return { ...result, failures: new Map(NAMES.map((name) => [name, why])) };
	}
	atEnd(async () => await host.end());
	const checks = Object.entries({ ...CHECKS, ...EDITOR_CHECKS });
	const failures = await runAll({ ...host, sandbox }, checks);
	await host.end();
	await sandbox.close();
	return { ...result, failures };
}

/** Tries a running n8n over its public API, and deletes what that created. */
async function tryRunning(url: string): Promise<number> {
	const n8n = n8nByUrl(url);
	const sandbox = await startSandbox();
	atEnd(async () => await n8n.deleteCreated());
	const credentials = await credentialsFor(sandbox, n8n);
	const failures = await runAll({ sandbox, n8n, credentials }, Object.entries(CHECKS));
	return failures.size === 0 ? 0 : 1;
}

type Check<Needed = Setup> = [name: string, check: (setup: Needed) => Promise<void>];

/** Runs checks with fresh services, prints each result, and returns the reasons of those that failed. */
async function runAll<Needed extends Setup>(
	setup: Needed,
	checks: Array<Check<Needed>>,
): Promise<Map<string, string>> {
	const failures = new Map<string, string>();
	for (const [name, check] of checks) {
		setup.sandbox.a.reset();
		setup.sandbox.b.reset();
		const failure = await check(setup).then(() => undefined, firstLine);
		if (failure !== undefined) failures.set(name, failure);
		say(failure === undefined ? `  ✓ ${name}` : `  ✗ ${name}: ${failure}`);
	}
	return failures;
}

function firstLine(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	return message.split('\n')[0] ?? '';
}

const ENV = {
	// n8n 1 requires this before an agent may use a community node.
	N8N_COMMUNITY_PACKAGES_ALLOW_TOOL_USAGE: 'true',
	// An older n8n does not start if this names a module that it does not have.
	N8N_DISABLED_MODULES: 'chat-hub',
};

await runMain(main);
