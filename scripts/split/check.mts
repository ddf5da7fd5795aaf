import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { packInto } from '../../host/package.mts';
import { N8n } from '../../host/index.mts';
import { startSandbox } from '../../sandbox/index.ts';
import { credentialOf, rowsInto } from '../../test/support/n8n.mts';
import { ROOT, run, say, scratchFolder } from '../processes.mts';
import type { Part } from './manifest.mts';

/** Builds, lints, scans and tests a package with the tools of this repository, and runs it in an n8n of its own. */
export async function check(part: Part, folder: string): Promise<void> {
	const modules = join(folder, 'node_modules');
	if (!existsSync(modules)) symlinkSync(join(ROOT, 'node_modules'), modules);
	for (const script of ['lint', 'typecheck', 'build', 'test']) {
		await mustRun(part, folder, 'npm', ['run', '--silent', script]);
	}
	await mustRun(part, folder, 'tsx', ['scripts/lintDescriptions.mts']);
	const tarball = packInto(scratchFolder(), folder);
	await mustRun(part, folder, 'tsx', ['scripts/scan.mts', tarball]);
	await runInN8n(part, tarball);
}

async function mustRun(
	{ name }: Part,
	cwd: string,
	command: string,
	args: string[],
): Promise<void> {
	const what = `${name}: ${command} ${args.join(' ')}`;
	const code = await run(command, args, { cwd, localDir: ROOT });
	if (code !== 0) throw new Error(`${what} failed`);
	say(`${what}: passed`);
}

/** Installs a package in a new n8n, tests its credential, and reads a list with its node. */
async function runInN8n({ name, service }: Part, tarball: string): Promise<void> {
	const sandbox = await startSandbox();
	const n8n = await N8n.start({ root: ROOT, tarball, userFolder: scratchFolder() });
	try {
		const type = `${name}.survey${service}`;
		await n8n.nodeType(type);
		await n8n.nodeType(`${type}Trigger`);
		const credentialType = `survey${service}Api`;
		const data = credentialOf(service === 'A' ? sandbox.a : sandbox.b);
		const credential = await n8n.createCredential(credentialType, 'Sandbox', data);
		const { status, message } = await n8n.testCredential(credential.id);
		if (status !== 'OK') throw new Error(`${name}: the test of the credential says ${message}`);
		const parameters = { resource: 'feedback', operation: 'getAll' };
		const node = { type, parameters, credentials: { [credentialType]: credential } };
		const id = await n8n.createWorkflow(rowsInto(node, [{}]));
		const items = (await n8n.run(id)).items('Tested').length;
		if (items === 0) throw new Error(`${name} reads no feedback in n8n`);
		say(`${name}: in an n8n of its own, the credential is valid and ${items} responses were read`);
	} finally {
		await n8n.stop();
		await sandbox.close();
	}
}
