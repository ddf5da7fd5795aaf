import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Sandbox } from '../../sandbox/index';
import { packedPackage, startN8n } from '../../sandbox/n8n/host.mts';
import { credentialOf, type Host } from '../support/n8n.mts';

/** Tests run from the repository's root. */
const ROOT = process.cwd();

/**
 * A real n8n for thousands of runs. Its earlier expression engine takes 1 ms where that of today starts an
 * isolate for each call of a webhook and each run, 40 ms of the processor both times.
 */
export async function startQuickHost({ a, b }: Sandbox): Promise<Host> {
	const userFolder = mkdtempSync(join(tmpdir(), 'surveys-test-'));
	const n8n = await startN8n({
		root: ROOT,
		tarball: packedPackage(ROOT),
		userFolder,
		env: { N8N_EXPRESSION_ENGINE: 'legacy' },
	});
	const credentials = {
		surveyAApi: await n8n.createCredential('surveyAApi', 'A', credentialOf(a)),
		surveyBApi: await n8n.createCredential('surveyBApi', 'B', credentialOf(b)),
	};
	const end = async () => {
		await n8n.stop();
		rmSync(userFolder, { recursive: true, force: true });
	};
	return { n8n, credentials, end };
}
