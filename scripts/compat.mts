// `npm run compat`: tries the packed package on older versions of n8n, each installed in its own folder, and writes the
// results into docs/compatibility.md and the README, beside those of other versions. Arguments: the versions to try, by
// default all.
// `npm run compat -- --image docker.n8n.io/n8nio/n8n:2.41.1` tries a container image in place of them (not tried here:
// it needs Docker or Podman), and writes nothing.
import { parseArgs } from 'node:util';

import { startSandbox } from '../sandbox/index.ts';
import { startHost } from '../test/support/n8n.mts';
import { builtPackage } from './build.mts';
import { CHECKS, type Setup } from './compat/checks.mts';
import { exclusion } from './compat/examples.mts';
import { install } from './compat/install.mts';
import { writeTables } from './compat/pages.mts';
import type { Result } from './compat/table.mts';
import { versions, type Version } from './compat/versions.mts';
import { atEnd, runMain, say } from './processes.mts';

async function main(): Promise<number> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { image: { type: 'string', multiple: true, default: [] } },
	});
	const images = values.image.map((image): Version => ({ n8n: image, image, overrides: {} }));
	const known = versions();
	const unknown = positionals.filter((wanted) => !known.some(({ n8n }) => n8n === wanted));
	if (unknown.length > 0) {
		const names = known.map(({ n8n }) => n8n).join(', ');
		throw new Error(`Unknown versions: ${unknown.join(', ')}. Known: ${names}.`);
	}
	const wanted = known.filter(({ n8n }) => positionals.length === 0 || positionals.includes(n8n));
	process.env.SURVEYS_TARBALL = await builtPackage();
	const results: Result[] = [];
	for (const version of images.length > 0 ? images : wanted) {
		await install(version);
		results.push(await tryOn(version));
		if (images.length === 0) writeTables(results, Object.keys(CHECKS));
	}
	return results.every(({ failures }) => failures.size === 0) ? 0 : 1;
}

async function tryOn({ n8n, installation, image }: Version): Promise<Result> {
	say(`n8n ${n8n} …`);
	const failures = new Map<string, string>();
	const sandbox = await startSandbox();
	const host = await startHost(sandbox, ENV, { installation, image }).catch((error: unknown) => {
		console.error(error);
		return undefined;
	});
	if (!host) {
		await sandbox.close();
		for (const name of Object.keys(CHECKS)) failures.set(name, 'this n8n did not start');
		return { n8n, node: process.version, failures };
	}
	atEnd(async () => await host.end());
	for (const name of Object.keys(CHECKS).filter((one) => !exclusion(one, n8n))) {
		const failure = await failureOf(name, { sandbox, host });
		if (failure) failures.set(name, failure);
		say(failure ? `  ✗ ${name}: ${failure}` : `  ✓ ${name}`);
	}
	await host.end();
	await sandbox.close();
	return { n8n, node: process.version, failures };
}

const ENV = {
	// n8n 1 requires this before an agent may use a community node.
	N8N_COMMUNITY_PACKAGES_ALLOW_TOOL_USAGE: 'true',
	// An older n8n does not start if this names a module that it does not have.
	N8N_DISABLED_MODULES: 'chat-hub',
};

async function failureOf(name: string, setup: Setup): Promise<string | undefined> {
	setup.sandbox.a.reset();
	setup.sandbox.b.reset();
	try {
		await CHECKS[name]?.(setup);
		return undefined;
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		return message.split('\n')[0] ?? '';
	}
}

await runMain(main);
